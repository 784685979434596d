import type { Seconds } from '#shared/domain/units.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { withoutContent } from './deliveries.ts'
import { fairShare } from './fair-share.ts'
import { failedDeliveries } from './measure-deliveries.ts'

const MIB = 1024 * 1024
/**
 * Deliveries of a hook that wait, and their bytes; as many ended ones are kept. Beyond, the oldest fail or are deleted: a
 * receiver that is down for days loses them, and a week of a busy office is more. `bytesInAll`: of the whole server, which
 * 16 hooks at their own limit reach.
 */
const LIMITS = { count: 10_000, bytes: 64 * MIB, bytesInAll: 1_024 * MIB }
const KEPT: Seconds = 7 * 24 * 3_600
/** Rows of a statement: it and its locks stay short. */
const BATCH = 500

/** SQL: nobody sends it now. The outcome of a delivery on its way counts. */
const IS_IDLE = '(leased_until is null or leased_until <= $1)'

/**
 * Fails what waits beyond the limits, ends what waits for a hook that is disabled, deletes the oldest that ended. Hook by
 * hook and in batches, so that no statement is long; what another transaction has locked is left to the next run.
 */
export async function boundDeliveries(stores: Stores, limits = LIMITS): Promise<number> {
  let changed = 0
  const sizes: Size[] = []
  for (const { id, is_active } of await readTargets(stores)) {
    let size = await sizeOf(stores.db, id)
    const done = await boundTarget(stores, size, is_active, limits)
    if (done > 0) size = await sizeOf(stores.db, id)
    changed += done
    sizes.push(size)
  }
  return changed + (await boundAll(stores, sizes, limits.bytesInAll))
}

/** Deletes deliveries that ended a week ago, and those of deleted hooks. */
export async function forgetDeliveries(stores: Stores): Promise<number> {
  const { db, clock } = stores
  let forgotten = await inBatches(db, 'delete from deliveries', `state <> 'waiting' and done_ts < $1`, [
    clock.now() - KEPT,
  ])
  for (const { id, is_deleted } of await readTargets(stores))
    if (is_deleted)
      forgotten += await inBatches(db, 'delete from deliveries', `target_id = $1 and state <> 'waiting'`, [
        id,
      ])
  return forgotten
}

interface Target {
  id: number
  is_active: boolean
  is_deleted: boolean
}

/**
 * The hooks that have deliveries, deleted ones too: one probe of the index for each. The planner has no choice, since its
 * statistics are old after many inserts, and the whole table instead takes minutes.
 */
function readTargets({ pool }: Stores): Promise<Target[]> {
  return inTransaction(pool, async tx => {
    await tx.query('set local enable_seqscan = off; set local enable_bitmapscan = off')
    const { rows } = await tx.query<Target>(
      `with recursive target (id) as (
         select min(target_id) from deliveries
          union all
         select (select min(target_id) from deliveries where target_id > target.id) from target where target.id is not null
       )
       select target.id, coalesce(hook.active, false) as is_active, hook.id is null as is_deleted
         from target
         left join hooks_out hook on hook.id = target.id
        where target.id is not null
        order by target.id`,
    )
    return rows
  })
}

interface Size {
  hook: number
  /** Bytes, and their number. */
  waiting: number
  ended: number
  count_waiting: number
  count_ended: number
}

/** Reads the index alone, where rows have come to rest. */
export const SIZE = `
  select $1::bigint as hook, coalesce(sum(bytes) filter (where state = 'waiting'), 0) as waiting,
         coalesce(sum(bytes) filter (where state <> 'waiting'), 0) as ended,
         count(*) filter (where state = 'waiting') as count_waiting,
         count(*) filter (where state <> 'waiting') as count_ended
    from deliveries
   where target_id = $1`

const sizeOf = async (db: Db, hook: number) => (await db.query<Size>(SIZE, [hook])).rows[0]!

async function boundTarget(stores: Stores, size: Size, isActive: boolean, { count, bytes }: Most) {
  const { hook, waiting, count_waiting } = size
  let ended = 0
  if (!isActive) ended = count_waiting && (await endWaiting(stores, hook))
  else if (count_waiting > count || waiting > bytes) ended = await failBeyond(stores, hook, { count, bytes })
  if (ended === 0 && size.count_ended <= count && size.ended <= bytes) return 0
  return ended + (await deleteBeyond(stores.db, hook, { count, bytes }))
}

type Most = Pick<typeof LIMITS, 'count' | 'bytes'>

async function failBeyond({ db, clock }: Stores, hook: number, most: Most, keepsContent = true) {
  const first = await firstBeyond(db, hook, `state = 'waiting'`, most)
  if (!first) return 0
  const failed = await inBatches(
    db,
    `update deliveries
        set state = 'failed', last_error = 'too_many_waiting', done_ts = $1, leased_until = null
            ${keepsContent ? '' : `, event = ${withoutContent(`'too_many_waiting'`)}`}`,
    `target_id = $2 and state = 'waiting' and ${IS_IDLE} and (created_ts, id) <= ($3::double precision, $4::uuid)`,
    [clock.now(), hook, first.created_ts, first.id],
  )
  failedDeliveries.inc(failed)
  return failed
}

const endWaiting = ({ db, clock }: Stores, hook: number) =>
  inBatches(
    db,
    `update deliveries
        set state = 'gone', last_error = coalesce(last_error, 'disabled'), done_ts = $1, leased_until = null`,
    `target_id = $2 and state = 'waiting' and ${IS_IDLE}`,
    [clock.now(), hook],
  )

async function deleteBeyond(db: Db, hook: number, most: Most) {
  const first = await firstBeyond(db, hook, `state <> 'waiting'`, most)
  if (!first) return 0
  return inBatches(
    db,
    'delete from deliveries',
    `target_id = $1 and state <> 'waiting' and (created_ts, id) <= ($2::double precision, $3::uuid)`,
    [hook, first.created_ts, first.id],
  )
}

/** The newest delivery of a hook that is over a limit: all older ones are, too. `are`: SQL. */
async function firstBeyond(db: Db, hook: number, are: string, { count, bytes }: Most) {
  const { rows } = await db.query<{ id: string; created_ts: Seconds }>(
    `select id, created_ts
       from (select id, created_ts, row_number() over newest as place, sum(bytes) over newest as total
               from deliveries
              where target_id = $1 and ${are}
             window newest as (order by created_ts desc, id desc rows unbounded preceding)) delivery
      where place > $2 or total > $3
      order by created_ts desc, id desc
      limit 1`,
    [hook, count, bytes],
  )
  return rows[0]
}

/** Runs a statement over all rows that fulfil a condition. Both are SQL with the same values. */
async function inBatches(db: Db, statement: string, condition: string, values: readonly unknown[]) {
  let all = 0
  for (let count = BATCH; count === BATCH; all += count) {
    const { rowCount } = await db.query(
      `${statement}
        where id = any(array(select id from deliveries where ${condition} limit ${BATCH} for update skip locked))`,
      [...values],
    )
    count = rowCount ?? 0
  }
  return all
}

/**
 * Bounds those of the whole server: deletes what ended first. If what waits is too much by itself, the oldest of the hooks
 * with the most fail, and lose their content: kept, they would take the place of what waits.
 */
async function boundAll(stores: Stores, sizes: readonly Size[], most: number): Promise<number> {
  const waiting = sizes.reduce((sum, size) => sum + size.waiting, 0)
  const ended = sizes.reduce((sum, size) => sum + size.ended, 0)
  let changed = await deleteOldest(stores.db, waiting + ended - most)
  if (waiting <= most) return changed
  const bytes = fairShare(
    sizes.map(size => size.waiting),
    most,
  )
  for (const size of sizes)
    if (size.waiting > bytes)
      changed += await failBeyond(stores, size.hook, { count: LIMITS.count, bytes }, false)
  return changed
}

/** Deletes ended deliveries until these bytes are free. */
async function deleteOldest(db: Db, bytes: number): Promise<number> {
  let deleted = 0
  for (let left = bytes; left > 0; ) {
    const { rows } = await db.query<{ count: number; bytes: number }>(
      `with oldest as (
         select id, bytes, done_ts from deliveries where state <> 'waiting' order by done_ts limit ${BATCH}
       ), enough as (
         select id, sum(bytes) over (order by done_ts, id) - bytes as before from oldest
       ), deleted as (
         delete from deliveries
          where state <> 'waiting' and id = any(array(select id from enough where before < $1))
         returning bytes
       )
       select count(*) as count, coalesce(sum(bytes), 0) as bytes from deleted`,
      [left],
    )
    const { count, bytes: freed } = rows[0]!
    if (count === 0) break
    deleted += count
    left -= freed
  }
  return deleted
}
