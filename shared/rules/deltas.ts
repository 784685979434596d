/**
 * The frames that a stream carries in place of the interface's when its tab asks for them (`GET /events?with=`): the
 * whole state first, then only its changes. Applied in order they equal the interface's collection. Pure: the gateway
 * makes these frames, the client and the parity tests apply them.
 */
import type {
  ChannelUnreadsPayload,
  DmPayload,
  OnlineUsersPayload,
  PresenceState,
  PrivateChannelPayload,
  ReadReceiptsPayload,
} from './payloads.ts'
import type { ChannelId, Seconds, Username } from './units.ts'

/** The values of `with`. Each is also the name of its event. */
export const DELTA_NAMES = ['presence', 'seen', 'counts', 'lists'] as const
export type DeltaName = (typeof DELTA_NAMES)[number]

/** 64 bits as 16 hex digits, of the state after the frame. A tab returns it in `known`. */
export type StateHash = string

/** `full` alone, or `set` and `gone`, which are omitted when empty. */
export interface MapDelta<T> {
  full?: Record<string, T>
  set?: Record<string, T>
  gone?: string[]
  hash: StateHash
}

/** In place of `online_users`. */
export type PresenceDelta = MapDelta<PresenceState>
/** In place of `channel_unreads`. */
export type CountsDelta = MapDelta<number>

/** Most readers of a channel whose watermarks a tab is told one by one; of a larger channel it is told counts. */
export const MOST_RECEIPTS = 50
/** The newest messages of a larger channel whose readers are counted. */
export const MOST_SEEN_MESSAGES = 20
/** Readers named with each of them. */
export const MOST_SEEN_NAMES = 5

/** How many people have read a message, its author not counted, and some of their names. */
export interface SeenMessage {
  id: number
  count: number
  names: Username[]
}

/** In place of `read_receipts`: watermarks in a small channel, counts a message in a larger one. */
export type SeenDelta = ({ channel: ChannelId } & MapDelta<Seconds>) | SeenCounts
export interface SeenCounts {
  channel: ChannelId
  messages: SeenMessage[]
  hash: StateHash
}
export type SeenState = { channel: ChannelId } & (
  | { receipts: ReadReceiptsPayload; messages?: undefined }
  | { messages: SeenMessage[]; receipts?: undefined }
)

/** `at` is the sort key: DMs by it descending, then by channel; private channels by it ascending. */
export type DmEntry = DmPayload & { at: number }
export type PrivateChannelEntry = PrivateChannelPayload & { at: number }
export type ListEntry = DmEntry | PrivateChannelEntry

/** In place of `private_channels`, `dms` and `unread_count`. A full frame has `set` and no `gone`. */
export interface ListsDelta {
  full?: true
  set?: ListEntry[]
  gone?: ChannelId[]
  /** The number of `unread_count`. */
  unread: number
  hash: StateHash
}
export interface ListsState {
  entries: Record<ChannelId, ListEntry>
  unread: number
}

export interface DeltaPayloads {
  presence: PresenceDelta
  seen: SeenDelta
  counts: CountsDelta
  lists: ListsDelta
}

// Applying: a new state; undefined when the frame changes a state that the caller does not have.

export const applyPresence: (
  state: OnlineUsersPayload | undefined,
  delta: PresenceDelta,
) => OnlineUsersPayload | undefined = applyMap

export const applyCounts: (
  state: ChannelUnreadsPayload | undefined,
  delta: CountsDelta,
) => ChannelUnreadsPayload | undefined = applyMap

export function applySeen(state: SeenState | undefined, delta: SeenDelta): SeenState | undefined {
  const { channel } = delta
  if ('messages' in delta) return { channel, messages: delta.messages }
  const receipts = applyMap(state?.channel === channel ? state.receipts : undefined, delta)
  return receipts && { channel, receipts }
}

export function applyLists(state: ListsState | undefined, delta: ListsDelta): ListsState | undefined {
  const set = record((delta.set ?? []).map(entry => [entry.channel, entry]))
  const change = delta.full ? { full: set } : { set, gone: delta.gone ?? [] }
  const entries = applyMap(state?.entries, { ...change, hash: delta.hash })
  return entries && { entries, unread: delta.unread }
}

function applyMap<T>(
  state: Record<string, T> | undefined,
  { full, set, gone }: MapDelta<T>,
): Record<string, T> | undefined {
  if (full) return record(Object.entries(full))
  if (!state) return undefined
  const next = record([...Object.entries(state), ...Object.entries(set ?? {})])
  for (const key of gone ?? []) delete next[key]
  return next
}

/** The payload of `dms` in the order of the interface. */
export function dmsOf({ entries }: ListsState): DmPayload[] {
  return Object.values(entries)
    .filter(entry => 'users' in entry)
    .sort((a, b) => b.at - a.at || (a.channel < b.channel ? -1 : 1))
    .map(({ at: _, ...dm }) => dm)
}

/** The payload of `private_channels` in the order of the interface. */
export function privateChannelsOf({ entries }: ListsState): PrivateChannelPayload[] {
  return Object.values(entries)
    .filter(entry => 'name' in entry)
    .sort((a, b) => a.at - b.at)
    .map(({ at: _, ...channel }) => channel)
}

// Making: without `from`, or where only the whole state tells the change, a full frame.

export const diffPresence: (from: OnlineUsersPayload | undefined, to: OnlineUsersPayload) => PresenceDelta =
  diffMap

export const diffCounts: (from: ChannelUnreadsPayload | undefined, to: ChannelUnreadsPayload) => CountsDelta =
  diffMap

export function diffSeen(from: SeenState | undefined, to: SeenState): SeenDelta {
  const known = from?.channel === to.channel ? from.receipts : undefined
  return seenDelta(to, known && to.receipts && changedKeys(known, to.receipts))
}

export function diffLists(from: ListsState | undefined, to: ListsState): ListsDelta {
  return listsDelta(to, from && changedKeys(from.entries, to.entries))
}

function diffMap<T>(from: Record<string, T> | undefined, to: Record<string, T>): MapDelta<T> {
  return mapDelta(to, from && changedKeys(from, to))
}

/** The keys that are new, gone or have another value. */
export function changedKeys<T>(from: Record<string, T>, to: Record<string, T>): string[] {
  const changed = Object.keys(to).filter(key => !isSame(valueAt(from, key), to[key]))
  return changed.concat(Object.keys(from).filter(key => !Object.hasOwn(to, key)))
}

const valueAt = <T>(state: Record<string, T>, key: string): T | undefined =>
  Object.hasOwn(state, key) ? state[key] : undefined

function isSame(a: unknown, b: unknown) {
  if (a === b) return true
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b)
}

/** The frame of a state of which these keys may have changed; a full frame without `keys`. */
export function mapDelta<T>(
  state: Record<string, T>,
  keys: Iterable<string> | undefined,
  hash = hashOf(canonicalMap(state)),
): MapDelta<T> {
  if (!keys) return { full: state, hash }
  const { set, gone } = split(state, keys)
  return {
    ...(set.length > 0 && { set: record(set) }),
    ...(gone.length > 0 && { gone }),
    hash,
  }
}

export function seenDelta(
  state: SeenState,
  keys: Iterable<string> | undefined,
  hash = hashOf(canonicalSeen(state)),
): SeenDelta {
  const { channel } = state
  if (state.messages) return { channel, messages: state.messages, hash }
  return { channel, ...mapDelta(state.receipts, keys, hash) }
}

export function listsDelta(
  { entries, unread }: ListsState,
  keys: Iterable<ChannelId> | undefined,
  hash = hashOf(canonicalLists({ entries, unread })),
): ListsDelta {
  if (!keys) return { full: true, set: Object.values(entries), unread, hash }
  const { set, gone } = split(entries, keys)
  return {
    ...(set.length > 0 && { set: set.map(([, entry]) => entry) }),
    ...(gone.length > 0 && { gone }),
    unread,
    hash,
  }
}

function split<T>(state: Record<string, T>, keys: Iterable<string>) {
  const set: [string, T][] = []
  const gone: string[] = []
  for (const key of keys) {
    const value = valueAt(state, key)
    if (value === undefined) gone.push(key)
    else set.push([key, value])
  }
  return { set, gone }
}

// Canonical texts: arrays only, ordered by UTF-16 code unit, so that equal states have equal texts.

export function canonicalMap<T>(state: Record<string, T>): string {
  return JSON.stringify(pairs(state))
}

export function canonicalSeen({ channel, receipts, messages }: SeenState): string {
  const state = messages ? messages.map(({ id, count, names }) => [id, count, names]) : pairs(receipts)
  return JSON.stringify([channel, messages ? 'messages' : 'receipts', state])
}

export function canonicalLists({ entries, unread }: ListsState): string {
  const fields = pairs(entries).map(([channel, entry]) =>
    'users' in entry
      ? [channel, entry.users, entry.unread, entry.at]
      : [channel, entry.id, entry.name, entry.unread, entry.at],
  )
  return JSON.stringify([fields, unread])
}

const pairs = <T>(state: Record<string, T>): [string, T][] =>
  Object.keys(state)
    .sort()
    .map(key => [key, state[key]!])

/** Without a prototype, because `__proto__` is a valid username. */
function record<T>(entries: [string, T][]): Record<string, T> {
  const made: Record<string, T> = Object.create(null)
  for (const [key, value] of entries) made[key] = value
  return made
}

/**
 * 64-bit FNV-1a over the UTF-16 code units, low byte first: fast, the same everywhere, and no protection against
 * somebody who looks for two texts with one hash.
 */
export function hashOf(text: string): StateHash {
  // The offset basis and the prime 2^40 + 0x1b3, in halves of 32 bits.
  let high = 0xcbf29ce4
  let low = 0x84222325
  for (let i = 0; i < 2 * text.length; i++) {
    const unit = text.charCodeAt(i >> 1)
    low = (low ^ (i & 1 ? unit >>> 8 : unit & 0xff)) >>> 0
    const product = low * 0x1b3
    high = (Math.imul(high, 0x1b3) + (low << 8) + Math.floor(product / 0x1_0000_0000)) | 0
    low = product >>> 0
  }
  return (high >>> 0).toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
}
