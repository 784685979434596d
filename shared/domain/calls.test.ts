import { expect } from 'chai'
import {
  type CallRecord,
  type CallState,
  type CallVerb,
  callLine,
  hasRungOut,
  isLiving,
  type Participant,
  type ParticipantState,
  step,
  takesPart,
} from './calls.ts'

const ada = (state: ParticipantState = 'accepted'): Participant => ({
  username: 'ada',
  role: 'initiator',
  state,
})
const other = (username: string, state: ParticipantState): Participant => ({
  username,
  role: 'participant',
  state,
})
const call = (state: CallState, ...participants: Participant[]): CallRecord => ({ state, participants })

/** Formats the outcome of `step` as text. */
const outcomeText = (outcome: ReturnType<typeof step>) =>
  typeof outcome === 'string' ? outcome : `${outcome.call}, ${outcome.participant}`

describe('the states of a call (interface 3.1, 8)', () => {
  const VERBS: CallVerb[] = ['accept', 'join', 'reject', 'end', 'leave', 'invite']
  type Row = Record<CallVerb, string>

  /** Bob's outcomes in a call that ada started, with cleo pending or in it. */
  const TABLE: Record<CallState, Record<ParticipantState | 'none', Row>> = {
    ringing: {
      pending: {
        accept: 'active, accepted',
        join: 'active, accepted',
        reject: 'ringing, rejected',
        end: 'ended, left',
        leave: 'ringing, rejected',
        invite: 'ringing, pending',
      },
      accepted: {
        accept: 'ringing, accepted',
        join: 'ringing, accepted',
        reject: 'not now',
        end: 'ended, left',
        leave: 'ended, left',
        invite: 'ringing, accepted',
      },
      rejected: {
        accept: 'not now',
        join: 'active, accepted',
        reject: 'ringing, rejected',
        end: 'ended, left',
        leave: 'ringing, rejected',
        invite: 'ringing, pending',
      },
      left: {
        accept: 'not now',
        join: 'active, accepted',
        reject: 'not now',
        end: 'ended, left',
        leave: 'ringing, left',
        invite: 'ringing, pending',
      },
      none: {
        accept: 'not now',
        join: 'active, accepted',
        reject: 'not now',
        end: 'not now',
        leave: 'not now',
        invite: 'ringing, pending',
      },
    },
    active: {
      pending: {
        accept: 'active, accepted',
        join: 'active, accepted',
        reject: 'active, rejected',
        end: 'ended, left',
        leave: 'active, rejected',
        invite: 'active, pending',
      },
      accepted: {
        accept: 'active, accepted',
        join: 'active, accepted',
        reject: 'not now',
        end: 'ended, left',
        leave: 'active, left',
        invite: 'active, accepted',
      },
      rejected: {
        accept: 'not now',
        join: 'active, accepted',
        reject: 'active, rejected',
        end: 'ended, left',
        leave: 'active, rejected',
        invite: 'active, pending',
      },
      left: {
        accept: 'not now',
        join: 'active, accepted',
        reject: 'not now',
        end: 'ended, left',
        leave: 'active, left',
        invite: 'active, pending',
      },
      none: {
        accept: 'not now',
        join: 'active, accepted',
        reject: 'not now',
        end: 'not now',
        leave: 'not now',
        invite: 'active, pending',
      },
    },
    ended: allOver('ended'),
    rejected: allOver('rejected'),
  }

  /** Outcomes in a finished call: `end` and `leave` succeed without effect. */
  function allOver(state: CallState): Record<ParticipantState | 'none', Row> {
    const row = (own: ParticipantState): Row => ({
      accept: 'over',
      join: 'over',
      reject: 'over',
      end: `${state}, ${own}`,
      leave: `${state}, ${own}`,
      invite: 'over',
    })
    return {
      pending: row('pending'),
      accepted: row('accepted'),
      rejected: row('rejected'),
      left: row('left'),
      none: { accept: 'over', join: 'over', reject: 'over', end: 'over', leave: 'over', invite: 'over' },
    }
  }

  for (const state of ['ringing', 'active', 'ended', 'rejected'] as const) {
    for (const own of ['pending', 'accepted', 'rejected', 'left', 'none'] as const) {
      for (const verb of VERBS) {
        const expected = TABLE[state][own][verb]
        it(`${state}, ${own === 'none' ? 'no row' : own}: ${verb} → ${expected}`, () => {
          const cleo = other('cleo', state === 'active' ? 'accepted' : 'pending')
          const others = [ada(), cleo]
          const participants = own === 'none' ? others : [...others, other('bob', own)]
          expect(outcomeText(step(call(state, ...participants), verb, 'bob'))).to.equal(expected)
        })
      }
    }
  }

  it('is rejected when the last pending participant rejects it', () => {
    for (const cleo of ['rejected', 'left'] as const) {
      const ringing = call('ringing', ada(), other('bob', 'pending'), other('cleo', cleo))
      expect(outcomeText(step(ringing, 'reject', 'bob'))).to.equal('rejected, rejected')
      expect(outcomeText(step(ringing, 'leave', 'bob'))).to.equal('rejected, rejected')
    }
  })

  it('keeps ringing for another invitation when somebody rejects twice', () => {
    const ringing = call('ringing', ada(), other('bob', 'rejected'), other('cleo', 'pending'))
    expect(outcomeText(step(ringing, 'reject', 'bob'))).to.equal('ringing, rejected')
  })

  it('ends when fewer than two people stay, however many are pending', () => {
    const active = call('active', ada(), other('bob', 'accepted'), other('cleo', 'pending'))
    expect(outcomeText(step(active, 'leave', 'bob'))).to.equal('ended, left')
    expect(outcomeText(step(active, 'leave', 'ada'))).to.equal('ended, left')
  })

  it('continues without its initiator while two people stay', () => {
    const active = call('active', ada(), other('bob', 'accepted'), other('cleo', 'accepted'))
    expect(outcomeText(step(active, 'leave', 'ada'))).to.equal('active, left')
  })

  it('ends when its initiator leaves while it rings', () => {
    expect(outcomeText(step(call('ringing', ada(), other('bob', 'pending')), 'leave', 'ada'))).to.equal(
      'ended, left',
    )
  })

  it('cannot be accepted or rejected by its initiator', () => {
    const ringing = call('ringing', ada(), other('bob', 'pending'))
    expect(outcomeText(step(ringing, 'accept', 'ada'))).to.equal('ringing, accepted')
    expect(outcomeText(step(ringing, 'reject', 'ada'))).to.equal('not now')
  })

  it('rings for thirty seconds', () => {
    expect(hasRungOut({ state: 'ringing', started_ts: 100 }, 130)).to.equal(false)
    expect(hasRungOut({ state: 'ringing', started_ts: 100 }, 130.001)).to.equal(true)
    for (const state of ['active', 'ended', 'rejected'] as const) {
      expect(hasRungOut({ state, started_ts: 100 }, 1_000)).to.equal(false)
    }
  })

  it('classifies living states, and participants who take part', () => {
    expect((['ringing', 'active', 'ended', 'rejected'] as const).filter(isLiving)).to.deep.equal([
      'ringing',
      'active',
    ])
    expect((['pending', 'accepted', 'rejected', 'left', undefined] as const).filter(takesPart)).to.deep.equal(
      ['pending', 'accepted'],
    )
  })

  it('leaves a line with its duration, or with the caller of a missed call', () => {
    expect(callLine({ initiator: 'ada', answered_ts: null }, 1_000)).to.equal('Missed call from ada.')
    expect(callLine({ initiator: 'ada', answered_ts: 1_000 }, 1_000 + 12 * 60 + 20)).to.equal('Call, 12 min.')
    expect(callLine({ initiator: 'ada', answered_ts: 1_000 }, 1_010)).to.equal('Call, 1 min.')
    expect(callLine({ initiator: 'ada', answered_ts: 1_000 }, 990)).to.equal('Call, 1 min.')
  })
})
