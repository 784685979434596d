import type { Seconds, Username } from './units.ts'

/** Ring time of a call and of an invitation (interface 8). */
export const RING_TIME: Seconds = 30

/** In a larger channel a call does not ring; members see it in the channel and join. */
export const MOST_RUNG = 50
/** Participants of a call at most, including those who left: every read of its state lists them all. */
export const MOST_PARTICIPANTS = 100

export const CALL_STATES = ['ringing', 'active', 'ended', 'rejected'] as const
export type CallState = (typeof CALL_STATES)[number]
export const PARTICIPANT_STATES = ['pending', 'accepted', 'rejected', 'left'] as const
export type ParticipantState = (typeof PARTICIPANT_STATES)[number]
export const PARTICIPANT_ROLES = ['initiator', 'participant'] as const
export type ParticipantRole = (typeof PARTICIPANT_ROLES)[number]

/** Operations on an existing call (interface 3.1). All but `invite` concern the person who performs them. */
export type CallVerb = 'accept' | 'join' | 'reject' | 'end' | 'leave' | 'invite'

export interface Participant {
  username: Username
  role: ParticipantRole
  state: ParticipantState
}

export interface CallRecord {
  state: CallState
  participants: readonly Participant[]
}

/** The states after an operation, unchanged if it has no effect. */
export interface Step {
  call: CallState
  participant: ParticipantState
}

/** `over`: the call has ended. `not now`: the person's state does not allow the operation. */
export type NoStep = 'over' | 'not now'

export const isLiving = (state: CallState) => state === 'ringing' || state === 'active'

/** Accepted and pending participants may signal, send and receive media. */
export const takesPart = (state: ParticipantState | undefined) => state === 'accepted' || state === 'pending'

/**
 * The participant's next state by operation and current state; `none`: no row yet. Missing entries are not allowed.
 * `leave` and `join` extend the interface: leaving while pending rejects, and a member of the call's channel may join
 * from any state. Inviting a pending person rings again.
 */
const PARTICIPANT_AFTER: Record<CallVerb, Partial<Record<ParticipantState | 'none', ParticipantState>>> = {
  accept: { pending: 'accepted', accepted: 'accepted' },
  join: {
    none: 'accepted',
    pending: 'accepted',
    accepted: 'accepted',
    rejected: 'accepted',
    left: 'accepted',
  },
  reject: { pending: 'rejected', rejected: 'rejected' },
  end: { pending: 'left', accepted: 'left', rejected: 'left', left: 'left' },
  leave: { pending: 'rejected', accepted: 'left', rejected: 'rejected', left: 'left' },
  invite: { none: 'pending', pending: 'pending', accepted: 'accepted', rejected: 'pending', left: 'pending' },
}

/** Operations that succeed, without effect, on a call that is over. */
const MAY_BE_OVER: readonly CallVerb[] = ['end', 'leave']

/** Returns the states of the call and the person after an operation; `join` and `invite` may concern a newcomer. */
export function step(call: CallRecord, verb: CallVerb, username: Username): Step | NoStep {
  const before = call.participants.find(participant => participant.username === username)?.state
  if (!isLiving(call.state)) {
    return MAY_BE_OVER.includes(verb) && before ? { call: call.state, participant: before } : 'over'
  }
  const after = PARTICIPANT_AFTER[verb][before ?? 'none']
  if (after === undefined) return 'not now'
  if (after === before) return { call: verb === 'end' ? 'ended' : call.state, participant: after }

  const others = call.participants.filter(participant => participant.username !== username)
  return { call: callAfter(call.state, verb, after, others), participant: after }
}

function callAfter(
  before: CallState,
  verb: CallVerb,
  after: ParticipantState,
  others: readonly Participant[],
): CallState {
  if (verb === 'end') return 'ended'
  if (verb === 'accept' || verb === 'join') return 'active'
  if (after === 'left') return fewerThanTwoIn(others) ? 'ended' : before
  if (after === 'rejected' && before === 'ringing' && nobodyIsAsked(others)) return 'rejected'
  return before
}

const fewerThanTwoIn = (others: readonly Participant[]) =>
  others.filter(({ state }) => state === 'accepted').length < 2

const nobodyIsAsked = (others: readonly Participant[]) =>
  others.every(({ role, state }) => role === 'initiator' || !takesPart(state))

/** Reports whether the ring timed out: then the call and its pending participants become `rejected`. */
export function hasRungOut(call: { state: CallState; started_ts: Seconds }, now: Seconds): boolean {
  return call.state === 'ringing' && now - call.started_ts > RING_TIME
}

/** Returns the line that a finished call leaves in its channel (interface 2.3). */
export function callLine(call: { initiator: Username; answered_ts: Seconds | null }, ended: Seconds): string {
  if (call.answered_ts === null) return `Missed call from ${call.initiator}.`
  const minutes = Math.max(1, Math.round((ended - call.answered_ts) / 60))
  return `Call, ${minutes} min.`
}
