import pLimit from 'p-limit'
import type { ChannelCollection, GlobalCollection } from '#shared/collections/collection.ts'
import { channelCollections, globalCollections } from '#shared/collections/index.ts'
import { messages } from '#shared/collections/messages.ts'
import { log } from '#shared/kernel/log.ts'
import type { EventName } from '#shared/rules/payloads.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { Agenda, type Entry, notOnAgenda } from './agenda.ts'
import { followChannel, type Level } from './follow-channel.ts'
import { frame, type Packet, packet } from './frames.ts'
import type { Mark } from './memberships.ts'
import { againAt, backOff, dueAt, type Look } from './schedule.ts'
import type { Stream } from './stream.ts'

/** How many questions to the stores run at once: fewer than the pool has connections, the rest is for those who come in. */
const READS_AT_ONCE = 8

/** Between the moments at which two kinds are looked at by themselves. */
const PHASE: Milliseconds = 220

/** One collection as the gateway looks at it. */
interface Kind {
  collection: typeof messages | ChannelCollection | GlobalCollection
  event: EventName
  minInterval: Milliseconds
  /** Where in a stream's last frames this event has its place. */
  place: number
  /**
   * `channel`: one watch a channel. `viewer`: one watch a viewer, and those that are due together are one question.
   * `everybody`: one watch, since the answer is the same for all.
   */
  per: 'channel' | 'viewer' | 'everybody'
  /** Of a kind per viewer: those that wait until its question at hand is answered. */
  waiting: Watch[]
  isAsking: boolean
  failures: number
  /** Most viewers get the same empty lists: one text for all of them. */
  lastText: string
}

/** The streams that look at the same thing, and the watches they share. */
interface Audience {
  streams: Set<Stream>
  watches: Watch[]
}

/** One (collection, key): its streams, and when they are looked after next. */
interface Watch extends Look, Entry {
  kind: Kind
  /** The channel, or the viewer. */
  key: string
  streams: Set<Stream>
  /** Those that have not seen anything of it yet: they do not wait for the minimum interval. */
  joining: Set<Stream>
  isBusy: boolean
  failures: number
  /** The last frame's text, which its streams hold too. */
  lastText: string
  /** Of `messages`: how far the channel was read. */
  level: Level
}

/** Part of a watch whose streams get to see the answer now. */
interface Turn {
  watch: Watch
  streams: Stream[]
  /** All of its streams, not only those that join. */
  whole: boolean
}

/**
 * Which streams look at what, and what of it may have changed. The unit of work is the watch, not the stream: it is
 * evaluated once for all its streams (architecture 2.4).
 */
export class Watches {
  readonly #stores: Stores
  readonly #kinds: Kind[]
  readonly #channels = new Map<ChannelId, Audience>()
  readonly #viewers = new Map<Username, Audience>()
  readonly #everybody: Audience
  /** Numbers of the viewers, in the order in which they came. */
  readonly #arrivals = new Map<Username, number>()
  #lastArrival = 0
  readonly #agenda = new Agenda<Watch>(now, due => this.#evaluateDue(due))
  readonly #limit = pLimit(READS_AT_ONCE)

  constructor(stores: Stores) {
    this.#stores = stores
    this.#kinds = [messages, ...channelCollections, ...globalCollections].map(kindOf)
    this.#everybody = this.#audience('everybody', '')
  }

  /** The stream sees everything it may see at once, and every change from then on, until the undo is called. */
  add(stream: Stream): () => void {
    // Registered before the first evaluation: a notice that arrives in between marks the watch dirty instead of
    // passing unseen.
    for (const audience of this.#audiencesFor(stream)) audience.streams.add(stream)
    stream.onDrained = () => this.#join(stream)
    this.#join(stream)
    return () => this.#remove(stream)
  }

  /** How many streams the viewer has in this process. */
  streamsOf(viewer: Username): number {
    return this.#viewers.get(viewer)?.streams.size ?? 0
  }

  get lastArrival(): number {
    return this.#lastArrival
  }

  viewersSince(arrival: number): Username[] {
    return [...this.#arrivals].filter(([, number]) => number > arrival).map(([viewer]) => viewer)
  }

  /** What the notice names is looked at again: at once, or when its minimum interval has passed. */
  mark(notice: Mark) {
    for (const event of notice.collections) {
      const kind = this.#kinds.find(known => known.event === event)
      if (!kind) continue
      for (const audience of this.#concerned(kind, notice)) {
        for (const watch of audience.watches) if (watch.kind === kind) this.#markWatch(watch)
      }
    }
  }

  /** Nobody knows what has changed. */
  markAll() {
    for (const audience of this.#audiences()) {
      for (const watch of audience.watches) this.#markWatch(watch)
    }
  }

  stop() {
    this.#agenda.stop()
    this.#limit.clearQueue()
  }

  #join(stream: Stream) {
    for (const { watches } of this.#audiencesOf(stream)) {
      for (const watch of watches) {
        watch.joining.add(stream)
        this.#schedule(watch)
      }
    }
  }

  #remove(stream: Stream) {
    stream.onDrained = undefined
    for (const audience of this.#audiencesOf(stream)) {
      audience.streams.delete(stream)
      for (const watch of audience.watches) watch.joining.delete(stream)
      if (audience.streams.size === 0 && audience !== this.#everybody) this.#dissolve(audience)
    }
  }

  #dissolve(audience: Audience) {
    for (const watch of audience.watches) {
      this.#agenda.remove(watch)
      if (watch.kind.per === 'channel') this.#channels.delete(watch.key)
      else {
        this.#viewers.delete(watch.key)
        this.#arrivals.delete(watch.key)
      }
    }
  }

  #audiencesFor(stream: Stream): Audience[] {
    if (!this.#viewers.has(stream.viewer)) {
      this.#viewers.set(stream.viewer, this.#audience('viewer', stream.viewer))
      this.#arrivals.set(stream.viewer, ++this.#lastArrival)
    }
    if (stream.channel !== undefined && !this.#channels.has(stream.channel)) {
      this.#channels.set(stream.channel, this.#audience('channel', stream.channel))
    }
    return this.#audiencesOf(stream)
  }

  /** Its channel first: that is what people look at. */
  #audiencesOf({ viewer, channel }: Stream): Audience[] {
    return [
      channel === undefined ? undefined : this.#channels.get(channel),
      this.#viewers.get(viewer),
      this.#everybody,
    ].filter(audience => audience !== undefined)
  }

  #audience(per: Kind['per'], key: string): Audience {
    const streams = new Set<Stream>()
    const watches = this.#kinds.filter(kind => kind.per === per).map(kind => newWatch(kind, key, streams))
    return { streams, watches }
  }

  #concerned(kind: Kind, { channel, users }: Mark): Iterable<Audience> {
    if (kind.per === 'everybody') return [this.#everybody]
    const [all, keys] =
      kind.per === 'channel'
        ? [this.#channels, channel === undefined ? undefined : [channel]]
        : [this.#viewers, users]
    if (keys === undefined) return all.values()
    return keys.map(key => all.get(key)).filter(audience => audience !== undefined)
  }

  #audiences(): Audience[] {
    return [...this.#channels.values(), ...this.#viewers.values(), this.#everybody]
  }

  #markWatch(watch: Watch) {
    if (watch.dirty) return
    watch.dirty = true
    this.#schedule(watch)
  }

  #schedule(watch: Watch) {
    if (watch.isBusy || watch.streams.size === 0) return
    const { minInterval } = watch.kind
    const due = watch.joining.size > 0 ? (watch.retryAt ?? -Infinity) : dueAt(watch, minInterval)
    this.#agenda.set(watch, Math.max(due, 0))
  }

  #evaluateDue(due: Watch[]) {
    const asked = new Set<Kind>()
    for (const watch of due) {
      watch.isBusy = true
      if (watch.kind.per === 'viewer') {
        watch.kind.waiting.push(watch)
        asked.add(watch.kind)
      } else {
        void this.#evaluate(watch.kind, [watch])
      }
    }
    for (const kind of asked) void this.#askFor(kind)
  }

  /** One question of a kind at a time: what becomes due meanwhile is asked together, however many there are. */
  async #askFor(kind: Kind) {
    if (kind.isAsking) return
    kind.isAsking = true
    while (kind.waiting.length > 0) await this.#evaluate(kind, kind.waiting.splice(0))
    kind.isAsking = false
  }

  /** Never throws: a collection that fails is skipped and tried again, and ends no stream. */
  async #evaluate(kind: Kind, watches: Watch[]) {
    let turns: Turn[] = []
    try {
      await this.#limit(async () => {
        turns = watches.map(watch => takeTurn(watch))
        if (kind.event === 'messages') await this.#showMessages(turns[0]!)
        else await this.#showPayloads(kind, turns)
      })
      this.#noteSuccess(kind, watches)
    } catch (err) {
      this.#noteFailure(kind, turns, err)
    }
    for (const watch of watches) {
      watch.isBusy = false
      this.#schedule(watch)
    }
  }

  async #showMessages({ watch, streams, whole }: Turn) {
    const isLevel = await followChannel(this.#stores, watch.key, watch.level, streams, whole)
    // The others get their next frame when the minimum interval has passed.
    if (!isLevel) watch.dirty = true
  }

  async #showPayloads(kind: Kind, turns: Turn[]) {
    const collection = kind.collection as ChannelCollection | GlobalCollection
    const viewers = viewersOf(turns)
    if (viewers.length === 0) return
    const key = turns[0]!.watch.key
    const payloads =
      collection.scope === 'channel'
        ? await collection.read(this.#stores, viewers, key)
        : await collection.read(this.#stores, viewers)

    const packets = new Packets(kind.event, kind.per === 'viewer' ? kind : turns[0]!.watch)
    for (const { streams } of turns) {
      for (const stream of streams) {
        const payload = payloads.get(stream.viewer)
        // No answer: the viewer may not read the channel (any more).
        if (payload !== undefined) stream.show(kind.place, packets.of(payload))
      }
    }
    if (collection.changesAt === undefined || !turns.some(turn => turn.whole)) return
    const changesAt =
      collection.scope === 'channel'
        ? await collection.changesAt(this.#stores, key)
        : await collection.changesAt(this.#stores, viewers)
    for (const { watch, whole } of turns) if (whole) watch.changesAt = this.#monotonic(changesAt)
  }

  #monotonic(time: Seconds | undefined): Milliseconds | undefined {
    return time === undefined ? undefined : now() + (time - this.#stores.clock.now()) * 1000
  }

  #noteSuccess(kind: Kind, watches: Watch[]) {
    for (const watch of watches) {
      watch.failures = 0
      watch.retryAt = undefined
    }
    if (kind.failures > 0)
      log.info({ event: kind.event, failures: kind.failures }, 'collection answers again')
    kind.failures = 0
  }

  #noteFailure(kind: Kind, turns: Turn[], err: unknown) {
    for (const { watch, streams, whole } of turns) {
      watch.failures++
      watch.retryAt = now() + backOff(watch.failures)
      if (whole) watch.dirty = true
      else for (const stream of streams) if (stream.isOpen) watch.joining.add(stream)
    }
    kind.failures++
    const facts = { event: kind.event, watches: turns.length, err }
    // Once, not with every attempt.
    if (kind.failures === 1) log.warn(facts, 'collection failed')
    else log.debug(facts, 'collection failed again')
  }
}

/** Serialised once for all streams that get the same answer: the same object, or one with the same text. */
class Packets {
  readonly #event: EventName
  readonly #shared: { lastText: string }
  readonly #byPayload = new Map<unknown, Packet>()
  readonly #byText = new Map<string, Packet>()

  constructor(event: EventName, shared: { lastText: string }) {
    this.#event = event
    this.#shared = shared
  }

  of(payload: unknown): Packet {
    let made = this.#byPayload.get(payload)
    if (!made) {
      made = this.#withText(frame(this.#event, payload))
      this.#byPayload.set(payload, made)
    }
    return made
  }

  #withText(text: string): Packet {
    let made = this.#byText.get(text)
    if (!made) {
      // The text that streams already hold, not another like it.
      if (text !== this.#shared.lastText) this.#shared.lastText = text
      made = packet(this.#shared.lastText)
      this.#byText.set(text, made)
    }
    return made
  }
}

const now = () => performance.now()

function kindOf(collection: Kind['collection'], place: number): Kind {
  const per = collection.scope === 'channel' ? 'channel' : collection.sameForAll ? 'everybody' : 'viewer'
  const { event, minInterval } = collection
  return {
    collection,
    event,
    minInterval,
    place,
    per,
    waiting: [],
    isAsking: false,
    failures: 0,
    lastText: '',
  }
}

function newWatch(kind: Kind, key: string, streams: Set<Stream>): Watch {
  return {
    ...notOnAgenda(),
    kind,
    key,
    streams,
    joining: new Set(),
    evaluated: -Infinity,
    dirty: false,
    changesAt: undefined,
    againAt: Infinity,
    retryAt: undefined,
    isBusy: false,
    failures: 0,
    lastText: '',
    level: { cursor: undefined },
  }
}

/** From here on a mark is a new one: it was made after what is read now. */
function takeTurn(watch: Watch): Turn {
  const time = now()
  const whole = watch.evaluated === -Infinity || dueAt(watch, watch.kind.minInterval) <= time
  const streams = [...(whole ? watch.streams : watch.joining)]
  watch.joining.clear()
  if (whole) {
    watch.evaluated = time
    watch.dirty = false
    watch.changesAt = undefined
    watch.againAt = againAt(time, Math.random(), watch.kind.place * PHASE)
  }
  return { watch, streams, whole }
}

function viewersOf(turns: Turn[]): Username[] {
  const viewers = new Set<Username>()
  for (const { streams } of turns) for (const stream of streams) viewers.add(stream.viewer)
  return [...viewers]
}
