import pLimit from 'p-limit'
import type { ChannelCollection } from '#shared/collections/collection.ts'
import { readSeen } from '#shared/collections/seen.ts'
import { type SeenState, seenCounts } from '#shared/domain/deltas.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { Agenda } from './agenda.ts'
import { Flusher } from './flusher.ts'
import { catchUp, followLevel } from './follow-channel.ts'
import { allKinds, type Form, formsFor, type Kind } from './kinds.ts'
import type { Mark } from './memberships.ts'
import { backOff } from './schedule.ts'
import { Showing } from './show.ts'
import type { Stream } from './stream.ts'
import {
  addStream,
  giveBack,
  Meter,
  mark as markWatch,
  newWatch,
  nextDue,
  removeStream,
  type Turn,
  takeBatch,
  takeTurn,
  type Watch,
} from './watch.ts'

/** Concurrent reads: fewer than the pool's connections; the rest serve opening streams. */
const READS_AT_ONCE = 8
/** Concurrent reads for streams that are behind. */
const CATCH_UPS_AT_ONCE = 2
/** Minimum interval for counting the readers of a large channel's messages. */
const COUNTS_INTERVAL: Milliseconds = 2_000
/** A viewer or channel without streams is kept this long, for a tab that reconnects. */
const REMEMBERED: Milliseconds = 60_000
const MOST_REMEMBERED = 2_000

/** The streams of one viewer, of one channel or of all, and the watches they share. */
interface Audience {
  streams: Set<Stream>
  watches: Watch[]
  /** When its last stream left. */
  leftAt: Milliseconds
}

/** The viewers' watches of one kind, which runs one query at a time. */
interface Queue {
  waiting: Watch[]
  isAsking: boolean
  meters: Map<Form, Meter>
  failures: number
}

/**
 * Evaluates collections that may have changed and sends them to the streams concerned. The unit of work is the watch,
 * not the stream: it is evaluated once for all its streams (architecture 2.4).
 */
export class Watches {
  readonly #stores: Stores
  readonly #kinds = allKinds()
  readonly #queues = new Map<Kind, Queue>(
    this.#kinds.map(kind => [kind, { waiting: [], isAsking: false, meters: new Map(), failures: 0 }]),
  )
  readonly #channels = new Map<ChannelId, Audience>()
  readonly #viewers = new Map<Username, Audience>()
  readonly #everybody: Audience
  /** Viewers, numbered in order of arrival. */
  readonly #arrivals = new Map<Username, number>()
  #lastArrival = 0
  /** Audiences without streams, oldest first. */
  readonly #left = new Set<Audience>()
  readonly #agenda = new Agenda<Watch>(now, due => this.#evaluateDue(due))
  readonly #limit = pLimit(READS_AT_ONCE)
  readonly #catchUps = pLimit(CATCH_UPS_AT_ONCE)
  readonly #flusher = new Flusher()
  #evaluations = 0
  #look: BlindLook | undefined
  #stopped = false

  constructor(stores: Stores) {
    this.#stores = stores
    this.#everybody = this.#audience('everybody', '')
  }

  /** Sends the stream its first frames and every later change. Returns the function that removes it. */
  add(stream: Stream): () => void {
    // Registered before the first evaluation: a notice that arrives in between marks the watch dirty instead of
    // passing unseen.
    for (const audience of this.#audiencesFor(stream)) {
      audience.streams.add(stream)
      this.#left.delete(audience)
      for (const watch of audience.watches) {
        addStream(watch, stream, form => this.#meterOf(watch.kind, form))
      }
    }
    stream.onDrained = () => this.#join(stream)
    this.#join(stream)
    return () => this.#remove(stream)
  }

  /** Counts the viewer's streams in this process. */
  streamsOf(viewer: Username): number {
    return this.#viewers.get(viewer)?.streams.size ?? 0
  }

  get lastArrival(): number {
    return this.#lastArrival
  }

  viewersSince(arrival: number): Username[] {
    return [...this.#arrivals].filter(([, number]) => number > arrival).map(([viewer]) => viewer)
  }

  /** Schedules the named watches: at once, or when their minimum interval has passed. */
  mark(notice: Mark) {
    for (const kind of this.#kinds) {
      if (!kind.marks.some(event => notice.collections.includes(event))) continue
      for (const audience of this.#concerned(kind, notice)) {
        for (const watch of audience.watches) if (watch.kind === kind) this.#mark(watch, notice.channel)
      }
    }
  }

  /**
   * Marks every watch, because notices were lost. Full evaluations of the viewers' watches are at least as far apart
   * as the last one took, so that a gateway without notices does not keep the database busy all the time.
   */
  markAll() {
    for (const audience of [...this.#channels.values(), this.#everybody]) {
      for (const watch of audience.watches) this.#mark(watch)
    }
    if (this.#look) {
      this.#look.isOwed = true
      return
    }
    this.#look = { startedAt: now(), left: new Set(), isOwed: false }
    for (const audience of this.#viewers.values()) {
      for (const watch of audience.watches) {
        this.#mark(watch)
        if (audience.streams.size > 0) this.#look.left.add(watch)
      }
    }
    this.#checkLook()
  }

  stop() {
    this.#stopped = true
    this.#agenda.stop()
    this.#limit.clearQueue()
    this.#catchUps.clearQueue()
    clearTimeout(this.#look?.timer)
  }

  /** Permits the next full evaluation once the last is complete and a pause of its duration has passed. */
  #checkLook(done?: Watch) {
    const look = this.#look
    if (!look || look.timer) return
    if (done && !look.left.delete(done)) return
    if (look.left.size > 0) return
    look.timer = setTimeout(() => {
      this.#look = undefined
      if (look.isOwed) this.markAll()
    }, now() - look.startedAt)
  }

  #join(stream: Stream) {
    for (const { watches } of this.#audiencesOf(stream)) {
      for (const watch of watches) {
        if (formsFor(watch.kind, stream).length === 0) continue
        watch.joining.add(stream)
        this.#schedule(watch)
      }
    }
  }

  #remove(stream: Stream) {
    stream.onDrained = undefined
    for (const audience of this.#audiencesOf(stream)) {
      if (!audience.streams.delete(stream)) continue
      for (const watch of audience.watches) removeStream(watch, stream)
      if (audience.streams.size > 0 || audience === this.#everybody) continue
      audience.leftAt = now()
      this.#left.add(audience)
      for (const watch of audience.watches) {
        this.#agenda.remove(watch)
        this.#checkLook(watch)
      }
    }
    this.#forget()
  }

  #forget() {
    for (const audience of this.#left) {
      if (this.#left.size <= MOST_REMEMBERED && now() - audience.leftAt < REMEMBERED) return
      this.#left.delete(audience)
      const { kind, key } = audience.watches[0]!
      if (kind.per === 'channel') this.#channels.delete(key)
      else {
        this.#viewers.delete(key)
        this.#arrivals.delete(key)
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

  /** The open channel first. */
  #audiencesOf({ viewer, channel }: Stream): Audience[] {
    return [
      channel === undefined ? undefined : this.#channels.get(channel),
      this.#viewers.get(viewer),
      this.#everybody,
    ].filter(audience => audience !== undefined)
  }

  #audience(per: Kind['per'], key: string): Audience {
    const watches = this.#kinds.filter(kind => kind.per === per).map(kind => newWatch(kind, key))
    return { streams: new Set(), watches, leftAt: Infinity }
  }

  #meterOf(kind: Kind, form: Form): Meter {
    if (kind.per !== 'viewer') return new Meter()
    const { meters } = this.#queues.get(kind)!
    if (!meters.has(form)) meters.set(form, new Meter())
    return meters.get(form)!
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

  #mark(watch: Watch, channel?: ChannelId) {
    markWatch(watch, channel)
    this.#schedule(watch)
  }

  #schedule(watch: Watch) {
    if (!watch.isBusy) this.#agenda.set(watch, nextDue(watch))
  }

  #evaluateDue(due: Watch[]) {
    const asked = new Set<Kind>()
    for (const watch of due) {
      watch.isBusy = true
      if (watch.kind.per === 'viewer') {
        this.#queues.get(watch.kind)!.waiting.push(watch)
        asked.add(watch.kind)
      } else {
        void this.#evaluate(watch.kind, [watch])
      }
    }
    for (const kind of asked) void this.#askFor(kind)
  }

  /** Runs one query of a kind at a time; watches that become due meanwhile share the next. */
  async #askFor(kind: Kind) {
    const queue = this.#queues.get(kind)!
    if (queue.isAsking) return
    queue.isAsking = true
    while (queue.waiting.length > 0) await this.#evaluate(kind, takeBatch(queue.waiting))
    queue.isAsking = false
  }

  /** Never throws: a collection that fails is retried, and no stream ends. */
  async #evaluate(kind: Kind, watches: Watch[]) {
    let turns: Turn[] = []
    this.#evaluations++
    try {
      await this.#limit(async () => {
        const time = now()
        turns = watches
          .map(watch => takeTurn(watch, time))
          .filter(({ due, joining }) => due.length > 0 || joining.length > 0)
        if (turns.length === 0) return
        if (kind.name === 'messages') await this.#showMessages(turns[0]!)
        else if (kind.name === 'seen') await this.#showSeen(turns[0]!, time)
        else if (kind.readEntries) await this.#showStates(kind, turns, time)
        else await this.#showPayloads(kind, turns, time)
      })
      this.#noteSuccess(kind, watches)
    } catch (err) {
      this.#noteFailure(kind, turns, err)
    }
    this.#evaluations--
    if (this.#evaluations === 0) this.#flusher.flushAll()
    else this.#flusher.flushUrgent()
    for (const watch of watches) {
      watch.isBusy = false
      this.#checkLook(watch)
      this.#schedule(watch)
    }
  }

  async #showPayloads(kind: Kind, turns: Turn[], time: Milliseconds) {
    const viewers = viewersOf(turns)
    const key = turns[0]!.watch.key
    const collection = kind.collection!
    const payloads =
      collection.scope === 'channel'
        ? await collection.read(this.#stores, viewers, key)
        : await collection.read(this.#stores, viewers)
    const showing = this.#showing(time)
    for (const turn of turns) showing.payloads(turn, payloads)
    const concerned = turns.filter(({ watch }) => kind.per !== 'viewer' || !isEmpty(payloads.get(watch.key)))
    await this.#askWhenItChanges(kind, concerned)
  }

  async #showStates(kind: Kind, turns: Turn[], time: Milliseconds) {
    const groups = Map.groupBy(turns, ({ reads }) =>
      reads instanceof Set ? 'part' : reads === undefined ? 'nothing' : 'whole',
    )
    const showing = this.#showing(time)
    for (const turn of groups.get('nothing') ?? []) showing.state(turn, undefined)
    const key = turns[0]!.watch.key
    const partial = groups.get('part')
    if (partial) {
      const channels = [...new Set(partial.flatMap(({ reads }) => [...(reads as Set<ChannelId>)]))]
      const parts = await kind.readEntries!(this.#stores, viewersOf(partial), key, channels)
      for (const turn of partial) showing.state({ ...turn, reads: new Set(channels) }, parts)
    }
    const whole = groups.get('whole')
    if (whole) {
      const parts = await kind.readEntries!(this.#stores, viewersOf(whole), key)
      for (const turn of whole) showing.state(turn, parts)
      await this.#askWhenItChanges(kind, whole)
    }
  }

  /** Small channels send changes of watermarks; large ones send full counts, less often. */
  async #showSeen(turn: Turn, time: Milliseconds) {
    const channel = turn.watch.key
    const states = await readSeen(this.#stores, viewersOf([turn]), channel)
    const showing = this.#showing(time)
    const receipts = states.values().next().value?.receipts
    if (receipts) {
      const entries = new Map<string, unknown>(Object.entries(receipts))
      showing.state(turn, new Map([...states.keys()].map(viewer => [viewer, entries])))
      return
    }
    const counts = new Map<SeenState, unknown>()
    for (const state of states.values()) {
      if (!counts.has(state)) counts.set(state, seenCounts(channel, state.messages!))
    }
    showing.payloads(turn, new Map([...states].map(([viewer, state]) => [viewer, counts.get(state)])))
    for (const { meter } of turn.due) meter.freeAt = Math.max(meter.freeAt, time + COUNTS_INTERVAL)
  }

  #showing(time: Milliseconds): Showing {
    const bytesPerSecond = this.#stores.settings.current.wire_budget_mb_s * 1_000_000
    return new Showing(this.#flusher, time, bytesPerSecond / 1_000)
  }

  async #askWhenItChanges({ collection }: Kind, turns: Turn[]) {
    const whole = turns.filter(({ due }) => due.length > 0)
    if (collection?.changesAt === undefined || whole.length === 0) return
    const changesAt =
      collection.scope === 'channel'
        ? await (collection as ChannelCollection).changesAt!(this.#stores, whole[0]!.watch.key)
        : await collection.changesAt(this.#stores, viewersOf(whole))
    for (const { watch } of whole) watch.changesAt = this.#monotonic(changesAt)
  }

  #monotonic(time: Seconds | undefined): Milliseconds | undefined {
    return time === undefined ? undefined : now() + (time - this.#stores.clock.now()) * 1000
  }

  async #showMessages({ watch, due, joining }: Turn) {
    const all = watch.forms.flatMap(({ streams }) => [...streams])
    const whole = due.length > 0
    const { isLevel, behind, shown } = await followLevel(
      this.#stores,
      watch.key,
      watch.level,
      whole ? all : joining,
      whole,
    )
    for (const stream of shown) this.#flusher.add(stream, true)
    for (const stream of behind) watch.behind.add(stream)
    if (watch.behind.size > 0) void this.#catchUp(watch)
    if (!isLevel) watch.dirt = 'whole'
  }

  /** Performs one read per turn, so that many streams far behind do not delay the others. */
  async #catchUp(watch: Watch) {
    if (watch.isCatchingUp) return
    watch.isCatchingUp = true
    for (let reads = 0, failures = 0; watch.behind.size > 0 && !this.#stopped; reads++) {
      try {
        const shown = await this.#catchUps(() => catchUp(this.#stores, watch, reads))
        for (const stream of shown) stream.flush()
        failures = 0
      } catch (err) {
        failures++
        log.debug({ err }, 'channel not read for streams that are behind')
        await new Promise(resolve => setTimeout(resolve, backOff(failures)))
      }
    }
    watch.isCatchingUp = false
  }

  #noteSuccess(kind: Kind, watches: Watch[]) {
    for (const watch of watches) {
      watch.failures = 0
      watch.timeouts = 0
      watch.retryAt = undefined
    }
    const queue = this.#queues.get(kind)!
    if (queue.failures > 0) {
      log.info({ event: kind.name, failures: queue.failures }, 'collection answers again')
    }
    queue.failures = 0
  }

  #noteFailure(kind: Kind, turns: Turn[], err: unknown) {
    const isTimeout = (err as { code?: string }).code === STATEMENT_TIMEOUT
    for (const turn of turns) {
      const { watch } = turn
      watch.failures++
      if (isTimeout) watch.timeouts++
      watch.retryAt = now() + backOff(watch.failures)
      giveBack(turn)
    }
    const queue = this.#queues.get(kind)!
    queue.failures++
    const facts = { event: kind.name, watches: turns.length, err }
    // Warns once, not with every attempt.
    if (queue.failures === 1) log.warn(facts, 'collection failed')
    else log.debug(facts, 'collection failed again')
  }
}

/** A full evaluation after lost notices; `left` are the viewers' watches not evaluated yet. */
interface BlindLook {
  startedAt: Milliseconds
  left: Set<Watch>
  /** Another was requested meanwhile. */
  isOwed: boolean
  timer?: NodeJS.Timeout
}

const STATEMENT_TIMEOUT = '57014'

const now = () => performance.now()

const isEmpty = (payload: unknown) => Array.isArray(payload) && payload.length === 0

function viewersOf(turns: Turn[]): Username[] {
  const viewers = new Set<Username>()
  for (const { due, joining } of turns) {
    for (const { streams } of due) for (const stream of streams) viewers.add(stream.viewer)
    for (const stream of joining) viewers.add(stream.viewer)
  }
  return [...viewers]
}
