import { LRUCache } from 'lru-cache'
import { followersOfReply } from '#shared/collections/followers.ts'
import { channelCollections, extraChannelCollections } from '#shared/collections/index.ts'
import { messages } from '#shared/collections/messages.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { EventName } from '#shared/domain/payloads/events.ts'
import type { ChannelId, Milliseconds, Username } from '#shared/domain/units.ts'
import type { Concern, Notice } from '#shared/notices/notice.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Size of the LRU cache of private channels' members. */
const MOST_CHANNELS = 2_000
/** Bounds the effect of a lost membership notice; equals the interval of the periodic re-evaluation. */
const KEPT: Milliseconds = 30_000

const OF_A_CHANNEL: ReadonlySet<EventName> = new Set(
  [messages, ...channelCollections, ...extraChannelCollections].map(collection => collection.event),
)

/** The viewers of a gateway, numbered in order of arrival. */
export interface Viewers {
  /** The number of the newest viewer. */
  readonly lastArrival: number
  /** Returns the viewers with a higher number. */
  viewersSince(arrival: number): Username[]
}

/** Collections to evaluate again, for `users`; for everybody when absent. */
export interface Invalidation {
  collections: readonly EventName[]
  channel?: ChannelId | undefined
  users?: readonly Username[] | undefined
}

interface Known {
  members: Set<Username>
  /** Viewers up to this number were looked up. */
  askedUpTo: number
  since: Milliseconds
  asking: Promise<void> | undefined
}

/**
 * Finds the viewers that a notice concerns, since notices name a channel and not its members. Which viewers are members
 * of a private channel is queried and cached until a membership notice for it; later viewers are looked up with the
 * next notice. A notice may overtake the one about a new member: that one invalidates everything of the channel.
 */
export class Memberships {
  readonly #stores: Pick<Stores, 'db'>
  readonly #viewers: Viewers
  readonly #known = new LRUCache<ChannelId, Known>({ max: MOST_CHANNELS })

  constructor(stores: Pick<Stores, 'db'>, viewers: Viewers) {
    this.#stores = stores
    this.#viewers = viewers
  }

  /** Called after lost notices. */
  forgetAll() {
    this.#known.clear()
  }

  /** Calls `invalidate` for the named collections, at once or as soon as the people are known. */
  resolve({ concerns }: Notice, invalidate: (invalidation: Invalidation) => void) {
    for (const { membership, channel } of concerns) if (membership) this.#forget(channel)
    for (const concern of concerns) this.#resolve(concern, invalidate)
  }

  #resolve(concern: Concern, invalidate: (invalidation: Invalidation) => void) {
    const { collections, channel } = concern
    const concerned = this.#concernedBy(concern)
    if (!(concerned instanceof Promise)) {
      invalidate({ collections, channel, users: concerned && [...concerned] })
      return
    }
    // Channel collections look up their readers themselves.
    const ofChannel = collections.filter(event => OF_A_CHANNEL.has(event))
    if (ofChannel.length > 0) invalidate({ collections: ofChannel, channel })
    const others = collections.filter(event => !OF_A_CHANNEL.has(event))
    concerned.then(
      people => invalidate({ collections: others, channel, users: [...people] }),
      err => {
        log.debug({ err, channel }, 'people not read: all viewers are looked after')
        invalidate({ collections: others, channel })
      },
    )
  }

  /** Returns undefined for everybody. */
  #concernedBy({
    channel,
    users,
    everybody,
    followersOf,
  }: Concern): Iterable<Username> | Promise<Iterable<Username>> | undefined {
    if (users !== undefined) return users
    if (everybody) return undefined
    if (followersOf !== undefined) return followersOfReply(this.#stores.db, followersOf)
    return this.#readersOf(channel)
  }

  #forget(channel: ChannelId | undefined) {
    if (channel === undefined) this.#known.clear()
    else this.#known.delete(channel)
  }

  /** Returns undefined for everybody. */
  #readersOf(channel: ChannelId | undefined): Iterable<Username> | Promise<Iterable<Username>> | undefined {
    const parsed = channel === undefined ? undefined : parseChannelId(channel)
    if (parsed?.kind === 'dm') return parsed.participants
    if (parsed?.kind === 'private') return this.#membersOf(parsed.id, parsed.privateId)
    return undefined
  }

  #membersOf(channel: ChannelId, privateId: number): Set<Username> | Promise<Set<Username>> {
    let known = this.#known.get(channel)
    if (!known || known.since + KEPT < performance.now()) {
      known = { members: new Set(), askedUpTo: 0, since: performance.now(), asking: undefined }
      this.#known.set(channel, known)
    }
    const upTo = this.#viewers.lastArrival
    return known.askedUpTo >= upTo ? known.members : this.#askUpTo(known, privateId, upTo)
  }

  async #askUpTo(known: Known, privateId: number, upTo: number): Promise<Set<Username>> {
    while (known.askedUpTo < upTo) {
      known.asking ??= this.#ask(known, privateId)
      await known.asking
    }
    return known.members
  }

  async #ask(known: Known, privateId: number) {
    const upTo = this.#viewers.lastArrival
    try {
      const { rows } = await this.#stores.db.query<{ username: Username }>(
        'select username from private_channel_members where channel_id = $1 and username = any($2)',
        [privateId, this.#viewers.viewersSince(known.askedUpTo)],
      )
      for (const { username } of rows) known.members.add(username)
      known.askedUpTo = upTo
    } finally {
      known.asking = undefined
    }
  }
}
