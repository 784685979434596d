import pLimit from 'p-limit'
import type { Entries } from '#shared/collections/collection.ts'
import { readSeen } from '#shared/collections/seen.ts'
import { type SeenState, seenCounts } from '#shared/domain/deltas.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import { type Cause, traceFrames } from '#shared/runtime/tracing.ts'
import { isTimeout } from '#shared/stores/postgres-errors.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { Flusher } from './flusher.ts'
import { catchUp, followSharedCursor } from './follow-channel.ts'
import { FrameSender } from './frame-sender.ts'
import type { Invalidation } from './memberships.ts'
import { evaluations as durations } from './metrics.ts'
import { backOff } from './schedule.ts'
import type { Stream } from './stream.ts'
import { TimerQueue } from './timer-queue.ts'
import {
  addStream,
  beginEvaluation,
  type Evaluation,
  invalidate,
  Meter,
  newWatch,
  nextDue,
  noteDuration,
  removeStream,
  takeBatch,
  takeCauses,
  undoEvaluation,
  type Watch,
} from './watch.ts'
import { allKinds, type Form, formsFor, type Kind } from './watch-kinds.ts'

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
  isQuerying: boolean
  meters: Map<Form, Meter>
  failures: number
  hasWarned: boolean
}

/**
 * Evaluates collections that may have changed and sends them to the streams concerned. The unit of work is the watch,
 * not the stream: it is evaluated once for all its streams (architecture 2.4).
 */
export class Watches {
  readonly #stores: Stores
  readonly #kinds = allKinds()
  readonly #queues = new Map<Kind, Queue>(
    this.#kinds.map(kind => [
      kind,
      { waiting: [], isQuerying: false, meters: new Map(), failures: 0, hasWarned: false },
    ]),
  )
  readonly #channels = new Map<ChannelId, Audience>()
  readonly #viewers = new Map<Username, Audience>()
  readonly #everybody: Audience
  /** Viewers, numbered in order of arrival. */
  readonly #arrivals = new Map<Username, number>()
  #lastArrival = 0
  /** Audiences without streams, oldest first. */
  readonly #left = new Set<Audience>()
  readonly #timers = new TimerQueue<Watch>(now, due => this.#evaluateDue(due))
  readonly #limit = pLimit(READS_AT_ONCE)
  readonly #catchUps = pLimit(CATCH_UPS_AT_ONCE)
  readonly #flusher = new Flusher()
  #running = 0
  #fullPass: FullPass | undefined
  #stopped = false

  constructor(stores: Stores) {
    this.#stores = stores
    this.#everybody = this.#audience('everybody', '')
  }

  /** Sends the stream its first frames and every later change. Returns the function that removes it. */
  add(stream: Stream): () => void {
    // Registered before the first evaluation: a notice that arrives in between invalidates the watch instead of
    // passing unseen.
    for (const audience of this.#audiencesFor(stream)) {
      audience.streams.add(stream)
      this.#left.delete(audience)
      for (const watch of audience.watches) {
        addStream(watch, stream, form => this.#meterOf(watch.kind, form))
      }
    }
    stream.onDrained = () => this.#sendFirstFrames(stream)
    this.#sendFirstFrames(stream)
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
  invalidate(notice: Invalidation, cause?: Cause) {
    for (const kind of this.#kinds) {
      if (!kind.invalidatedBy.some(event => notice.collections.includes(event))) continue
      for (const audience of this.#concerned(kind, notice)) {
        for (const watch of audience.watches)
          if (watch.kind === kind) this.#invalidate(watch, notice.channel, cause)
      }
    }
  }

  /**
   * Invalidates every watch, because notices were lost. Full evaluations of the viewers' watches are at least as far
   * apart as the last one took, so that a gateway without notices does not keep the database busy all the time.
   */
  invalidateAll() {
    for (const audience of [...this.#channels.values(), this.#everybody]) {
      for (const watch of audience.watches) this.#invalidate(watch)
    }
    if (this.#fullPass) {
      this.#fullPass.isRequestedAgain = true
      return
    }
    this.#fullPass = { startedAt: now(), remaining: new Set(), isRequestedAgain: false }
    for (const audience of this.#viewers.values()) {
      for (const watch of audience.watches) {
        this.#invalidate(watch)
        if (watch.forms.length > 0) this.#fullPass.remaining.add(watch)
      }
    }
    this.#checkFullPass()
  }

  stop() {
    this.#stopped = true
    this.#timers.stop()
    this.#limit.clearQueue()
    this.#catchUps.clearQueue()
    clearTimeout(this.#fullPass?.timer)
  }

  /** Permits the next full evaluation once the last is complete and a pause of its duration has passed. */
  #checkFullPass(done?: Watch) {
    const pass = this.#fullPass
    if (!pass || pass.timer) return
    if (done && !pass.remaining.delete(done)) return
    if (pass.remaining.size > 0) return
    pass.timer = setTimeout(() => {
      this.#fullPass = undefined
      if (pass.isRequestedAgain) this.invalidateAll()
    }, now() - pass.startedAt)
  }

  #sendFirstFrames(stream: Stream) {
    for (const { watches } of this.#audiencesOf(stream)) {
      for (const watch of watches) {
        if (formsFor(watch.kind, stream).length === 0) continue
        watch.newSubscribers.add(stream)
        this.#schedule(watch)
      }
    }
  }

  #remove(stream: Stream) {
    stream.onDrained = undefined
    for (const audience of this.#audiencesOf(stream)) {
      if (!audience.streams.delete(stream)) continue
      for (const watch of audience.watches) {
        removeStream(watch, stream)
        if (watch.forms.length > 0) continue
        this.#timers.remove(watch)
        this.#checkFullPass(watch)
      }
      if (audience.streams.size > 0 || audience === this.#everybody) continue
      audience.leftAt = now()
      this.#left.add(audience)
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

  #concerned(kind: Kind, { channel, users }: Invalidation): Iterable<Audience> {
    if (kind.per === 'everybody') return [this.#everybody]
    const [all, keys] =
      kind.per === 'channel'
        ? [this.#channels, channel === undefined ? undefined : [channel]]
        : [this.#viewers, users]
    if (keys === undefined) return all.values()
    return keys.map(key => all.get(key)).filter(audience => audience !== undefined)
  }

  #invalidate(watch: Watch, channel?: ChannelId, cause?: Cause) {
    invalidate(watch, channel, cause)
    this.#schedule(watch)
  }

  #schedule(watch: Watch) {
    if (!watch.isBusy) this.#timers.set(watch, nextDue(watch))
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
    for (const kind of asked) void this.#queryKind(kind)
  }

  /** Runs one query of a kind at a time; watches that become due meanwhile share the next. */
  async #queryKind(kind: Kind) {
    const queue = this.#queues.get(kind)!
    if (queue.isQuerying) return
    queue.isQuerying = true
    while (queue.waiting.length > 0) await this.#evaluate(kind, takeBatch(queue.waiting))
    queue.isQuerying = false
  }

  /** Never throws: a collection that fails is retried, and no stream ends. */
  async #evaluate(kind: Kind, watches: Watch[]) {
    let evaluations: Evaluation[] = []
    this.#running++
    try {
      await this.#limit(async () => {
        const time = now()
        evaluations = watches
          .map(watch => beginEvaluation(watch, time))
          .filter(({ due, newSubscribers }) => due.length > 0 || newSubscribers.length > 0)
        if (evaluations.length === 0) return
        const causes = takeCauses(evaluations)
        const streams = () => streamsIn(evaluations)
        await traceFrames(kind.name, { causes, streams }, () => this.#send(kind, evaluations, time))
        for (const evaluation of evaluations) noteDuration(evaluation, time, now())
        durations.observe({ event: kind.name }, (now() - time) / 1_000)
      })
      this.#noteSuccess(kind, watches)
    } catch (err) {
      this.#noteFailure(kind, evaluations, err)
    }
    this.#running--
    if (this.#running === 0) this.#flusher.flushAll()
    else this.#flusher.flushUrgent()
    for (const watch of watches) {
      watch.isBusy = false
      this.#checkFullPass(watch)
      this.#schedule(watch)
    }
  }

  #send(kind: Kind, evaluations: Evaluation[], time: Milliseconds): Promise<void> {
    if (kind.name === 'messages') return this.#sendMessages(evaluations[0]!)
    if (kind.name === 'seen') return this.#sendSeen(evaluations[0]!, time)
    if (kind.readEntries) return this.#sendStates(kind, evaluations, time)
    return this.#sendPayloads(kind, evaluations, time)
  }

  async #sendPayloads(kind: Kind, evaluations: Evaluation[], time: Milliseconds) {
    const viewers = viewersOf(evaluations)
    const key = evaluations[0]!.watch.key
    const collection = kind.collection!
    const payloads =
      collection.scope === 'channel'
        ? await collection.read(this.#stores, viewers, key)
        : await collection.read(this.#stores, viewers)
    const sender = this.#sender(time)
    for (const evaluation of evaluations) sender.sendPayloads(evaluation, payloads)
    const concerned = evaluations.filter(
      ({ watch }) => kind.per !== 'viewer' || !isEmpty(payloads.get(watch.key)),
    )
    await this.#readChangesAt(kind, concerned)
  }

  async #sendStates(kind: Kind, evaluations: Evaluation[], time: Milliseconds) {
    const groups = Map.groupBy(evaluations, ({ reads }) =>
      reads instanceof Set ? 'part' : reads === undefined ? 'nothing' : 'full',
    )
    const sender = this.#sender(time)
    for (const evaluation of groups.get('nothing') ?? []) {
      sender.sendState(evaluation, undefined, await this.#restrictedStates(kind, evaluation))
    }
    const key = evaluations[0]!.watch.key
    const partial = groups.get('part')
    if (partial) {
      const channels = [...new Set(partial.flatMap(({ reads }) => [...(reads as Set<ChannelId>)]))]
      const parts = await kind.readEntries!(this.#stores, viewersOf(partial), key, channels)
      for (const evaluation of partial) sender.sendState({ ...evaluation, reads: new Set(channels) }, parts)
    }
    const full = groups.get('full')
    if (full) {
      const parts = await kind.readEntries!(this.#stores, viewersOf(full), key)
      for (const evaluation of full) {
        sender.sendState(evaluation, parts, await this.#restrictedStates(kind, evaluation, parts))
      }
      await this.#readChangesAt(kind, full)
    }
  }

  /** The states of the viewers who may not see all of a state that is the same for the others. */
  async #restrictedStates(
    kind: Kind,
    evaluation: Evaluation,
    parts?: Map<Username, Entries<unknown>>,
  ): Promise<Map<Username, Entries<unknown>> | undefined> {
    const entries = parts?.values().next().value ?? evaluation.watch.state!.entries
    return kind.restrict?.(this.#stores, viewersOf([evaluation]), entries)
  }

  /** Small channels send changes of watermarks; large ones send full counts, less often. */
  async #sendSeen(evaluation: Evaluation, time: Milliseconds) {
    const channel = evaluation.watch.key
    const states = await readSeen(this.#stores, viewersOf([evaluation]), channel)
    const sender = this.#sender(time)
    const receipts = states.values().next().value?.receipts
    if (receipts) {
      const entries = new Map<string, unknown>(Object.entries(receipts))
      sender.sendState(evaluation, new Map([...states.keys()].map(viewer => [viewer, entries])))
      return
    }
    const counts = new Map<SeenState, unknown>()
    for (const state of states.values()) {
      if (!counts.has(state)) counts.set(state, seenCounts(channel, state.messages!))
    }
    sender.sendPayloads(
      evaluation,
      new Map([...states].map(([viewer, state]) => [viewer, counts.get(state)])),
    )
    for (const { meter } of evaluation.due) meter.freeAt = Math.max(meter.freeAt, time + COUNTS_INTERVAL)
  }

  #sender(time: Milliseconds): FrameSender {
    const bytesPerSecond = this.#stores.settings.current.wire_budget_mb_s * 1_000_000
    return new FrameSender(this.#flusher, time, bytesPerSecond / 1_000)
  }

  async #readChangesAt({ collection }: Kind, evaluations: Evaluation[]) {
    const full = evaluations.filter(({ due }) => due.length > 0)
    if (collection?.changesAt === undefined || full.length === 0) return
    if (collection.scope === 'channel') {
      const [{ watch }] = full as [Evaluation]
      watch.changesAt = this.#monotonic(await collection.changesAt(this.#stores, watch.key))
      return
    }
    // The key is the viewer, or empty for a payload that is the same for everybody.
    const changesAt = await collection.changesAt(
      this.#stores,
      full.map(({ watch }) => watch.key),
    )
    for (const { watch } of full) watch.changesAt = this.#monotonic(changesAt.get(watch.key))
  }

  #monotonic(time: Seconds | undefined): Milliseconds | undefined {
    return time === undefined ? undefined : now() + (time - this.#stores.clock.now()) * 1000
  }

  async #sendMessages({ watch, due, newSubscribers }: Evaluation) {
    const all = watch.forms.flatMap(({ streams }) => [...streams])
    const full = due.length > 0
    const { isAtEnd, behind, sent } = await followSharedCursor(
      this.#stores,
      watch.key,
      watch.sharedCursor,
      full ? all : newSubscribers,
      full,
    )
    for (const stream of sent) this.#flusher.add(stream, true)
    for (const stream of behind) watch.behind.add(stream)
    if (watch.behind.size > 0) void this.#catchUp(watch)
    if (!isAtEnd) watch.dirty = 'full'
  }

  /** Performs one read per round, so that many streams far behind do not delay the others. */
  async #catchUp(watch: Watch) {
    if (watch.isCatchingUp) return
    watch.isCatchingUp = true
    for (let reads = 0, failures = 0; watch.behind.size > 0 && !this.#stopped; reads++) {
      try {
        const sent = await this.#catchUps(() => catchUp(this.#stores, watch, reads))
        for (const stream of sent) stream.flush()
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
      watch.timeouts = Math.max(0, watch.timeouts - 1)
      watch.retryAt = undefined
    }
    const queue = this.#queues.get(kind)!
    if (queue.hasWarned) {
      log.info({ event: kind.name, failures: queue.failures }, 'collection works again')
    }
    queue.failures = 0
    queue.hasWarned = false
  }

  #noteFailure(kind: Kind, evaluations: Evaluation[], err: unknown) {
    for (const evaluation of evaluations) {
      const { watch } = evaluation
      watch.failures++
      if (isTimeout(err)) watch.timeouts++
      watch.retryAt = now() + backOff(watch.failures)
      undoEvaluation(evaluation)
    }
    const queue = this.#queues.get(kind)!
    queue.failures++
    const facts = { event: kind.name, watches: evaluations.length, err }
    // Warns once, not with every attempt, and not of a store that is away.
    if (noteStoreFailure(err, { event: kind.name }) || queue.hasWarned) {
      log.debug(facts, 'collection failed')
      return
    }
    queue.hasWarned = true
    log.warn(facts, 'collection failed')
  }
}

/** A full evaluation after lost notices; `remaining` are the viewers' watches not evaluated yet. */
interface FullPass {
  startedAt: Milliseconds
  remaining: Set<Watch>
  /** Another was requested meanwhile. */
  isRequestedAgain: boolean
  timer?: NodeJS.Timeout
}

const now = () => performance.now()

const isEmpty = (payload: unknown) => Array.isArray(payload) && payload.length === 0

function streamsIn(evaluations: Evaluation[]): number {
  return evaluations.reduce(
    (sum, { due, newSubscribers }) =>
      due.reduce((streams, form) => streams + form.streams.size, sum + newSubscribers.length),
    0,
  )
}

function viewersOf(evaluations: Evaluation[]): Username[] {
  const viewers = new Set<Username>()
  for (const { due, newSubscribers } of evaluations) {
    for (const { streams } of due) for (const stream of streams) viewers.add(stream.viewer)
    for (const stream of newSubscribers) viewers.add(stream.viewer)
  }
  return [...viewers]
}
