/**
 * Parses and formats the fragment of the address (ui.md 4): a place (a channel, or a message in it), a view over it, or
 * both. Pure.
 */
import { parseChannelId } from '#shared/domain/channel-id.ts'
import { fragmentOf as hashOf } from '#shared/domain/fragment.ts'
import type { ChannelId } from '#shared/domain/units.ts'

export { hashOf }

export interface Route {
  channel?: ChannelId
  message?: number
  /** Nothing is at this address. */
  unknown?: true
}

/** Tabs of the details of a channel. */
const DETAILS_TAB_IDS = ['about', 'people', 'pins', 'files'] as const
export type DetailsTabId = (typeof DETAILS_TAB_IDS)[number]

/** Pages whose address is their name. */
export const PAGE_NAMES = ['channels', 'saved', 'scheduled'] as const
type PageName = (typeof PAGE_NAMES)[number]

export type View =
  | { kind: 'settings'; page: string | undefined }
  | { kind: 'search'; words: string }
  | { kind: 'mentions' | PageName }
  | { kind: 'threads'; thread: { channel: ChannelId; message: number } | undefined }
  | { kind: 'details'; tab: DetailsTabId }
  | { kind: 'admin'; page: string | undefined }
  | { kind: 'profile'; name: string }
  | { kind: 'image' | 'thread'; channel: ChannelId; message: number }

export function routeOf(hash: string): Route {
  const [, kind, name, m, id] = hash.replace(/^#/, '').split('/')
  const channel = channelOf(kind, name)
  if (!channel) return kind === undefined || kind === '' ? {} : { unknown: true }
  const message = m === 'm' && /^[1-9]\d{0,15}$/.test(id ?? '') ? Number(id) : undefined
  return message === undefined ? { channel } : { channel, message }
}

/** The parts of an address. A view without a place is shown over the place before it. */
export function splitAddress(hash: string): { place?: string; view?: string } {
  if (viewOf(hash) === undefined) return { place: hash === '' || hash === '#' ? '#/' : hash }
  const at = /\/(?:about|people|pins|files|image|thread)$/.exec(hash)?.index
  return at !== undefined && routeOf(hash).channel !== undefined
    ? { place: hash.slice(0, at), view: hash }
    : { view: hash }
}

export function viewOf(hash: string): View | undefined {
  const [, kind, name, ...rest] = hash.replace(/^#/, '').split('/')
  const { channel, message } = routeOf(hash)
  if (channel !== undefined) {
    const last = rest.at(-1)
    const tab = DETAILS_TAB_IDS.find(id => id === last)
    if (tab) return { kind: 'details', tab }
    const isOfMessage = message !== undefined && (last === 'image' || last === 'thread')
    return isOfMessage ? { kind: last, channel, message } : undefined
  }
  if (kind === 'settings' || kind === 'admin') return { kind, page: name || undefined }
  if (kind === 'search') return { kind, words: decode([name ?? '', ...rest].join('/')) }
  const page = PAGE_NAMES.find(name => name === kind)
  if (page) return { kind: page }
  if (kind === 'mentions') return { kind }
  if (kind === 'threads') {
    const { channel, message } = routeOf(['#', name, ...rest].join('/'))
    return { kind, thread: channel !== undefined && message !== undefined ? { channel, message } : undefined }
  }
  return kind === 'people' && name ? { kind: 'profile', name: decode(name) } : undefined
}

export const threadAddress = (channel: ChannelId, message: number) => `${hashOf(channel, message)}/thread`
/** A thread beside the page of threads. */
export const besideAddress = (channel: ChannelId, message: number) =>
  `#/threads${hashOf(channel, message).slice(1)}`
export const imageAddress = (channel: ChannelId, message: number) => `${hashOf(channel, message)}/image`
export const profileAddress = (name: string) => `#/people/${encodeURIComponent(name)}`

function channelOf(kind: string | undefined, name: string | undefined): ChannelId | undefined {
  if (!name) return undefined
  const decoded = decode(name)
  if (kind === 'c') return decoded
  if (kind === 'p') return parseChannelId(`private:${decoded}`)?.id
  if (kind === 'd') {
    const people = [...new Set(decoded.split(',').filter(Boolean))].sort()
    return people.length > 1 ? ['dm', ...people].join(':') : undefined
  }
  return undefined
}

function decode(text: string) {
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return text
    throw error
  }
}
