import type { StateHash } from '#shared/domain/deltas.ts'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import type { SharedCursor } from './follow-channel.ts'
import type { EncodedFrame } from './frames.ts'
import { dueAt, nextPeriodicEvaluation } from './schedule.ts'
import type { Stream } from './stream.ts'
import { notQueued, type TimerEntry } from './timer-queue.ts'
import { TrackedState } from './tracked-state.ts'
import { type Form, formsFor, type Kind } from './watch-kinds.ts'

/** Channels in a partial query at most; with more, the whole state is read. */
const MOST_PARTS = 16
/** Writes that a span of frames names at most. */

/** The part that may have changed: nothing, everything, or the entries of some channels. */
export type DirtyPart = 'full' | Set<ChannelId> | undefined

/** A rate limiter in bytes: a collection that sends more is evaluated less often. */
export class Meter {
  freeAt: Milliseconds = -Infinity

  /** `rate`: bytes per millisecond. */
  spend(bytes: number, time: Milliseconds, rate: number) {
    this.freeAt = Math.max(this.freeAt, time) + bytes / rate
  }
}

/** The streams of a watch that receive one form. */
export interface FormStreams {
  form: Form
  streams: Set<Stream>
  sentAt: Milliseconds
  /** A change was read but not sent, because the minimum interval had not passed. */
  hasUnsent: boolean
  meter: Meter
}

/** A (kind, key) pair with its streams and the time of its next evaluation. */
export interface Watch extends TimerEntry {
  kind: Kind
  /** The channel, or the viewer. */
  key: string
  forms: FormStreams[]
  /** Streams without a first frame: they do not wait for the minimum interval. */
  newSubscribers: Set<Stream>
  /** New streams wait until then, and share the next evaluation: see `noteDuration`. */
  restsUntil: Milliseconds
  dirty: DirtyPart
  /** When the payload changes without a write, if ever. */
  changesAt: Milliseconds | undefined
  /** Time of the next periodic evaluation. */
  nextPeriodicAt: Milliseconds
  /** Earliest time after a failure. */
  retryAt: Milliseconds | undefined
  isBusy: boolean
  failures: number
  /** Each time-out halves the viewers per query, each success doubles them. */
  timeouts: number
  /** Undefined for untracked kinds. */
  state: TrackedState | undefined
  /** Full frames of the present state, for kinds that are the same for everybody: each new stream gets one. */
  fullFrames: Map<Form, { hash: StateHash; encoded: EncodedFrame }>
  /** Of `messages` only: the cursor of the last read, and the streams behind it. */
  sharedCursor: SharedCursor
  behind: Set<Stream>
  isCatchingUp: boolean
}

export function newWatch(kind: Kind, key: string): Watch {
  return {
    ...notQueued(),
    kind,
    key,
    forms: [],
    newSubscribers: new Set(),
    restsUntil: 0,
    dirty: 'full',
    changesAt: undefined,
    nextPeriodicAt: Infinity,
    retryAt: undefined,
    isBusy: false,
    failures: 0,
    timeouts: 0,
    state:
      kind.readEntries || kind.isTracked
        ? new TrackedState(kind.per === 'channel' ? key : undefined)
        : undefined,
    fullFrames: new Map(),
    sharedCursor: { ts: undefined },
    behind: new Set(),
    isCatchingUp: false,
  }
}

/** `meterOf` returns one meter for all viewers where the kind is per viewer. */
export function addStream(watch: Watch, stream: Stream, meterOf: (form: Form) => Meter) {
  for (const form of formsFor(watch.kind, stream)) {
    let group = watch.forms.find(other => other.form === form)
    if (!group) {
      group = { form, streams: new Set(), sentAt: -Infinity, hasUnsent: false, meter: meterOf(form) }
      watch.forms.push(group)
    }
    group.streams.add(stream)
  }
}

export function removeStream(watch: Watch, stream: Stream) {
  watch.newSubscribers.delete(stream)
  watch.behind.delete(stream)
  for (const { streams } of watch.forms) streams.delete(stream)
  watch.forms = watch.forms.filter(({ streams }) => streams.size > 0)
}

export function invalidate(watch: Watch, channel: ChannelId | undefined) {
  if (watch.dirty === 'full') return
  if (channel === undefined || !watch.kind.hasParts) {
    watch.dirty = 'full'
    return
  }
  watch.dirty ??= new Set()
  watch.dirty.add(channel)
  if (watch.dirty.size > MOST_PARTS) watch.dirty = 'full'
}

/** Returns Infinity for a watch without streams. */
export function nextDue(watch: Watch): Milliseconds {
  const forms = Math.max(0, Math.min(...watch.forms.map(group => formDue(watch, group))))
  if (watch.newSubscribers.size === 0) return forms
  return Math.min(forms, watch.retryAt ?? watch.restsUntil)
}

function formDue(watch: Watch, { form, sentAt, hasUnsent, meter }: FormStreams): Milliseconds {
  const { changesAt, nextPeriodicAt, retryAt } = watch
  const isDirty = watch.dirty !== undefined || hasUnsent
  const timing = { evaluatedAt: sentAt, isDirty, changesAt, nextPeriodicAt, retryAt }
  const due = dueAt(timing, form.minInterval)
  return Math.max(due, meter.freeAt)
}

/** Viewers per query at most; halved after each time-out. */
const MOST_VIEWERS = 500

/** Removes the watches of the next query from `waiting`. Those with time-outs are queried apart, in smaller batches. */
export function takeBatch(waiting: Watch[]): Watch[] {
  const timeouts = waiting[0]?.timeouts ?? 0
  const most = Math.max(1, Math.floor(MOST_VIEWERS / 2 ** timeouts))
  const batch = waiting.filter(watch => watch.timeouts === timeouts).slice(0, most)
  const taken = new Set(batch)
  const left = waiting.filter(watch => !taken.has(watch))
  waiting.splice(0, waiting.length, ...left)
  return batch
}

/** An evaluation of a watch: the streams to serve and the part to read. */
export interface Evaluation {
  watch: Watch
  /** Forms whose streams are all served; of the other forms only `newSubscribers`. */
  due: FormStreams[]
  newSubscribers: Stream[]
  /** The part to read; undefined: the known state is sent. */
  reads: DirtyPart
}

/** Starts an evaluation and clears `dirty`: later invalidations may concern changes that this read misses. */
export function beginEvaluation(watch: Watch, time: Milliseconds): Evaluation {
  const { kind, dirty } = watch
  const due = watch.forms.filter(group => formDue(watch, group) <= time)
  const newSubscribers = [...watch.newSubscribers]
  watch.newSubscribers.clear()
  const evaluation: Evaluation = { watch, due, newSubscribers, reads: dirty }
  if (due.length === 0 && newSubscribers.length === 0) return { ...evaluation, reads: undefined }

  const isPeriodic = time >= Math.min(watch.nextPeriodicAt, watch.changesAt ?? Infinity)
  // A viewer's own state can be reused; who may read a channel is checked each time.
  const isKnown = watch.state !== undefined && kind.per !== 'channel'
  if (newSubscribers.length > 0 || isPeriodic || !isKnown) evaluation.reads = 'full'

  for (const group of watch.forms) {
    const isDue = due.includes(group)
    if (isDue) group.sentAt = time
    group.hasUnsent = !isDue && (group.hasUnsent || dirty !== undefined || isPeriodic)
  }
  watch.dirty = undefined
  if (evaluation.reads === 'full' && due.length > 0) {
    watch.changesAt = undefined
    watch.nextPeriodicAt = nextPeriodicEvaluation(time, Math.random(), kind.phase)
  }
  return evaluation
}

/**
 * After an evaluation for new streams the next ones wait as long as it took. Node accepts one connection between two
 * evaluations, so without the pause each of thousands of tabs that reconnect would cause a read of the whole state.
 */
export function noteDuration(
  { watch, newSubscribers }: Evaluation,
  began: Milliseconds,
  ended: Milliseconds,
) {
  if (newSubscribers.length > 0) watch.restsUntil = ended + (ended - began)
}

/** Undoes a failed evaluation. */
export function undoEvaluation({ watch, due, newSubscribers, reads }: Evaluation) {
  if (reads === 'full' && due.length > 0) watch.dirty = 'full'
  else if (reads instanceof Set) for (const channel of reads) invalidate(watch, channel)
  for (const group of due) group.hasUnsent = true
  for (const stream of newSubscribers) if (stream.isOpen) watch.newSubscribers.add(stream)
}
