import { RING_TIME } from '#shared/domain/calls.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { RunningCallPayload } from '#shared/domain/payloads/calls.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { GlobalCollection } from './collection.ts'

/** Calls per viewer at most, oldest first. */
const MOST_CALLS = 100

/**
 * The calls in progress in the viewers' channels, and those into which they are invited from elsewhere. In contrast to
 * `incoming_calls`, a call rings on for those who were called at its start when somebody else has answered.
 */
export const runningCalls: GlobalCollection<'running_calls'> = {
  event: 'running_calls',
  scope: 'global',
  minInterval: 1_000,

  read: ({ db, clock }, viewers) => runningAt(db, viewers, clock.now()),

  /** Returns when the next call of each viewer stops to ring. */
  async changesAt({ db }, viewers, asOf) {
    const ends = new Map<Username, Seconds>()
    for (const [viewer, calls] of await runningAt(db, viewers, asOf)) {
      const times = calls.flatMap(({ state, started_ts, rings_until }) => [
        ...(state === 'ringing' ? [started_ts + RING_TIME] : []),
        ...(rings_until === null ? [] : [rings_until]),
      ])
      if (times.length > 0) ends.set(viewer, Math.min(...times) + 0.01)
    }
    return ends
  },
}

interface LivingCall extends Omit<RunningCallPayload, 'rings_until' | 'participants'> {
  participants: LivingParticipant[]
}
type LivingParticipant = RunningCallPayload['participants'][number] & { invited_ts: Seconds }

async function runningAt(
  db: Db,
  viewers: Username[],
  now: Seconds,
): Promise<Map<Username, RunningCallPayload[]>> {
  const living = await livingCalls(db, now)
  const members = await membersOf(db, living, viewers)
  return new Map(viewers.map(viewer => [viewer, runningFor(viewer, living, members, now)]))
}

/** Without rings that have expired, which the janitor ends. */
async function livingCalls(db: Db, now: Seconds): Promise<LivingCall[]> {
  const { rows } = await db.query<LivingCall>(
    `select call.call_id, call.channel, call.initiator, call.state, call.video, call.started_ts, call.answered_ts,
            json_agg(json_build_object('username', participant.username, 'state', participant.state,
                                       'invited_ts', participant.invited_ts)
                     order by participant.join_order) as participants
       from calls call
       join call_participants participant using (call_id)
      where call.state in ('ringing', 'active')
        and (call.state = 'active' or call.started_ts > $1)
        and participant.state in ('accepted', 'pending')
      group by call.call_id
      order by call.started_ts, call.call_id`,
    [now - RING_TIME],
  )
  return rows
}

/** Returns `channel viewer` for the viewers who are members of the private channels of these calls. */
async function membersOf(db: Db, calls: LivingCall[], viewers: Username[]): Promise<Set<string>> {
  const ids = calls.flatMap(({ channel }) => {
    const parsed = parseChannelId(channel)
    return parsed?.kind === 'private' ? [parsed.privateId] : []
  })
  if (ids.length === 0) return new Set()
  const { rows } = await db.query<{ member: string }>(
    `select 'private:' || channel_id || ' ' || username as member
       from private_channel_members
      where channel_id = any($1) and username = any($2)`,
    [ids, viewers],
  )
  return new Set(rows.map(row => row.member))
}

function runningFor(
  viewer: Username,
  calls: LivingCall[],
  members: Set<string>,
  now: Seconds,
): RunningCallPayload[] {
  const running: RunningCallPayload[] = []
  for (const call of calls) {
    const own = call.participants.find(({ username }) => username === viewer)
    const parsed = parseChannelId(call.channel)
    const isReader =
      parsed?.kind === 'dm' ? parsed.participants.includes(viewer) : members.has(`${call.channel} ${viewer}`)
    if (!own && !isReader) continue
    const { call_id, channel, initiator, state, video, started_ts, answered_ts } = call
    const end = own ? ringsUntil(call, own) : null
    running.push({
      ...{ call_id, channel, initiator, state, video, started_ts, answered_ts },
      rings_until: end !== null && end > now ? end : null,
      participants: call.participants.map(({ username, state }) => ({ username, state })),
    })
    if (running.length === MOST_CALLS) break
  }
  return running
}

/** A pending participant rings from the start of the call; one invited into an active call, from the invitation. */
function ringsUntil(call: LivingCall, { state, invited_ts }: LivingParticipant): Seconds | null {
  if (state !== 'pending') return null
  const isInvitedLater = call.state === 'active' && invited_ts > call.started_ts
  return (isInvitedLater ? invited_ts : call.started_ts) + RING_TIME
}
