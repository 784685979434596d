import type { Seconds } from '#shared/domain/units.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { Claim } from './hooks.ts'

/** Requests to one receiver at once. */
const AT_ONCE = 5
/** Longer than a try takes with its answer. After a janitor died, another one sends the delivery then. */
const LEASE: Seconds = 30

/**
 * Claims due deliveries of active hooks, at most `most`, at most AT_ONCE of a hook. The rows of the hooks are locked while
 * several janitors count; those that another one counts are skipped.
 */
export function claimDue({ pool, clock }: Stores, most: number): Promise<Claim[]> {
  return inTransaction(pool, async tx => {
    const now = clock.now()
    const { rows: hooks } = await tx.query<{ id: number }>(
      `select id
         from hooks_out hook
        where active and exists (
              select from deliveries
               where target_id = hook.id and state = 'waiting' and next_try_ts <= $1)
        order by random()
          for no key update skip locked`,
      [now],
    )
    if (hooks.length === 0) return []
    const { rows } = await tx.query<Claim>(
      `with chosen as (
         select due.id
           from unnest($1::bigint[]) as hook (id)
          cross join lateral (
                select id
                  from deliveries
                 where target_id = hook.id and state = 'waiting' and next_try_ts <= $2
                 order by next_try_ts
                 limit greatest(0, $3 - (select count(*) from deliveries busy
                                          where busy.target_id = hook.id and busy.state = 'waiting'
                                            and busy.next_try_ts > $2 and busy.leased_until > $2))) due
          limit $4
       )
       update deliveries
          set leased_until = $5, next_try_ts = $5
        where id in (select id from chosen)
       returning id, target_id, event, attempt, last_status, leased_until`,
      [hooks.map(({ id }) => id), now, AT_ONCE, most, now + LEASE],
    )
    return rows
  })
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
