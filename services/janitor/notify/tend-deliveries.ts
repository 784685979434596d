import type { Seconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { failedDeliveries } from './measure-deliveries.ts'

/** Deliveries of a hook that wait, and their bytes. Beyond, the oldest fail: a receiver that is down for days loses them. */
const MOST_WAITING = 10_000
const MOST_WAITING_BYTES = 64 * 1024 * 1024
const KEPT: Seconds = 7 * 24 * 3_600
const BATCH = 5_000

/** Fails what waits beyond the limits, and ends what waits for a hook that is disabled. */
export async function boundDeliveries({ db, clock }: Stores): Promise<number> {
  const { rowCount: over } = await db.query(
    `with waiting as (
       select id, row_number() over newest as place, sum(bytes) over newest as total
         from deliveries
        where state = 'waiting'
       window newest as (partition by target_id order by created_ts desc, id desc)
     )
     update deliveries
        set state = 'failed', last_error = 'too_many_waiting', done_ts = $3, leased_until = null
      where state = 'waiting'
        and id in (select id from waiting where place > $1 or total > $2)`,
    [MOST_WAITING, MOST_WAITING_BYTES, clock.now()],
  )
  const { rowCount: ended } = await db.query(
    `update deliveries
        set state = 'gone', last_error = coalesce(last_error, 'disabled'), done_ts = $1, leased_until = null
      where id = any(array(
            select id from deliveries
             where state = 'waiting'
               and not exists (select from hooks_out hook where hook.id = target_id and hook.active)
             limit $2
               for update skip locked))`,
    [clock.now(), BATCH],
  )
  failedDeliveries.inc(over ?? 0)
  return (over ?? 0) + (ended ?? 0)
}

/** Deletes the oldest ended deliveries of a hook beyond the numbers that may wait: a week of a busy office is more. */
export async function boundEnded(
  { db }: Pick<Stores, 'db'>,
  most = MOST_WAITING,
  mostBytes = MOST_WAITING_BYTES,
): Promise<number> {
  let deleted = 0
  for (let count = BATCH; count === BATCH; deleted += count) {
    const { rowCount } = await db.query(
      `with crowded as (
         select target_id
           from deliveries
          where state <> 'waiting'
          group by target_id
         having count(*) > $1 or sum(bytes) > $2
       ), ended as (
         select id, row_number() over newest as place, sum(bytes) over newest as total
           from deliveries
          where state <> 'waiting' and target_id in (select target_id from crowded)
         window newest as (partition by target_id order by created_ts desc, id desc)
       )
       delete from deliveries
        where state <> 'waiting'
          and id = any(array(select id from ended where place > $1 or total > $2 limit $3))`,
      [most, mostBytes, BATCH],
    )
    count = rowCount ?? 0
  }
  return deleted
}

/** Deletes deliveries that ended a week ago, and those of deleted hooks. */
export async function forgetDeliveries({ db, clock }: Stores): Promise<number> {
  let forgotten = 0
  for (let count = BATCH; count === BATCH; forgotten += count) {
    const { rowCount } = await db.query(
      `delete from deliveries
        where id = any(array(
              select id
                from deliveries
               where state <> 'waiting'
                 and (done_ts < $1 or not exists (select from hooks_out hook where hook.id = target_id))
               limit $2
                 for update skip locked))`,
      [clock.now() - KEPT, BATCH],
    )
    count = rowCount ?? 0
  }
  return forgotten
}
