/**
 * Delta frames, which replace the interface's when a tab asks for them (`GET /events?with=`): the whole state first,
 * then only changes. Applied in order they equal the interface's collection. Pure: the gateway makes these frames, the
 * client and the parity tests apply them.
 */
import type { ChannelUnreadsPayload, DmPayload, PrivateChannelPayload } from './payloads/channels.ts'
import type {
  CountsDelta,
  DeltaPayloads,
  DmEntry,
  ListsDelta,
  PresenceDelta,
  PrivateChannelEntry,
  SeenCounts,
  SeenDelta,
  SeenMessage,
  StateHash,
} from './payloads/frames.ts'
import type { ReadReceiptsPayload } from './payloads/messages.ts'
import type { OnlineUsersPayload } from './payloads/people.ts'
import type { ChannelId } from './units.ts'

export type {
  CountsDelta,
  DeltaPayloads,
  DmEntry,
  PrivateChannelEntry,
  SeenCounts,
  SeenDelta,
  SeenMessage,
  StateHash,
}

/** The values of `with`. Each is also the name of its event. */
export const DELTA_NAMES = ['presence', 'seen', 'counts', 'lists'] as const
export type DeltaName = (typeof DELTA_NAMES)[number]

/** Further values of `with`: events of whole payloads that only streams which ask for them receive. */
export const EXTRA_EVENTS = [
  'sidebar',
  'inbox',
  'running_calls',
  'workspace',
  'me',
  'channel_info',
  'people',
] as const
export type ExtraEvent = (typeof EXTRA_EVENTS)[number]

/** The value of `with` for streams whose messages have `extra` (interface 11.6). */
export const WITH_EXTRA = 'extra'

/** `full` alone, or `set` and `gone`, which are omitted when empty. */
interface MapDelta<T> {
  full?: Record<string, T>
  set?: Record<string, T>
  gone?: string[]
  hash: StateHash
}

/** Readers of a channel up to which watermarks are sent; larger channels send counts. */
export const MOST_RECEIPTS = 50
/** Number of newest messages of a larger channel whose readers are counted. */
export const MOST_SEEN_MESSAGES = 20
/** Readers named per message at most. */
export const MOST_SEEN_NAMES = 5

export type SeenState = { channel: ChannelId } & (
  | { receipts: ReadReceiptsPayload; messages?: undefined }
  | { messages: SeenMessage[]; receipts?: undefined }
)

export type ListEntry = DmEntry | PrivateChannelEntry

export interface ListsState {
  entries: Record<ChannelId, ListEntry>
  unread: number
}

// Applying returns a new state; undefined when the frame changes a state that the caller does not have.

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

// Diffing returns a full frame without `from`, or when no delta can express the change.

export const diffPresence = (from: OnlineUsersPayload | undefined, to: OnlineUsersPayload): PresenceDelta =>
  diffMap(from, to)

export const diffCounts = (from: ChannelUnreadsPayload | undefined, to: ChannelUnreadsPayload): CountsDelta =>
  diffMap(from, to)

export function diffLists(from: ListsState | undefined, to: ListsState): ListsDelta {
  const [before, entries] = [from && mapOf(from.entries), mapOf(to.entries)]
  return listsDelta(entries, before && changedKeys(before, entries), hashOfEntries(entries), to.unread)
}

function diffMap<T>(from: Record<string, T> | undefined, to: Record<string, T>): MapDelta<T> {
  const [before, entries] = [from && mapOf(from), mapOf(to)]
  return mapDelta(entries, before && changedKeys(before, entries), hashOfEntries(entries))
}

const mapOf = <T>(state: Record<string, T>) => new Map(Object.entries(state))

/** Returns the keys that were added, removed or changed. */
export function changedKeys<T>(from: ReadonlyMap<string, T>, to: ReadonlyMap<string, T>): string[] {
  const changed = [...to.keys()].filter(key => !isSame(from.get(key), to.get(key)))
  return changed.concat([...from.keys()].filter(key => !to.has(key)))
}

export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  return typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b)
}

/** Returns the frame for a state whose `keys` may have changed; without `keys` a full frame. */
export function mapDelta<T>(
  state: ReadonlyMap<string, T>,
  keys: Iterable<string> | undefined,
  hash: StateHash,
): MapDelta<T> {
  if (!keys) return { full: record([...state]), hash }
  const { set, gone } = split(state, keys)
  return {
    ...(set.length > 0 && { set: record(set) }),
    ...(gone.length > 0 && { gone }),
    hash,
  }
}

/** Always a full frame: it is small. */
export function seenCounts(channel: ChannelId, messages: SeenMessage[]): SeenCounts {
  const fields = messages.map(({ id, count, names }) => [id, count, names])
  return { channel, messages, hash: hashOf(JSON.stringify([channel, fields])) }
}

export function listsDelta(
  entries: ReadonlyMap<ChannelId, ListEntry>,
  keys: Iterable<ChannelId> | undefined,
  hash: StateHash,
  unread: number,
): ListsDelta {
  if (!keys) return { full: true, set: [...entries.values()], unread, hash }
  const { set, gone } = split(entries, keys)
  return {
    ...(set.length > 0 && { set: set.map(([, entry]) => entry) }),
    ...(gone.length > 0 && { gone }),
    unread,
    hash,
  }
}

function split<T>(state: ReadonlyMap<string, T>, keys: Iterable<string>) {
  const set: [string, T][] = []
  const gone: string[] = []
  for (const key of keys) {
    const value = state.get(key)
    if (value === undefined) gone.push(key)
    else set.push([key, value])
  }
  return { set, gone }
}

/** Without a prototype, because `__proto__` is a valid username. */
function record<T>(entries: [string, T][]): Record<string, T> {
  const made: Record<string, T> = Object.create(null)
  for (const [key, value] of entries) made[key] = value
  return made
}

// Hashes.

export const hashOfMap = (state: Record<string, unknown>): StateHash => hashOfEntries(mapOf(state))

/** Ignores `unread`, which is derived from the entries. */
export const hashOfLists = ({ entries }: ListsState): StateHash => hashOfMap(entries)

export const hashOfSeen = ({ channel, receipts, messages }: SeenState): StateHash =>
  messages ? seenCounts(channel, messages).hash : hashOfEntries(mapOf(receipts), channel)

/** Returns the same hash for equal states on every gateway, in any order of entries. `channel`: for `seen` only. */
export function hashOfEntries(entries: ReadonlyMap<string, unknown>, channel?: ChannelId): StateHash {
  const sum = new StateSum(channel)
  for (const [key, value] of entries) sum.add(key, value)
  return sum.hash
}

/** The sum of the hashes of a state's entries, so that an update hashes only the changed ones. */
export class StateSum {
  #high = 0
  #low = 0

  constructor(channel?: ChannelId) {
    if (channel !== undefined) this.add('', channel)
  }

  add(key: string, value: unknown) {
    this.#shift(key, value, 1)
  }

  remove(key: string, value: unknown) {
    this.#shift(key, value, -1)
  }

  get hash(): StateHash {
    return hex(this.#high, this.#low)
  }

  #shift(key: string, value: unknown, sign: 1 | -1) {
    const [high, low] = fnv(JSON.stringify([key, fieldsOf(value)]))
    // Mixed, because sums of FNV hashes collide often for texts that differ in one digit.
    const mixedLow = mix(low ^ high)
    const sum = this.#low + sign * mixedLow
    this.#low = sum >>> 0
    this.#high = (this.#high + sign * mix(high + mixedLow) + Math.floor(sum / 0x1_0000_0000)) >>> 0
  }
}

/** Fields of a list entry in fixed order, without the channel, which is the key. */
function fieldsOf(value: unknown): unknown {
  if (typeof value !== 'object') return value
  const entry = value as ListEntry
  return 'users' in entry
    ? [entry.users, entry.unread, entry.at]
    : [entry.id, entry.name, entry.unread, entry.at]
}

function mix(half: number): number {
  let mixed = Math.imul(half ^ (half >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/**
 * 64-bit FNV-1a over the UTF-16 code units, low byte first: fast and portable, but not resistant to deliberate
 * collisions.
 */
export function hashOf(text: string): StateHash {
  return hex(...fnv(text))
}

function fnv(text: string): [high: number, low: number] {
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
  return [high >>> 0, low]
}

const hex = (high: number, low: number) =>
  high.toString(16).padStart(8, '0') + low.toString(16).padStart(8, '0')
