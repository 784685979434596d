import type { ChannelId, Milliseconds } from '#shared/rules/units.ts'
import { type Entry, notOnAgenda } from './agenda.ts'
import type { Level } from './follow-channel.ts'
import { type Form, formsFor, type Kind } from './kinds.ts'
import { againAt, dueAt } from './schedule.ts'
import type { Stream } from './stream.ts'
import { Tracked } from './tracked.ts'

/** More channels than this in one partial question are a whole one. */
const MOST_PARTS = 16

/** What may have changed: nothing, all, or the entries of some channels. */
export type Dirt = 'whole' | Set<ChannelId> | undefined

/** Bytes are paid for in time: the interval of a collection follows what it sends. */
export class Meter {
  freeAt: Milliseconds = -Infinity

  /** `rate`: bytes a millisecond. */
  spend(bytes: number, time: Milliseconds, rate: number) {
    this.freeAt = Math.max(this.freeAt, time) + bytes / rate
  }
}

/** The streams of a watch that see it in one form. */
export interface FormWatch {
  form: Form
  streams: Set<Stream>
  shownAt: Milliseconds
  /** A change was read, and not shown here because the minimum interval had not passed. */
  owed: boolean
  meter: Meter
}

/** One (kind, key): its streams, and when they are looked after next. */
export interface Watch extends Entry {
  kind: Kind
  /** The channel, or the viewer. */
  key: string
  forms: FormWatch[]
  /** Those that have not seen anything of it yet: they do not wait for the minimum interval. */
  joining: Set<Stream>
  dirt: Dirt
  /** When time alone changes the answer, if ever. */
  changesAt: Milliseconds | undefined
  /** The look that comes by itself, whatever notices say. */
  againAt: Milliseconds
  /** After a failure: not before. */
  retryAt: Milliseconds | undefined
  isBusy: boolean
  failures: number
  /** Time-outs in a row: each halves the number of viewers that are asked for together. */
  timeouts: number
  /** Of a tracked kind. */
  state: Tracked | undefined
  /** Of `messages`: how far the channel was read, and the streams that have not come so far. */
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
    level: { cursor: undefined },
    behind: new Set(),
    isCatchingUp: false,
  }
}

/** `meterOf`: kinds per viewer have one meter for all viewers. */
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

/** Infinity: nobody looks at it. */
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

/** Viewers in one question; half as many after each time-out. */
const MOST_VIEWERS = 500

/**
 * Takes the watches of the next question out of those that wait. Those that timed out together are asked in smaller parts,
 * and the others without them.
 */
export function takeBatch(waiting: Watch[]): Watch[] {
  const timeouts = waiting[0]?.timeouts ?? 0
  const most = Math.max(1, Math.floor(MOST_VIEWERS / 2 ** timeouts))
  const batch = waiting.filter(watch => watch.timeouts === timeouts).slice(0, most)
  const taken = new Set(batch)
  const left = waiting.filter(watch => !taken.has(watch))
  waiting.splice(0, waiting.length, ...left)
  return batch
}

/** Part of a watch whose streams get to see the answer now. */
export interface Turn {
  watch: Watch
  /** All streams of these forms; of the other forms those that join. */
  due: FormWatch[]
  joining: Stream[]
  /** What is read; undefined: what is known is shown. */
  reads: Dirt
}

/** From here on a mark is a new one: it was made after what is read now. */
export function takeTurn(watch: Watch, time: Milliseconds): Turn {
  const { kind, dirt } = watch
  const due = watch.forms.filter(shown => formDue(watch, shown) <= time)
  const joining = [...watch.joining]
  watch.joining.clear()
  const turn: Turn = { watch, due, joining, reads: dirt }
  if (due.length === 0 && joining.length === 0) return { ...turn, reads: undefined }

  const isAgain = time >= Math.min(watch.againAt, watch.changesAt ?? Infinity)
  // What one viewer may see is known; who may read a channel is asked each time.
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

/** Nothing of the turn counts. */
export function giveBack({ watch, due, joining, reads }: Turn) {
  if (reads === 'whole' && due.length > 0) watch.dirt = 'whole'
  else if (reads instanceof Set) for (const channel of reads) mark(watch, channel)
  for (const shown of due) shown.owed = true
  for (const stream of joining) if (stream.isOpen) watch.joining.add(stream)
}
