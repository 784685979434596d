import { type Refusal, refuse } from '#shared/kernel/refusals.ts'
import type { SignalPayload, SignalType } from '#shared/rules/payloads.ts'
import { idFrom, type Seconds, type Username } from '#shared/rules/units.ts'
import { isUsername } from '#shared/rules/username.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { holdInbox, insertSignal, signalsAfter } from './queries.ts'

/** How long a signal waits to be fetched (decisions, Signals). */
const SIGNAL_KEPT: Seconds = 300
/** That wait, of one sender for one recipient: a connection takes some twenty, and few are made anew within minutes. */
const MOST_SIGNALS = 300
const MOST_KIB = 64
/** An SDP object or a candidate is flat; what is deeper is meant to hurt a parser. */
const DEEPEST = 32
const SIGNAL_TYPES: readonly unknown[] = ['offer', 'answer', 'ice_candidate'] satisfies SignalType[]

export interface Signal {
  to: Username
  type: SignalType
  /** JSON text. */
  payload: string
}

/** The body of POST …/signal, or what is wrong with it. */
export function signalIn(body: unknown): Signal | Refusal {
  const { to, type, payload } = fieldsOf(body)
  if (typeof to !== 'string' || !isUsername(to)) return refuse.required('to')
  if (!SIGNAL_TYPES.includes(type)) return refuse.badRequest('type must be offer, answer or ice_candidate')
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload))
    return refuse.required('payload')
  if (isDeeperThan(payload, DEEPEST)) return refuse.badRequest('payload nested too deeply')
  const text = JSON.stringify(payload)
  if (Buffer.byteLength(text) > MOST_KIB * 1024) return refuse.payloadTooLarge(MOST_KIB)
  return { to, type: type as SignalType, payload: text }
}

/**
 * Puts a signal into the recipient's inbox, which it holds until the transaction ends: ids are given in the order of the
 * commits, and whoever reads after an id has missed nothing. Wants the session's row shared, against its end.
 */
export async function putSignal(
  tx: Db,
  sessionId: string,
  from: Username,
  signal: Signal,
  now: Seconds,
): Promise<Refusal | undefined> {
  await holdInbox(tx, sessionId, signal.to)
  const isPut = await insertSignal(tx, sessionId, from, signal, now, {
    since: now - SIGNAL_KEPT,
    most: MOST_SIGNALS,
  })
  return isPut ? undefined : refuse.tooManySignals()
}

/**
 * The signals that wait for the viewer after the last one that they have, in the order in which they were sent. Those up to
 * that one are deleted.
 */
export function inbox(
  db: Db,
  sessionId: string,
  viewer: Username,
  after: unknown,
  now: Seconds,
): Promise<SignalPayload[]> {
  return signalsAfter(db, sessionId, viewer, idFrom(after) ?? 0, now - SIGNAL_KEPT)
}

const fieldsOf = (body: unknown): Record<string, unknown> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}

/** The body is no larger than the JSON reader allows, so its width is bounded; this bounds the recursion. */
function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  return Object.values(value).some(inner => isDeeperThan(inner, levels - 1))
}
