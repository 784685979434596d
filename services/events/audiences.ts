import type { ChannelId, Milliseconds, Username } from '#shared/domain/units.ts'
import type { Invalidation } from './memberships.ts'
import type { Stream } from './stream.ts'
import { newWatch, type Watch } from './watch.ts'
import type { Kind } from './watch-kinds.ts'

/** A viewer or channel without streams is remembered this long, for a tab that reconnects. */
const REMEMBERED: Milliseconds = 60_000
const MOST_REMEMBERED = 2_000

/** The streams of one viewer, of one channel or of all, and the watches they share. */
export interface Audience {
  streams: Set<Stream>
  watches: Watch[]
  /** When its last stream left. */
  leftAt: Milliseconds
}

/** The audiences of a gateway, and its viewers in order of arrival. */
export class Audiences {
  readonly #kinds: readonly Kind[]
  readonly #channels = new Map<ChannelId, Audience>()
  readonly #viewers = new Map<Username, Audience>()
  readonly #everybody: Audience
  /** Viewers, numbered in order of arrival. */
  readonly #arrivals = new Map<Username, number>()
  #lastArrival = 0
  /** Audiences without streams, oldest first. */
  readonly #left = new Set<Audience>()

  constructor(kinds: readonly Kind[]) {
    this.#kinds = kinds
    this.#everybody = this.#audience('everybody', '')
  }

  get lastArrival(): number {
    return this.#lastArrival
  }

  viewersSince(arrival: number): Username[] {
    return [...this.#arrivals].filter(([, number]) => number > arrival).map(([viewer]) => viewer)
  }

  streamsOf(viewer: Username): number {
    return this.#viewers.get(viewer)?.streams.size ?? 0
  }

  ofViewers(): Iterable<Audience> {
    return this.#viewers.values()
  }

  ofChannelsAndEverybody(): Audience[] {
    return [...this.#channels.values(), this.#everybody]
  }

  /** The audiences that a stream joins. */
  add(stream: Stream): Audience[] {
    if (!this.#viewers.has(stream.viewer)) {
      this.#viewers.set(stream.viewer, this.#audience('viewer', stream.viewer))
      this.#arrivals.set(stream.viewer, ++this.#lastArrival)
    }
    if (stream.channel !== undefined && !this.#channels.has(stream.channel)) {
      this.#channels.set(stream.channel, this.#audience('channel', stream.channel))
    }
    const joined = this.of(stream)
    for (const audience of joined) {
      audience.streams.add(stream)
      this.#left.delete(audience)
    }
    return joined
  }

  /** The audiences that the stream was in. */
  remove(stream: Stream): Audience[] {
    const left = this.of(stream).filter(({ streams }) => streams.delete(stream))
    for (const audience of left) {
      if (audience.streams.size > 0 || audience === this.#everybody) continue
      audience.leftAt = performance.now()
      this.#left.add(audience)
    }
    this.#forget()
    return left
  }

  /** Audiences of a stream, its open channel first. */
  of({ viewer, channel }: Stream): Audience[] {
    return [
      channel === undefined ? undefined : this.#channels.get(channel),
      this.#viewers.get(viewer),
      this.#everybody,
    ].filter(audience => audience !== undefined)
  }

  concernedBy(kind: Kind, { channel, users }: Invalidation): Iterable<Audience> {
    if (kind.per === 'everybody') return [this.#everybody]
    const [all, keys] =
      kind.per === 'channel'
        ? [this.#channels, channel === undefined ? undefined : [channel]]
        : [this.#viewers, users]
    if (keys === undefined) return all.values()
    return keys.map(key => all.get(key)).filter(audience => audience !== undefined)
  }

  #audience(per: Kind['per'], key: string): Audience {
    const watches = this.#kinds.filter(kind => kind.per === per).map(kind => newWatch(kind, key))
    return { streams: new Set(), watches, leftAt: Infinity }
  }

  #forget() {
    for (const audience of this.#left) {
      if (this.#left.size <= MOST_REMEMBERED && performance.now() - audience.leftAt < REMEMBERED) return
      this.#left.delete(audience)
      const { kind, key } = audience.watches[0]!
      if (kind.per === 'channel') this.#channels.delete(key)
      else {
        this.#viewers.delete(key)
        this.#arrivals.delete(key)
      }
    }
  }
}
