import pLimit from 'p-limit'
import type { Entries } from '#shared/collections/collection.ts'
import { readSeen } from '#shared/collections/seen.ts'
import { type SeenState, seenCounts } from '#shared/domain/deltas.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { Audiences } from './audiences.ts'
import { Flusher } from './flusher.ts'
import { catchUp, followSharedCursor } from './follow-channel.ts'
import { FrameSender } from './frame-sender.ts'
import { FullPass } from './full-pass.ts'
import { KindQueue } from './kind-queue.ts'
import type { Invalidation, Viewers } from './memberships.ts'
import { evaluations as durations } from './metrics.ts'
import { backOff } from './schedule.ts'
import type { Stream } from './stream.ts'
import { TimerQueue } from './timer-queue.ts'
import {
  addStream,
  beginEvaluation,
  type Evaluation,
  invalidate,
  nextDue,
  noteDuration,
  removeStream,
  type Watch,
} from './watch.ts'
import { allKinds, formsFor, type Kind } from './watch-kinds.ts'

/** Concurrent reads: fewer than the pool's connections; the rest serve opening streams. */
const READS_AT_ONCE = 8
/** Concurrent reads for streams that are behind. */
const CATCH_UPS_AT_ONCE = 2
/** Minimum interval for counting the readers of a large channel's messages. */
const COUNTS_INTERVAL: Milliseconds = 2_000

/**
 * Evaluates collections that may have changed and sends them to the streams concerned. The unit of work is the watch,
 * not the stream: it is evaluated once for all its streams (architecture 2.4).
 */
export class Watches {
  readonly #stores: Stores
  readonly #kinds = allKinds()
  readonly #queues = new Map(
    this.#kinds.map(kind => [kind, new KindQueue(kind, watches => this.#evaluate(kind, watches))]),
  )
  readonly #audiences = new Audiences(this.#kinds)
  readonly #timers = new TimerQueue<Watch>(now, due => this.#evaluateDue(due))
  readonly #limit = pLimit(READS_AT_ONCE)
  readonly #catchUps = pLimit(CATCH_UPS_AT_ONCE)
  readonly #flusher = new Flusher()
  #running = 0
  readonly #fullPass = new FullPass(() => this.#invalidateViewers())
  #stopped = false

  constructor(stores: Stores) {
    this.#stores = stores
  }

  /** Sends the stream its first frames and every later change. Returns the function that removes it. */
  add(stream: Stream): () => void {
    // Registered before the first evaluation: a notice that arrives in between invalidates the watch instead of
    // passing unseen.
    for (const { watches } of this.#audiences.add(stream)) {
      for (const watch of watches) addStream(watch, stream, form => this.#queueOf(watch).meterOf(form))
    }
    stream.onDrained = () => this.#sendFirstFrames(stream)
    this.#sendFirstFrames(stream)
    return () => this.#remove(stream)
  }

  /** Counts the viewer's streams in this process. */
  streamsOf(viewer: Username): number {
    return this.#audiences.streamsOf(viewer)
  }

  get viewers(): Viewers {
    return this.#audiences
  }

  /** Schedules the named watches: at once, or when their minimum interval has passed. */
  invalidate(notice: Invalidation) {
    for (const kind of this.#kinds) {
      if (!kind.invalidatedBy.some(event => notice.collections.includes(event))) continue
      for (const audience of this.#audiences.concernedBy(kind, notice)) {
        for (const watch of audience.watches) if (watch.kind === kind) this.#invalidate(watch, notice.channel)
      }
    }
  }

  /** Invalidates every watch, because notices were lost; the viewers' watches by a full pass. */
  invalidateAll() {
    for (const { watches } of this.#audiences.ofChannelsAndEverybody()) {
      for (const watch of watches) this.#invalidate(watch)
    }
    this.#fullPass.request()
  }

  /** Returns those with streams. */
  #invalidateViewers(): Watch[] {
    const watches = [...this.#audiences.ofViewers()].flatMap(audience => audience.watches)
    for (const watch of watches) this.#invalidate(watch)
    return watches.filter(watch => watch.forms.length > 0)
  }

  stop() {
    this.#stopped = true
    this.#timers.stop()
    this.#limit.clearQueue()
    this.#catchUps.clearQueue()
    this.#fullPass.stop()
  }

  #sendFirstFrames(stream: Stream) {
    for (const { watches } of this.#audiences.of(stream)) {
      for (const watch of watches) {
        if (formsFor(watch.kind, stream).length === 0) continue
        watch.newSubscribers.add(stream)
        this.#schedule(watch)
      }
    }
  }

  #remove(stream: Stream) {
    stream.onDrained = undefined
    for (const { watches } of this.#audiences.remove(stream)) {
      for (const watch of watches) {
        removeStream(watch, stream)
        if (watch.forms.length > 0) continue
        this.#timers.remove(watch)
        this.#fullPass.noteDone(watch)
      }
    }
  }

  #queueOf({ kind }: Watch): KindQueue {
    return this.#queues.get(kind)!
  }

  #invalidate(watch: Watch, channel?: ChannelId) {
    invalidate(watch, channel)
    this.#schedule(watch)
  }

  #schedule(watch: Watch) {
    if (!watch.isBusy) this.#timers.set(watch, nextDue(watch))
  }

  #evaluateDue(due: Watch[]) {
    for (const watch of due) watch.isBusy = true
    const [ofViewers, others] = [true, false].map(is =>
      due.filter(({ kind }) => (kind.per === 'viewer') === is),
    )
    for (const [queue, watches] of Map.groupBy([...others!, ...ofViewers!], watch => this.#queueOf(watch)))
      void queue.add(watches)
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
        await this.#send(kind, evaluations, time)
        for (const evaluation of evaluations) noteDuration(evaluation, time, now())
        durations.observe({ event: kind.name }, (now() - time) / 1_000)
      })
      this.#queues.get(kind)!.noteSuccess(watches)
    } catch (err) {
      this.#queues.get(kind)!.noteFailure(evaluations, err)
    }
    this.#running--
    if (this.#running === 0) this.#flusher.flushAll()
    else this.#flusher.flushUrgent()
    for (const watch of watches) {
      watch.isBusy = false
      this.#fullPass.noteDone(watch)
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
    const asOf = this.#stores.clock.now()
    const payloads =
      collection.scope === 'channel'
        ? await collection.read(this.#stores, viewers, key)
        : await collection.read(this.#stores, viewers)
    const sender = this.#sender(time)
    for (const evaluation of evaluations) sender.sendPayloads(evaluation, payloads)
    const concerned = evaluations.filter(
      ({ watch }) => kind.per !== 'viewer' || !isEmpty(payloads.get(watch.key)),
    )
    await this.#readChangesAt(kind, concerned, asOf)
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
      const asOf = this.#stores.clock.now()
      const parts = await kind.readEntries!(this.#stores, viewersOf(full), key)
      for (const evaluation of full) {
        sender.sendState(evaluation, parts, await this.#restrictedStates(kind, evaluation, parts))
      }
      await this.#readChangesAt(kind, full, asOf)
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

  /** `asOf` is before the read of the payloads. */
  async #readChangesAt({ collection }: Kind, evaluations: Evaluation[], asOf: Seconds) {
    const full = evaluations.filter(({ due }) => due.length > 0)
    if (collection?.changesAt === undefined || full.length === 0) return
    if (collection.scope === 'channel') {
      const [{ watch }] = full as [Evaluation]
      watch.changesAt = this.#monotonic(await collection.changesAt(this.#stores, watch.key, asOf))
      return
    }
    // The key is the viewer, or empty for a payload that is the same for everybody.
    const changesAt = await collection.changesAt(
      this.#stores,
      full.map(({ watch }) => watch.key),
      asOf,
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
}

const now = () => performance.now()

const isEmpty = (payload: unknown) => Array.isArray(payload) && payload.length === 0

function viewersOf(evaluations: Evaluation[]): Username[] {
  const viewers = new Set<Username>()
  for (const { due, newSubscribers } of evaluations) {
    for (const { streams } of due) for (const stream of streams) viewers.add(stream.viewer)
    for (const stream of newSubscribers) viewers.add(stream.viewer)
  }
  return [...viewers]
}
