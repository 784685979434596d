/** Where the viewer has been on this device, the last place first. */
import { signal } from '@preact/signals'
import type { ChannelId } from '#shared/rules/units.ts'
import { viewer } from './store.ts'

const KEY = `bothy recent ${viewer}`
const MOST = 30

export const recent = signal<ChannelId[]>(read())

export function noteRecent(channel: ChannelId) {
  if (recent.peek()[0] === channel) return
  recent.value = [channel, ...recent.peek().filter(other => other !== channel)].slice(0, MOST)
  try {
    localStorage.setItem(KEY, JSON.stringify(recent.peek()))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

function read(): ChannelId[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept.filter(one => typeof one === 'string') : []
  } catch (error) {
    if (!(error instanceof DOMException || error instanceof SyntaxError)) throw error
    return []
  }
}
