/** The public channels that the viewer may read without having joined: they are completed and linked, too. */
import { effect, untracked } from '@preact/signals'
import type { PublicChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { noteNames, otherAnnouncements, otherChannels } from '../../store/channels/names.ts'
import { publicChannels } from '../../store/store.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { publicChannelsPage } from '../requests/lazy-endpoints.ts'

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
    const channels: PublicChannelPayload[] = []
    let cursor: string | undefined
    for (let page = 0; page < MOST_PAGES; page++) {
      const { items, next } = await publicChannelsPage({ words: '', sort: 'name', archived: false }, cursor)
      noteNames(items)
      channels.push(...items.filter(one => !one.joined))
      if (next === null) break
      cursor = next
    }
    const ids = channels.map(one => one.channel)
    if (ids.join() !== otherChannels.peek().join()) otherChannels.value = ids
    const announcements = channels.filter(one => one.posting === 'managers')
    otherAnnouncements.value = new Set(announcements.map(one => one.channel))
  } catch (error) {
    tolerateFailure(error)
  }
}
