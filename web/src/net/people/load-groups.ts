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

/** Returns false if the request failed. */
export async function loadGroups(): Promise<boolean> {
  try {
    groups.value = await groupsList()
    return true
  } catch (error) {
    tolerateFailure(error)
    return false
  }
}
