/** Unsent text by channel, kept on this device and shared among tabs. */
import { signal } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'
import { viewer } from './store.ts'

const PREFIX = `bothy draft ${viewer} `

export const drafts = signal<ReadonlyMap<ChannelId, string>>(readAll())

export function draftOf(channel: ChannelId): string {
  return drafts.value.get(channel) ?? ''
}

export function keepDraft(channel: ChannelId, text: string) {
  if (draftOf(channel) === text) return
  const next = new Map(drafts.value)
  if (text.trim() === '') next.delete(channel)
  else next.set(channel, text)
  drafts.value = next
  if (text.trim() === '') write(() => localStorage.removeItem(PREFIX + channel))
  else write(() => localStorage.setItem(PREFIX + channel, text))
}

addEventListener('storage', event => {
  if (event.key === null || event.key.startsWith(PREFIX)) drafts.value = readAll()
})

function readAll(): ReadonlyMap<ChannelId, string> {
  const found = new Map<ChannelId, string>()
  write(() => {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith(PREFIX)) found.set(key.slice(PREFIX.length), localStorage.getItem(key) ?? '')
    }
  })
  return found
}

/** Storage may be full or denied; then drafts live as long as the tab. */
function write(attempt: () => void) {
  try {
    attempt()
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
