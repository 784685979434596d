import type { DmPayload, EventName, EventPayloads, PrivateChannelPayload } from '#shared/rules/payloads.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * A read model: one of the eleven collections of interface 6, as a function from viewers to payloads. It knows nothing
 * of HTTP or SSE and writes nothing. `JSON.stringify` of a payload is the endpoint's body and the frame's data.
 * Payloads that are equal for several viewers are the same object, so that they are serialised once.
 */
export interface GlobalCollection<Event extends EventName = EventName> {
  event: Event
  scope: 'global'
  minInterval: Milliseconds
  /** The answer does not depend on the viewer: a gateway asks once for everybody. */
  sameForAll?: true
  read(stores: Stores, viewers: Username[]): Promise<Map<Username, EventPayloads[Event]>>
  /** When the answer changes though nobody writes; undefined: only a notice can change it. */
  changesAt?(stores: Stores, viewers: Username[]): Promise<Seconds | undefined>
  /**
   * The answer as one entry per channel, for collections that have such a form; only of `channels` when given. Every
   * viewer is a key. A channel without an entry is one that the viewer does not see (any more). Two collections with
   * the same function share one question.
   */
  readPart?(
    stores: Stores,
    viewers: Username[],
    channels?: readonly ChannelId[],
  ): Promise<Map<Username, Entries<unknown>>>
  /** The payload made of all entries of one viewer, whatever their order. Pure. */
  payloadOf?(entries: Entries<unknown>): EventPayloads[Event]
}

export type Entries<Entry> = ReadonlyMap<ChannelId, Entry>

/** An entry with its sort key, which the interface's payload does not show. */
export type Placed<Entry> = Entry & { at: number }

/** The entries of `readPart`, by event. */
export interface ChannelEntries {
  channel_unreads: number
  /** `at` is the time of the newest message: descending, ties by channel. */
  dms: Placed<DmPayload>
  unread_count: Placed<DmPayload>
  /** `at` is the place in the order of joining, ascending. */
  private_channels: Placed<PrivateChannelPayload>
}

/** A collection that is read as entries, of all channels or of some. */
export interface PartialCollection<Event extends keyof ChannelEntries> extends GlobalCollection<Event> {
  readPart(
    stores: Stores,
    viewers: Username[],
    channels?: readonly ChannelId[],
  ): Promise<Map<Username, Map<ChannelId, ChannelEntries[Event]>>>
  payloadOf(entries: Entries<ChannelEntries[Event]>): EventPayloads[Event]
}

/** The whole read: all entries of each viewer, made into the payload. */
export async function readWhole<Event extends keyof ChannelEntries>(
  collection: PartialCollection<Event>,
  stores: Stores,
  viewers: Username[],
): Promise<Map<Username, EventPayloads[Event]>> {
  const parts = await collection.readPart(stores, viewers)
  return new Map([...parts].map(([viewer, entries]) => [viewer, collection.payloadOf(entries)]))
}

/** The same within one channel (a canonical id); viewers who may not read it are missing in the answer. */
export interface ChannelCollection<Event extends EventName = EventName> {
  event: Event
  scope: 'channel'
  minInterval: Milliseconds
  read(stores: Stores, viewers: Username[], channel: ChannelId): Promise<Map<Username, EventPayloads[Event]>>
  changesAt?(stores: Stores, channel: ChannelId): Promise<Seconds | undefined>
}

/** An endpoint is the batch of one. undefined: the viewer may not read the channel. */
export async function payloadFor<Event extends EventName>(
  collection: ChannelCollection<Event>,
  stores: Stores,
  viewer: Username,
  channel: ChannelId,
): Promise<EventPayloads[Event] | undefined>
export async function payloadFor<Event extends EventName>(
  collection: GlobalCollection<Event>,
  stores: Stores,
  viewer: Username,
): Promise<EventPayloads[Event]>
export async function payloadFor<Event extends EventName>(
  collection: ChannelCollection<Event> | GlobalCollection<Event>,
  stores: Stores,
  viewer: Username,
  channel?: ChannelId,
): Promise<EventPayloads[Event] | undefined> {
  const payloads =
    collection.scope === 'channel'
      ? await collection.read(stores, [viewer], channel!)
      : await collection.read(stores, [viewer])
  return payloads.get(viewer)
}

/** A map keyed by names: without a prototype, because `__proto__` is a valid username. */
export function emptyRecord<T>(): Record<string, T> {
  return Object.create(null)
}
