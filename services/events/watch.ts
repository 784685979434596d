import type { StateHash } from '#shared/domain/deltas.ts'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import { type Entry, notOnAgenda } from './agenda.ts'
import type { Level } from './follow-channel.ts'
import type { Packet } from './frames.ts'
import { type Form, formsFor, type Kind } from './kinds.ts'
import { againAt, dueAt } from './schedule.ts'
import type { Stream } from './stream.ts'
import { Tracked } from './tracked.ts'

/** Channels in a partial query at most; with more, the whole state is read. */
const MOST_PARTS = 16

/** The part that may have changed: nothing, everything, or the entries of some channels. */
export type Dirt = 'whole' | Set<ChannelId> | undefined

/** A rate limiter in bytes: a collection that sends more is evaluated less often. */
export class Meter {
  freeAt: Milliseconds = -Infinity

  /** `rate`: bytes per millisecond. */
  spend(bytes: number, time: Milliseconds, rate: number) {
    this.freeAt = Math.max(this.freeAt, time) + bytes / rate
  }
}

/** The streams of a watch that receive one form. */
export interface FormWatch {
  form: Form
  streams: Set<Stream>
  shownAt: Milliseconds
  /** A change was read but not sent, because the minimum interval had not passed. */
  owed: boolean
  meter: Meter
}

/** A (kind, key) pair with its streams and the time of its next evaluation. */
export interface Watch extends Entry {
  kind: Kind
  /** The channel, or the viewer. */
  key: string
  forms: FormWatch[]
  /** Streams without a first frame: they do not wait for the minimum interval. */
  joining: Set<Stream>
  dirt: Dirt
  /** When the payload changes without a write, if ever. */
  changesAt: Milliseconds | undefined
  /** Time of the next periodic evaluation. */
  againAt: Milliseconds
  /** Earliest time after a failure. */
  retryAt: Milliseconds | undefined
  isBusy: boolean
  failures: number
  /** Consecutive time-outs: each halves the viewers per query. */
  timeouts: number
  /** Undefined for untracked kinds. */
  state: Tracked | undefined
  /** Full frames of the present state, for kinds that are the same for everybody: each new stream gets one. */
  fullFrames: Map<Form, { hash: StateHash; packet: Packet }>
  /** Of `messages` only: the cursor of the last read, and the streams behind it. */
  level: Level
  behind: Set<Stream>
  isCatchingUp: boolean
}

export function newWatch(kind: Kind, key: string): Watch {
  return {
    ...notOnAgenda(),
    kind,
    key,
    forms: [],
    joining: new Set(),
    dirt: 'whole',
    changesAt: undefined,
    againAt: Infinity,
    retryAt: undefined,
    isBusy: false,
    failures: 0,
    timeouts: 0,
    state:
      kind.readEntries || kind.isTracked ? new Tracked(kind.per === 'channel' ? key : undefined) : undefined,
    fullFrames: new Map(),
    level: { cursor: undefined },
    behind: new Set(),
    isCatchingUp: false,
  }
}

/** `meterOf` returns one meter for all viewers where the kind is per viewer. */
export function addStream(watch: Watch, stream: Stream, meterOf: (form: Form) => Meter) {
  for (const form of formsFor(watch.kind, stream)) {
    let known = watch.forms.find(other => other.form === form)
    if (!known) {
      known = { form, streams: new Set(), shownAt: -Infinity, owed: false, meter: meterOf(form) }
      watch.forms.push(known)
    }
    known.streams.add(stream)
  }
}

export function removeStream(watch: Watch, stream: Stream) {
  watch.joining.delete(stream)
  watch.behind.delete(stream)
  for (const { streams } of watch.forms) streams.delete(stream)
  watch.forms = watch.forms.filter(({ streams }) => streams.size > 0)
}

export function mark(watch: Watch, channel: ChannelId | undefined) {
  if (watch.dirt === 'whole') return
  if (channel === undefined || !watch.kind.hasParts) {
    watch.dirt = 'whole'
    return
  }
  watch.dirt ??= new Set()
  watch.dirt.add(channel)
  if (watch.dirt.size > MOST_PARTS) watch.dirt = 'whole'
}

/** Returns Infinity for a watch without streams. */
export function nextDue(watch: Watch): Milliseconds {
  if (watch.joining.size > 0) return watch.retryAt ?? 0
  return Math.max(0, Math.min(...watch.forms.map(shown => formDue(watch, shown))))
}

function formDue(watch: Watch, { form, shownAt, owed, meter }: FormWatch): Milliseconds {
  const { changesAt, againAt, retryAt } = watch
  const dirty = watch.dirt !== undefined || owed
  const due = dueAt({ evaluated: shownAt, dirty, changesAt, againAt, retryAt }, form.minInterval)
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
export interface Turn {
  watch: Watch
  /** Forms whose streams are all served; of the other forms only `joining`. */
  due: FormWatch[]
  joining: Stream[]
  /** The part to read; undefined: the known state is sent. */
  reads: Dirt
}

/** Starts an evaluation and clears the marks: later ones may concern changes that this read misses. */
export function takeTurn(watch: Watch, time: Milliseconds): Turn {
  const { kind, dirt } = watch
  const due = watch.forms.filter(shown => formDue(watch, shown) <= time)
  const joining = [...watch.joining]
  watch.joining.clear()
  const turn: Turn = { watch, due, joining, reads: dirt }
  if (due.length === 0 && joining.length === 0) return { ...turn, reads: undefined }

  const isAgain = time >= Math.min(watch.againAt, watch.changesAt ?? Infinity)
  // A viewer's own state can be reused; who may read a channel is checked each time.
  const isKnown = watch.state !== undefined && kind.per !== 'channel'
  if (joining.length > 0 || isAgain || !isKnown) turn.reads = 'whole'

  for (const shown of watch.forms) {
    const isDue = due.includes(shown)
    if (isDue) shown.shownAt = time
    shown.owed = !isDue && (shown.owed || dirt !== undefined || isAgain)
  }
  watch.dirt = undefined
  if (turn.reads === 'whole' && due.length > 0) {
    watch.changesAt = undefined
    watch.againAt = againAt(time, Math.random(), kind.phase)
  }
  return turn
}

/** Undoes a failed turn. */
export function giveBack({ watch, due, joining, reads }: Turn) {
  if (reads === 'whole' && due.length > 0) watch.dirt = 'whole'
  else if (reads instanceof Set) for (const channel of reads) mark(watch, channel)
  for (const shown of due) shown.owed = true
  for (const stream of joining) if (stream.isOpen) watch.joining.add(stream)
}
