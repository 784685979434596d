import { effect } from '@preact/signals'
import { groups } from '../../store/people/groups.ts'
import { peopleChanges } from '../../store/store.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { groupsList } from '../requests/lazy-endpoints.ts'

/** No revision is negative. */
const UNKNOWN = -1

/** Keeps the groups up to date: reads them again when their revision has changed. */
export function watchGroups() {
  /** Requested or loaded. A failed request is repeated with the next event. */
  let known = 0
  effect(() => {
    const rev = peopleChanges.value?.groups_rev ?? 0
    if (rev === known) return
    known = rev
    if (rev === 0) groups.value = []
    else
      void loadGroups().then(isLoaded => {
        if (!isLoaded && known === rev) known = UNKNOWN
      })
  })
}

let newest = 0
/** The request whose list is shown. */
let shown = 0

/** Returns false if the request failed. A list that was requested earlier does not replace a later one. */
export async function loadGroups(): Promise<boolean> {
  const turn = ++newest
  try {
    const list = await groupsList()
    if (turn >= shown) {
      shown = turn
      groups.value = list
    }
    return true
  } catch (error) {
    tolerateFailure(error)
    return false
  }
}
