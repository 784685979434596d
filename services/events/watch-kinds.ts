import {
  type ChannelCollection,
  type Entries,
  emptyRecord,
  type GlobalCollection,
} from '#shared/collections/collection.ts'
import { dms } from '#shared/collections/dms.ts'
import {
  channelCollections,
  extraChannelCollections,
  extraCollections,
  globalCollections,
} from '#shared/collections/index.ts'
import { messages } from '#shared/collections/messages.ts'
import { onlineForGuests, readOnline } from '#shared/collections/online-users.ts'
import { privateChannels } from '#shared/collections/private-channels.ts'
import { readReceipts } from '#shared/collections/read-receipts.ts'
import {
  type DeltaName,
  type ListEntry,
  listsDelta,
  mapDelta,
  type SeenCounts,
  type StateHash,
} from '#shared/domain/deltas.ts'
import type { EventName } from '#shared/domain/payloads/events.ts'
import type { OnlineUsersPayload } from '#shared/domain/payloads/people.ts'
import type { ChannelId, Milliseconds, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Stream } from './stream.ts'
import type { TrackedState } from './tracked-state.ts'

/** An event in which a kind is sent: the interface's, or the delta that a tab asked for instead. */
export interface Form {
  event: EventName | DeltaName
  /** Index of this event in a stream's last frames. */
  index: number
  minInterval: Milliseconds
  /** Flushed without waiting for other collections. */
  isUrgent: boolean
  /** Combines texts from several sources: never compressed. */
  isMixed: boolean
  /** The hash that a payload carries; without it a tab knows the payload by the hash of its text. */
  hashIn?(payload: unknown): StateHash
  /** For tracked kinds: the interface's payload, or the delta of the changed keys; without `keys` the full frame. */
  payloadOf?(state: TrackedState): unknown
  deltaOf?(state: TrackedState, keys: Set<string> | undefined, key: string, hash: StateHash): unknown
}

/** A unit of reading: one query to the stores, in whichever forms it is sent. */
export interface Kind {
  name: EventName | 'seen'
  /** Collections whose notices invalidate it. */
  invalidatedBy: readonly EventName[]
  /**
   * `channel`: a watch per channel. `viewer`: a watch per viewer; watches due together share a query. `everybody`: a
   * single watch, since the payload is the same for all.
   */
  per: 'channel' | 'viewer' | 'everybody'
  /** Offset that keeps the periodic re-evaluations of two kinds apart. */
  phase: Milliseconds
  plain: readonly Form[]
  /** Sent in place of all of `plain` to streams that ask for it. */
  delta?: Form
  /** A delta of another kind; streams that asked for it do not get this kind. */
  replacedBy?: DeltaName
  /** Absent for `messages`, which has a cursor, and `seen`, which depends on the number of readers. */
  collection?: ChannelCollection | GlobalCollection
  isTracked?: true
  /** For tracked kinds: reads each viewer's state, or the part of it that belongs to some channels. */
  readEntries?(
    stores: Stores,
    viewers: Username[],
    key: string,
    only?: readonly ChannelId[],
  ): Promise<Map<Username, Entries<unknown>>>
  /** For a state that is the same for all but some viewers: the parts of it that those may see. */
  restrict?(
    stores: Stores,
    viewers: Username[],
    entries: Entries<unknown>,
  ): Promise<Map<Username, Entries<unknown>>>
  /** A notice that names a channel invalidates only that part of the state. */
  hasParts: boolean
}

/** Returns the forms in which a stream receives a kind. */
export function formsFor(kind: Kind, stream: Stream): readonly Form[] {
  if (stream.isLimited && kind.per !== 'channel' && !OF_NO_CHANNEL.has(kind.name)) return []
  if (kind.replacedBy && stream.deltas.has(kind.replacedBy)) return []
  return kind.delta && stream.deltas.has(kind.delta.event) ? [kind.delta] : kind.plain
}

/** Tell nothing of any channel. */
const OF_NO_CHANNEL: ReadonlySet<Kind['name']> = new Set(['online_users', 'people', 'workspace', 'me'])

const PHASE: Milliseconds = 220

/** Presence changes are gathered for this long. */
const PRESENCE_INTERVAL: Milliseconds = 2_000
const UNREAD_COUNTS_INTERVAL: Milliseconds = 500

/** Events that combine texts of different people for one viewer. */
const MIXED: readonly EventName[] = [
  'dms',
  'private_channels',
  'mentions',
  'incoming_calls',
  'inbox',
  'channel_info',
]

type KindDraft = Omit<Kind, 'phase'>

type NewForm = (event: Form['event'], minInterval: Milliseconds, more?: Partial<Form>) => Form

const GLOBAL_EVENTS = ['online_users', 'channel_unreads', 'mentions', 'incoming_calls'] as const

/** All kinds, those of the open channel first. */
export function allKinds(): Kind[] {
  const form = formFactory()
  const drafts: KindDraft[] = [
    messagesKind(form),
    ...channelCollections.map(collection => channelKind(form, collection)),
    seenKind(form),
    ...extraChannelCollections.map(collection => extraKind(form, collection)),
    ...GLOBAL_EVENTS.map(event => globalKind(form, event)),
    listsKind(form),
    ...extraCollections.map(collection => extraKind(form, collection)),
  ]
  return drafts.map((draft, i) => ({ ...draft, phase: i * PHASE }))
}

/** Returns a function that numbers the forms it makes. */
function formFactory(): NewForm {
  let forms = 0
  return (event, minInterval, more = {}) => ({
    event,
    index: forms++,
    minInterval,
    isUrgent: event === 'typing' || event === 'messages',
    isMixed: MIXED.includes(event as EventName),
    ...more,
  })
}

function messagesKind(form: NewForm): KindDraft {
  return {
    name: 'messages',
    invalidatedBy: ['messages'],
    per: 'channel',
    plain: [form('messages', messages.minInterval)],
    hasParts: false,
  }
}

function channelKind(form: NewForm, collection: ChannelCollection): KindDraft {
  const { event, minInterval } = collection
  const kind: KindDraft = {
    name: event,
    invalidatedBy: [event],
    per: 'channel',
    collection,
    plain: [form(event, minInterval)],
    hasParts: false,
  }
  return event === 'read_receipts' ? { ...kind, ...readReceiptsState(kind) } : kind
}

function readReceiptsState({ plain }: KindDraft): Partial<KindDraft> {
  return {
    plain: plain.map(form => ({ ...form, payloadOf: recordOf })),
    replacedBy: 'seen',
    async readEntries(stores, viewers, channel) {
      return entriesOf(await readReceipts.read(stores, viewers, channel))
    },
  }
}

function seenKind(form: NewForm): KindDraft {
  return {
    name: 'seen',
    invalidatedBy: ['read_receipts'],
    per: 'channel',
    plain: [],
    delta: form('seen', readReceipts.minInterval, {
      deltaOf: (state, keys, channel, hash) => ({ channel, ...mapDelta(state.entries, keys, hash) }),
      hashIn: payload => (payload as SeenCounts).hash,
    }),
    isTracked: true,
    hasParts: false,
  }
}

function globalKind(form: NewForm, event: (typeof GLOBAL_EVENTS)[number]): KindDraft {
  const collection = globalCollection(event)
  const kind: KindDraft = {
    name: event,
    invalidatedBy: [event],
    per: collection.sameForAll ? 'everybody' : 'viewer',
    collection,
    plain: [form(event, collection.minInterval)],
    hasParts: collection.readPart !== undefined,
  }
  if (event === 'online_users') return { ...kind, ...presenceState(form, kind) }
  if (event === 'channel_unreads') return { ...kind, ...countsState(form, kind) }
  return kind
}

/** Sent only to streams that ask for it. */
function extraKind(form: NewForm, collection: GlobalCollection | ChannelCollection): KindDraft {
  const { event, minInterval } = collection
  return {
    name: event,
    invalidatedBy: [event],
    per: collection.scope === 'channel' ? 'channel' : collection.sameForAll ? 'everybody' : 'viewer',
    collection,
    plain: [],
    delta: form(event, minInterval),
    hasParts: false,
  }
}

function presenceState(form: NewForm, { plain }: KindDraft): Partial<KindDraft> {
  return {
    plain: plain.map(one => ({ ...one, payloadOf: recordOf })),
    delta: form('presence', PRESENCE_INTERVAL, { deltaOf: mapDeltaOf }),
    async readEntries(stores, viewers) {
      const online = await readOnline(stores)
      return entriesOf(new Map(viewers.map(viewer => [viewer, online])))
    },
    restrict: async (stores, viewers, entries) =>
      entriesOf(await onlineForGuests(stores, viewers, Object.fromEntries(entries) as OnlineUsersPayload)),
  }
}

function countsState(form: NewForm, { plain, collection }: KindDraft): Partial<KindDraft> {
  const { readPart } = collection as GlobalCollection
  return {
    plain: plain.map(one => ({ ...one, payloadOf: recordOf })),
    delta: form('counts', UNREAD_COUNTS_INTERVAL, { deltaOf: mapDeltaOf }),
    readEntries: (stores, viewers, _key, only) => readPart!(stores, viewers, only),
  }
}

/** `dms`, `unread_count` and `private_channels` form one state, keyed by channel. */
function listsKind(form: NewForm): KindDraft {
  const part = (event: 'dms' | 'private_channels' | 'unread_count', prefix: string) => {
    const collection = globalCollection(event)
    return form(event, collection.minInterval, {
      payloadOf: ({ entries }) => collection.payloadOf!(partOf(entries, prefix)),
    })
  }
  return {
    name: 'dms',
    invalidatedBy: ['dms', 'private_channels', 'unread_count'],
    per: 'viewer',
    plain: [part('dms', DM), part('private_channels', PRIVATE), part('unread_count', DM)],
    delta: form('lists', dms.minInterval, { deltaOf: listsDeltaOf, isMixed: true }),
    hasParts: true,
    readEntries: readLists,
  }
}

const globalCollection = (event: EventName): GlobalCollection =>
  globalCollections.find(collection => collection.event === event)!

const DM = 'dm:'
const PRIVATE = 'private:'

async function readLists(stores: Stores, viewers: Username[], _key: string, only?: readonly ChannelId[]) {
  const [ofDms, ofPrivate] = [DM, PRIVATE].map(prefix => only?.filter(channel => channel.startsWith(prefix)))
  const nothing = new Map<Username, Map<ChannelId, never>>()
  const [direct, rooms] = await Promise.all([
    ofDms?.length === 0 ? nothing : dms.readPart(stores, viewers, ofDms),
    ofPrivate?.length === 0 ? nothing : privateChannels.readPart(stores, viewers, ofPrivate),
  ])
  return new Map(
    viewers.map(viewer => [
      viewer,
      new Map<ChannelId, unknown>([...(direct.get(viewer) ?? []), ...(rooms.get(viewer) ?? [])]),
    ]),
  )
}

const partOf = (entries: Entries<unknown>, prefix: string): Entries<unknown> =>
  new Map([...entries].filter(([channel]) => channel.startsWith(prefix)))

function listsDeltaOf(state: TrackedState, keys: Set<string> | undefined, _key: string, hash: StateHash) {
  const entries = state.entries as ReadonlyMap<ChannelId, ListEntry>
  let unread = 0
  for (const entry of entries.values()) if ('users' in entry) unread += entry.unread
  return listsDelta(entries, keys, hash, unread)
}

const mapDeltaOf = (state: TrackedState, keys: Set<string> | undefined, _key: string, hash: StateHash) =>
  mapDelta(state.entries, keys, hash)

/** Without a prototype, because `__proto__` is a valid username. */
function recordOf({ entries }: TrackedState): Record<string, unknown> {
  const made = emptyRecord<unknown>()
  for (const [key, value] of entries) made[key] = value
  return made
}

/** Viewers with the same payload have the same entries. */
function entriesOf(payloads: Map<Username, Record<string, unknown>>): Map<Username, Entries<unknown>> {
  const made = new Map<unknown, Entries<unknown>>()
  return new Map(
    [...payloads].map(([viewer, payload]) => {
      if (!made.has(payload)) made.set(payload, new Map(Object.entries(payload)))
      return [viewer, made.get(payload)!]
    }),
  )
}
