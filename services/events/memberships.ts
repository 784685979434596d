import { LRUCache } from 'lru-cache'
import { channelCollections } from '#shared/collections/index.ts'
import { messages } from '#shared/collections/messages.ts'
import { log } from '#shared/kernel/log.ts'
import type { Notice } from '#shared/notices/notice.ts'
import { parseChannelId } from '#shared/rules/channel-id.ts'
import type { EventName } from '#shared/rules/payloads.ts'
import type { ChannelId, Milliseconds, Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Private channels whose members are remembered; the least recently written to is forgotten first. */
const MOST_CHANNELS = 2_000
/** A membership notice may be lost. As long as the look that comes by itself takes. */
const KEPT: Milliseconds = 30_000

const OF_A_CHANNEL: ReadonlySet<EventName> = new Set(
  [messages, ...channelCollections].map(collection => collection.event),
)

/** The viewers of a gateway, numbered in the order in which they came. */
export interface Viewers {
  /** The number of the last one that came. */
  readonly lastArrival: number
  /** Those that came after this number. */
  viewersSince(arrival: number): Username[]
}

/** What a notice asks for, with the people it concerns; everybody when `users` is absent. */
export interface Mark {
  collections: readonly EventName[]
  channel?: ChannelId
  users?: readonly Username[]
}

interface Known {
  members: Set<Username>
  /** Viewers up to this number were asked for. */
  askedUpTo: number
  since: Milliseconds
  asking: Promise<void> | undefined
}

/**
 * Whom of a gateway's viewers a notice concerns: notices name a channel, not its members. The members of a private channel
 * are asked for among the viewers and remembered until a membership notice for it; viewers that come later are asked for
 * with the next notice. A notice that overtakes the one which tells of a new member needs no care: the later one
 * marks everything of the channel.
 */
export class Memberships {
  readonly #stores: Pick<Stores, 'db'>
  readonly #viewers: Viewers
  readonly #known = new LRUCache<ChannelId, Known>({ max: MOST_CHANNELS })

  constructor(stores: Pick<Stores, 'db'>, viewers: Viewers) {
    this.#stores = stores
    this.#viewers = viewers
  }

  /** Notices may have been missed. */
  forgetAll() {
    this.#known.clear()
  }

  /** Calls `mark` for what the notice names, at once or as soon as the members are known. */
  resolve(notice: Notice, mark: (mark: Mark) => void) {
    const { channel, mentioned, also = [] } = notice
    if (notice.membership) this.#forget(channel)
    const collections = new Set(notice.collections)
    if (mentioned && collections.delete('mentions'))
      mark({ collections: ['mentions'], channel, users: mentioned })

    const readers = notice.users ?? (notice.everybody ? undefined : this.#readersOf(channel))
    if (!(readers instanceof Promise)) {
      mark({ collections: [...collections], channel, users: readers && [...readers, ...also] })
      return
    }
    // The channel's own collections ask for their readers themselves.
    mark({ collections: [...collections].filter(event => OF_A_CHANNEL.has(event)), channel })
    const others = [...collections].filter(event => !OF_A_CHANNEL.has(event))
    readers.then(
      members => mark({ collections: others, channel, users: [...members, ...also] }),
      err => {
        log.debug({ err, channel }, 'members not read: all viewers are looked after')
        mark({ collections: others, channel })
      },
    )
  }

  #forget(channel: ChannelId | undefined) {
    if (channel === undefined) this.#known.clear()
    else this.#known.delete(channel)
  }

  /** undefined: everybody. */
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
