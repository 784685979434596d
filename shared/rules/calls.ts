import type { Seconds, Username } from './units.ts'

/** How long a call rings, and how long an invitation into one does (interface 8). */
export const RING_TIME: Seconds = 30

/** In a channel of more people a call rings for nobody; its members see it there, and join. */
export const MOST_RUNG = 50
/** Rows of a call, those who have left included: every read of its state lists them all. */
export const MOST_PARTICIPANTS = 100

export type CallState = 'ringing' | 'active' | 'ended' | 'rejected'
export type ParticipantState = 'pending' | 'accepted' | 'rejected' | 'left'
export type ParticipantRole = 'initiator' | 'participant'

/** What can happen to a call once it exists (interface 3.1). Everything but `invite` is about whoever does it. */
export type CallVerb = 'accept' | 'join' | 'reject' | 'end' | 'leave' | 'invite'

export interface Participant {
  username: Username
  role: ParticipantRole
  state: ParticipantState
}

export interface Call {
  state: CallState
  participants: readonly Participant[]
}

/** The states after a verb. Equal to those before it where nothing happens. */
export interface Step {
  call: CallState
  participant: ParticipantState
}

/** `over`: the call is. `not now`: the person's own state does not allow it. */
export type NoStep = 'over' | 'not now'

export const isLiving = (state: CallState) => state === 'ringing' || state === 'active'

/** Who may signal, send and see: those in the call and those whom it waits for. */
export const takesPart = (state: ParticipantState | undefined) => state === 'accepted' || state === 'pending'

/**
 * The participant's state after a verb, by the state before; `none` is no row yet. What is missing is not possible.
 * `leave` and `join` are ours: who is still asked and leaves has rejected; a member of the call's channel may join whatever
 * they have said before. Inviting somebody who is asked already rings anew.
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

/** What a call that is over answers: being done with it again is no fault. */
const MAY_BE_OVER: readonly CallVerb[] = ['end', 'leave']

/** What a verb makes of a call and of the person it is about; of a newcomer, when they are invited or join. */
export function step(call: Call, verb: CallVerb, username: Username): Step | NoStep {
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

/** Nobody has answered in time: the call is `rejected`, and so is everybody who was still asked. */
export function hasRungOut(call: { state: CallState; started_ts: Seconds }, now: Seconds): boolean {
  return call.state === 'ringing' && now - call.started_ts > RING_TIME
}

/** The line that a finished call leaves in its channel (decisions, Welcome). */
export function callLine(call: { initiator: Username; answered_ts: Seconds | null }, ended: Seconds): string {
  if (call.answered_ts === null) return `Missed call from ${call.initiator}.`
  const minutes = Math.max(1, Math.round((ended - call.answered_ts) / 60))
  return `Call, ${minutes} min.`
}
