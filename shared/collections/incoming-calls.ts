import { RING_TIME } from '#shared/domain/calls.ts'
import type { IncomingCallPayload } from '#shared/domain/payloads/calls.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { GlobalCollection } from './collection.ts'

export const incomingCalls: GlobalCollection<'incoming_calls'> = {
  event: 'incoming_calls',
  scope: 'global',
  minInterval: 1_000,

  async read({ db, clock }, viewers) {
    const payloads = new Map<Username, IncomingCallPayload[]>(viewers.map(viewer => [viewer, []]))
    for (const { viewer, rings_from: _, ...call } of await ringingFor(db, viewers, clock.now())) {
      payloads.get(viewer)!.push(call)
    }
    return payloads
  },

  /** Returns when the oldest ring of each viewer times out. */
  async changesAt({ db }, viewers, asOf) {
    const ends = new Map<Username, Seconds>()
    for (const { viewer, rings_from } of await ringingFor(db, viewers, asOf)) {
      ends.set(viewer, Math.min(ends.get(viewer) ?? Infinity, rings_from + RING_TIME + 0.01))
    }
    return ends
  },
}

/**
 * Returns the pending rings of these viewers (interface 3.1). A ringing call rings for every participant until its own
 * time-out; an active one only for people invited later, from their invitation on (interface 3.1).
 */
async function ringingFor(db: Db, viewers: Username[], now: Seconds) {
  const { rows } = await db.query<IncomingCallPayload & { viewer: Username; rings_from: Seconds }>(
    `select participant.username as viewer,
            case call.state when 'ringing' then call.started_ts else participant.invited_ts end as rings_from,
            call.call_id, call.channel, call.initiator, call.started_ts
       from call_participants participant
       join calls call using (call_id)
      where participant.username = any($1)
        and participant.state = 'pending'
        and participant.invited_ts > $2
        and (call.state = 'ringing' and call.started_ts > $2
             or call.state = 'active' and participant.invited_ts > call.started_ts)
      order by call.started_ts, call.call_id`,
    [viewers, now - RING_TIME],
  )
  return rows
}
