/** No event announces a new account. An unknown name that is online means that the lists are out of date. */
import { effect, untracked } from '@preact/signals'
import { current } from '../store/channels.ts'
import { everyPresence, presenceArrivals } from '../store/presence.ts'
import { people, viewer } from '../store/store.ts'
import { loadPeople } from './load-people.ts'
import { loadMembers } from './open-channel.ts'

/** A name may be online without being in the list, for example after its account was deleted. */
const AT_MOST_EVERY = 5_000

let lastAsked = Number.NEGATIVE_INFINITY
let later: ReturnType<typeof setTimeout> | undefined

export function watchForNewUsers() {
  effect(() => {
    void presenceArrivals.value
    const known = new Set([viewer, ...people.value])
    for (const name of everyPresence()) if (!known.has(name)) return untracked(ask)
    return undefined
  })
}

function ask() {
  clearTimeout(later)
  const wait = lastAsked + AT_MOST_EVERY - performance.now()
  if (wait > 0) {
    later = setTimeout(ask, wait)
    return
  }
  lastAsked = performance.now()
  void refresh()
}

async function refresh() {
  await loadPeople()
  const channel = current.peek()
  if (channel) await loadMembers(channel)
}
