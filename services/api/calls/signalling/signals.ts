import * as v from 'valibot'
import { currentNames } from '#shared/access/person.ts'
import type { SignalPayload, SignalType } from '#shared/domain/payloads/calls.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import * as f from '../../middleware/fields.ts'
import { insertSignal, lockInbox, type Signal, signalsAfter, trimSignals } from './queries.ts'

/** Lifetime of a signal (interface 4.8). */
const SIGNAL_KEPT: Seconds = 300
const MIB = 1024 * 1024
/** Stored per sender and recipient; the oldest are deleted. A connection takes about twenty, each of a few KiB. */
const KEPT = { signals: 300, bytes: MIB }
/** Limits of one response. */
const A_READ = { signals: 200, bytes: MIB }
const MOST_KIB = 64
/** SDP objects and candidates are flat; deeper nesting is an attack on parsers. */
const DEEPEST = 32
const SIGNAL_TYPES: readonly unknown[] = ['offer', 'answer', 'ice_candidate'] satisfies SignalType[]

/** The body of POST …/signal. */
export const SIGNAL = f.fields({
  to: f.given<Username>(name => typeof name === 'string' && isUsername(name), 'to required'),
  type: f.given<SignalType>(
    type => SIGNAL_TYPES.includes(type),
    'type must be offer, answer or ice_candidate',
  ),
  payload: v.pipe(
    f.given<object>(isRecord, 'payload required'),
    v.check(payload => !isDeeperThan(payload, DEEPEST), 'payload nested too deeply'),
  ),
})

export type { Signal }

/** Throws a 413 for a payload that is too large. */
export async function signalIn(db: Db, { to, type, payload }: v.InferOutput<typeof SIGNAL>): Promise<Signal> {
  const text = JSON.stringify(payload)
  if (Buffer.byteLength(text) > MOST_KIB * 1024) throw errors.payloadTooLarge(MOST_KIB)
  const [recipient] = (await currentNames(db, [to])) as [Username]
  return { to: recipient, type, payload: text }
}

/**
 * Puts a signal into the recipient's inbox and locks the inbox until the transaction ends, so that ids follow the order
 * of commits and a reader with a cursor misses nothing. Requires a shared lock on the session's row, which excludes its
 * end.
 */
export async function putSignal(
  tx: Db,
  sessionId: string,
  from: Username,
  signal: Signal,
  now: Seconds,
): Promise<void> {
  await lockInbox(tx, sessionId, signal.to)
  await insertSignal(tx, sessionId, from, signal, now)
  await trimSignals(tx, sessionId, from, signal.to, KEPT)
}

/** Returns the viewer's signals after `after` in the order sent. They stay for other tabs and for a reload. */
export function inbox(
  db: Db,
  sessionId: string,
  viewer: Username,
  after: number,
  now: Seconds,
): Promise<SignalPayload[]> {
  return signalsAfter(db, sessionId, viewer, after, now - SIGNAL_KEPT, A_READ)
}

function isRecord(value: unknown) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Bounds the recursion; the limit of the JSON parser bounds the width. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some(inner => isDeeperThan(inner, levels - 1))
}
