import { effect } from '@preact/signals'
import { groups } from '../store/groups.ts'
import { peopleChanges } from '../store/store.ts'
import { tolerateFailure } from './failure.ts'
import { groupsList } from './lazy-endpoints.ts'

/** Keeps the groups up to date: reads them again when their revision has changed. */
export function watchGroups() {
  let known = 0
  effect(() => {
    const rev = peopleChanges.value?.groups_rev ?? 0
    if (rev === known) return
    known = rev
    if (rev === 0) groups.value = []
    else void loadGroups()
  })
}

export async function loadGroups() {
  try {
    groups.value = await groupsList()
  } catch (error) {
    tolerateFailure(error)
  }
}
