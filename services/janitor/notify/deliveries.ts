import type { Seconds } from '#shared/domain/units.ts'
import { ADVISORY_LOCKS } from '#shared/stores/advisory-locks.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Claim, Untold } from './hooks.ts'

/** Requests to one receiver at once. */
const AT_ONCE = 5
/** To one whose last try failed: a silent receiver holds a place for as long as a try takes. */
const AT_ONCE_FAILING = 1
/** Requests of one maker at once: a quarter of a worker's places for deliveries, and fewer than those of one host. */
const MOST_OF_MAKER = 6
/** Requests at once, fewer than the jobs that a worker takes: commands wait behind none of them. */
const MOST_IN_ALL = 128
/** Longer than a try takes with its answer. After a janitor died, another one sends the delivery then. */
const LEASE: Seconds = 30

/**
 * Claims due deliveries of active hooks, at most `most`. The limits count what all janitors send: the leases of a dead one
 * too, until they end. Makers with the fewest on their way come first, of a maker such hooks. Claims nothing while another
 * janitor does.
 */
export function claimDue({ pool, clock }: Stores, most: number): Promise<Claim[]> {
  return inTransaction(pool, async tx => {
    if (!(await isAlone(tx))) return []
    const { text, values } = claimStatement(clock.now(), most)
    const { rows } = await tx.query<Claim>(text, values)
    return rows
  })
}

/**
 * Costs a probe or two of each hook, however many deliveries are due: by literal limits and ids in an array the planner
 * knows so too. From an estimate of 100,000 on PostgreSQL compiles the statement, which takes longer than to run it.
 */
export const claimStatement = (now: Seconds, most: number) => ({
  text: `
    with hook as materialized (
      select hook.id, hook.active, coalesce(hook.created_by, bot.bot_owner, hook.bot) as maker,
             case when hook.failing_since is null then ${AT_ONCE} else ${AT_ONCE_FAILING} end as at_once,
             (select count(*)
                from deliveries
               where target_id = hook.id and state = 'waiting' and leased_until > $1
                 and next_try_ts > $1 and next_try_ts <= $2) as busy
        from hooks_out hook
        join users bot on bot.username = hook.bot
    ), maker as (
      select maker, sum(busy) as busy from hook group by maker
    ), due as (
      select delivery.id, maker, maker.busy as busy, hook.busy + delivery.place as place
        from hook
        join maker using (maker)
       cross join lateral (
             select id, row_number() over (order by next_try_ts) as place
               from (select id, next_try_ts
                       from deliveries
                      where hook.active and hook.busy < hook.at_once and maker.busy < ${MOST_OF_MAKER}
                        and target_id = hook.id and state = 'waiting' and next_try_ts <= $1
                      order by next_try_ts
                      limit ${AT_ONCE}) first) delivery
       where hook.busy + delivery.place <= hook.at_once
    ), ranked as (
      select id, busy + row_number() over (partition by maker order by place, random()) as place from due
    ), chosen as (
      select id
        from ranked
       where place <= ${MOST_OF_MAKER}
       order by place, random()
       limit greatest(0, least($3, ${MOST_IN_ALL} - (select sum(busy) from maker)))
    )
    update deliveries
       set leased_until = $2, next_try_ts = $2
     where id = any(array(select id from chosen))
    returning id, target_id, event, event ->> 'untold' as untold, attempt, last_status, leased_until`,
  values: [now, now + LEASE, most],
})

/** Two janitors at once would not count what the other one claims. */
async function isAlone(tx: Db): Promise<boolean> {
  const { rows } = await tx.query<{ alone: boolean }>('select pg_try_advisory_xact_lock($1) as alone', [
    ADVISORY_LOCKS.deliveries,
  ])
  return rows[0]!.alone
}

export interface Outcome {
  state: 'waiting' | 'sent' | 'failed' | 'gone'
  attempt: number
  nextTry: Seconds
  status: number | null
  error: string | null
  ms: number | null
}

/** False if the lease is another one's by now: that one writes the outcome. */
export async function writeOutcome(db: Db, { id, leased_until }: Claim, now: Seconds, outcome: Outcome) {
  const { state, attempt, nextTry, status, error, ms } = outcome
  const { rowCount } = await db.query(
    `update deliveries
        set state = $3, attempt = $4, next_try_ts = $5, last_status = $6, last_error = $7, last_ms = $8,
            leased_until = null, done_ts = case when $3 <> 'waiting' then $9::double precision end
      where id = $1 and state = 'waiting' and leased_until = $2`,
    [id, leased_until, state, attempt, nextTry, status, error, ms, now],
  )
  return rowCount === 1
}

/** SQL of an event without what it tells. `why`: SQL. */
export const withoutContent = (why: string) =>
  `jsonb_build_object('type', event -> 'type', 'timestamp', event -> 'timestamp', 'untold', ${why})`

/** Ends a delivery that may not be told, and drops its content: another try asked for by hand is not told either. */
export async function writeUntold(db: Db, { id, leased_until }: Claim, now: Seconds, why: Untold) {
  await db.query(
    `update deliveries
        set state = 'gone', last_status = null, last_error = $3, last_ms = null, leased_until = null, done_ts = $4,
            event = ${withoutContent('$3::text')}
      where id = $1 and state = 'waiting' and leased_until = $2`,
    [id, leased_until, why, now],
  )
}

export async function noteSuccess(db: Db, hook: number) {
  await db.query('update hooks_out set failing_since = null where id = $1 and failing_since is not null', [
    hook,
  ])
}

/** Returns since when the hook fails. */
export async function noteFailure(db: Db, hook: number, now: Seconds): Promise<Seconds> {
  await db.query('update hooks_out set failing_since = $2 where id = $1 and failing_since is null', [
    hook,
    now,
  ])
  const { rows } = await db.query<{ failing_since: Seconds | null }>(
    'select failing_since from hooks_out where id = $1',
    [hook],
  )
  return rows[0]?.failing_since ?? now
}
