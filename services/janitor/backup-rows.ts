import type { MadeBackup } from '#shared/backup/make-backup.ts'
import type { Seconds } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** The table of backups, by the clock of the database. */

const NOW = 'extract(epoch from clock_timestamp())'
/** A nightly backup that failed is tried again after this time. */
const TRY_AGAIN: Seconds = 3600
/** Rows kept, in days. */
const KEPT_DAYS = 90

/** Why none is made, or that all is well; `since_ts` is when this became so. */
export async function noteTarget(
  db: Db,
  folder: string | undefined,
  problem: string | undefined,
): Promise<void> {
  await db.query(
    `insert into backup_target as target (folder, problem, since_ts)
     values ($1, $2, ${NOW})
     on conflict (one) do update
        set folder = excluded.folder, problem = excluded.problem, since_ts = excluded.since_ts
      where (target.folder, target.problem) is distinct from (excluded.folder, excluded.problem)`,
    [folder ?? null, problem ?? null],
  )
}

/** The last time that it was this hour, UTC; null if backups are off. */
const SLOT = `case when $1::int >= 0 then
    date_trunc('day', timezone('UTC', now()) - make_interval(hours => $1)) + make_interval(hours => $1)
  end`

/** Asked for, or not made since the hour came and not just failed. A row without an end is that of a killed janitor. */
const DUE = `
  exists (select from backups where started_ts is null)
  or (${SLOT} is not null
      and not exists (select from backups
                       where ok and done_ts >= extract(epoch from ${SLOT} at time zone 'UTC'))
      and not exists (select from backups
                       where not ok and done_ts > ${NOW} - ${TRY_AGAIN} and not report ? 'killed'))`

export async function isDue(db: Db, hour: number): Promise<boolean> {
  const { rows } = await db.query<{ due: boolean }>(`select ${DUE} as due`, [hour])
  return rows[0]!.due
}

/** The row of a due backup, marked as begun: the one that was asked for, or a new one. */
export async function beginBackup(db: Db, hour: number): Promise<number | undefined> {
  const asked = await db.query<{ id: number }>(
    `update backups set started_ts = ${NOW} where started_ts is null returning id`,
  )
  if (asked.rows[0]) return asked.rows[0].id
  await db.query(`delete from backups where asked_ts < ${NOW} - ${KEPT_DAYS * 86_400}`)
  const { rows } = await db.query<{ id: number }>(
    `insert into backups (asked_ts, started_ts) select ${NOW}, ${NOW} where ${DUE} returning id`,
    [hour],
  )
  return rows[0]?.id
}

/** Ends the rows of killed janitors; called by who has the lock. */
export async function endKilled(db: Db): Promise<void> {
  await db.query(
    `update backups set done_ts = ${NOW}, report = '{"killed": true}'
      where started_ts is not null and done_ts is null`,
  )
}

export async function noteMade(db: Db, id: number, { path, bytes }: MadeBackup): Promise<void> {
  await db.query('update backups set path = $2, bytes = $3 where id = $1', [id, path, bytes])
}

/** Names of the backups that a janitor made. */
export async function ownBackups(db: Db): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ name: string }>(
    `select substring(path from '([0-9-]+T[0-9-]+Z)($|[?])') as name from backups where path is not null`,
  )
  return new Set(rows.map(({ name }) => name))
}

type End =
  | { ok: true; secondsToRestore: Seconds; facts: Record<string, unknown> }
  | { ok: false; fault: string }

export async function endBackup(db: Db, id: number, end: End): Promise<void> {
  await db.query(
    `update backups
        set done_ts = ${NOW}, ok = $2, report = $3, seconds_to_restore = $4,
            verified_ts = case when $2 then ${NOW} end
      where id = $1`,
    [
      id,
      end.ok,
      JSON.stringify(end.ok ? end.facts : { fault: end.fault }),
      end.ok ? end.secondsToRestore : null,
    ],
  )
}

export interface Progress {
  /** Since the newest complete backup, proven or not. */
  madeAgo: Seconds | undefined
  isNewestProven: boolean
  provenAgo: Seconds | undefined
  /** Since BACKUP_DIR is as it is. */
  targetAgo: Seconds
}

export async function readProgress(db: Db): Promise<Progress> {
  const { rows } = await db.query<{
    made: Seconds | null
    proven: boolean | null
    verified: Seconds | null
    target: Seconds
  }>(
    `select ${NOW} - newest.started_ts as made,
            newest.verified_ts is not null as proven,
            ${NOW} - (select max(verified_ts) from backups) as verified,
            ${NOW} - since_ts as target
       from backup_target
       left join lateral (select started_ts, verified_ts from backups where path is not null
                           order by started_ts desc limit 1) newest on true`,
  )
  const { made, proven, verified, target } = rows[0]!
  return {
    madeAgo: made === null ? undefined : Number(made),
    isNewestProven: proven === true,
    provenAgo: verified === null ? undefined : Number(verified),
    targetAgo: Number(target),
  }
}

/** True if somebody was warned within this time; otherwise notes that they are now. */
export async function hasWarned(db: Db, within: Seconds): Promise<boolean> {
  const { rowCount } = await db.query(
    `update backup_target set warned_ts = ${NOW} where coalesce(warned_ts, 0) < ${NOW} - $1::double precision`,
    [within],
  )
  return rowCount === 0
}
