/** No event tells of a new account. A name that is online and not known means that the lists are old. */
import { effect, untracked } from '@preact/signals'
import { current } from '../store/channels.ts'
import { isDm } from '../store/names.ts'
import { onlineUsers, people, viewer } from '../store/store.ts'
import { Failure, users } from './endpoints.ts'
import { loadMembers } from './open-channel.ts'

/** A name may be online and still not in the list, say because its account was just deleted. */
const AT_MOST_EVERY = 5_000

let lastAsked = Number.NEGATIVE_INFINITY
let later: ReturnType<typeof setTimeout> | undefined

export function watchForNewcomers() {
  effect(() => {
    const known = new Set([viewer, ...people.value])
    if ([...onlineUsers.value.keys()].some(name => !known.has(name))) untracked(ask)
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
  try {
    const names = await users()
    // The same names are the same list; another array would only ask again.
    if (names.join() !== people.peek().join()) people.value = names
  } catch (error) {
    if (!(error instanceof Failure)) throw error
  }
  const channel = current.peek()
  if (channel && !isDm(channel.id)) await loadMembers(channel)
}
