/** The public channels that the viewer may read without having joined: they are completed and linked, too. */
import { effect, untracked } from '@preact/signals'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import { noteNames, otherChannels } from '../store/names.ts'
import { publicChannels } from '../store/store.ts'
import { tolerateFailure } from './failure.ts'
import { publicChannelsPage } from './lazy-endpoints.ts'

/** No event announces a new channel of others. */
const HOLDS: Milliseconds = 30_000
const MOST_PAGES = 10

let loadedAt = Number.NEGATIVE_INFINITY

/** Loads the list again when the viewer joins or leaves a channel. */
export function followReadable() {
  effect(() => {
    void publicChannels.value
    untracked(() => void load())
  })
}

export function refreshReadable() {
  if (performance.now() - loadedAt > HOLDS) void load()
}

async function load() {
  loadedAt = performance.now()
  try {
    const found: ChannelId[] = []
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const { items, next } = await publicChannelsPage({ words: '', sort: 'name', archived: false }, cursor)
      noteNames(items)
      found.push(...items.filter(one => !one.joined).map(one => one.channel))
      if (next === null) break
      cursor = next
    }
    if (found.join() !== otherChannels.peek().join()) otherChannels.value = found
  } catch (error) {
    tolerateFailure(error)
  }
}
