import type { DmPayload, PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { EventName, EventPayloads } from '#shared/domain/payloads/events.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * A read model: one of the eleven collections of interface 6, as a function from viewers to payloads. It is independent
 * of HTTP and SSE and writes nothing. `JSON.stringify` of a payload is the endpoint's body and the frame's data.
 * Payloads that are equal for several viewers are the same object, so that they are serialised once.
 */
export interface GlobalCollection<Event extends EventName = EventName> {
  event: Event
  scope: 'global'
  minInterval: Milliseconds
  /** The payload does not depend on the viewer, except for guests: a gateway reads it once for everybody. */
  sameForAll?: true
  read(stores: Stores, viewers: Username[]): Promise<Map<Username, EventPayloads[Event]>>
  /**
   * Returns when each payload changes without a write, at `asOf` or later; a viewer without an entry: only a write changes
   * it. `asOf` is before the read: what ends while that is under way is in neither otherwise.
   */
  changesAt?(stores: Stores, viewers: Username[], asOf: Seconds): Promise<Map<Username, Seconds>>
  /**
   * Returns the payload as an entry per channel, for collections of that form; only of `channels` when given. Every
   * viewer is a key. The viewer does not see channels without an entry. Collections with the same function share a
   * query.
   */
  readPart?(
    stores: Stores,
    viewers: Username[],
    channels?: readonly ChannelId[],
  ): Promise<Map<Username, Entries<unknown>>>
  /** Builds the payload from all entries of a viewer, in any order. Pure. */
  payloadOf?(entries: Entries<unknown>): EventPayloads[Event]
}

export type Entries<Entry> = ReadonlyMap<ChannelId, Entry>

/** An entry with its sort key, which the interface's payload does not show. */
export type Placed<Entry> = Entry & { at: number }

/** Entry types of `readPart`, by event. */
export interface ChannelEntries {
  channel_unreads: number
  /** `at` is the time of the newest message: descending, ties by channel. */
  dms: Placed<DmPayload>
  unread_count: Placed<DmPayload>
  /** `at` is the place in the order of joining, ascending. */
  private_channels: Placed<PrivateChannelPayload>
}

/** A collection that can be read as entries, of all channels or of some. */
export interface PartialCollection<Event extends keyof ChannelEntries> extends GlobalCollection<Event> {
  readPart(
    stores: Stores,
    viewers: Username[],
    channels?: readonly ChannelId[],
  ): Promise<Map<Username, Map<ChannelId, ChannelEntries[Event]>>>
  payloadOf(entries: Entries<ChannelEntries[Event]>): EventPayloads[Event]
}

/** Implements `read` with `readPart`: reads all entries of each viewer. */
export async function readWhole<Event extends keyof ChannelEntries>(
  collection: PartialCollection<Event>,
  stores: Stores,
  viewers: Username[],
): Promise<Map<Username, EventPayloads[Event]>> {
  const parts = await collection.readPart(stores, viewers)
  return new Map([...parts].map(([viewer, entries]) => [viewer, collection.payloadOf(entries)]))
}

/** A read model of one channel (a canonical id). The result omits viewers who may not read it. */
export interface ChannelCollection<Event extends EventName = EventName> {
  event: Event
  scope: 'channel'
  minInterval: Milliseconds
  read(stores: Stores, viewers: Username[], channel: ChannelId): Promise<Map<Username, EventPayloads[Event]>>
  /** As for global ones; undefined: only a write changes it. */
  changesAt?(stores: Stores, channel: ChannelId, asOf: Seconds): Promise<Seconds | undefined>
}

/** Reads a collection for an endpoint, a batch of one viewer. undefined: the viewer may not read the channel. */
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

/** A record keyed by names, without a prototype, because `__proto__` is a valid username. */
export function emptyRecord<T>(): Record<string, T> {
  return Object.create(null)
}
