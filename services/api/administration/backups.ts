import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { BackupPayload, BackupsPayload } from '#shared/domain/payloads/administration.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { ADVISORY_LOCKS } from '#shared/stores/advisory-locks.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { lockAdmin } from '../middleware/administration.ts'

/** GET and POST /admin/backups (interface 17.4). The janitor makes them (services/janitor/backups.ts). */

const LISTED = 50
const HOUR: Seconds = 3600
const DAY = 24 * HOUR

export async function listBackups({ db, settings, clock }: Stores): Promise<BackupsPayload> {
  const { rows: items } = await db.query<BackupPayload>(
    `select id, asked_by, asked_ts, started_ts, done_ts, ok, verified_ts, seconds_to_restore, bytes,
            substring(case when path like 's3:%' then split_part(path, '?', 1) else path end from '[^/\\\\]+$') as name,
            report
       from backups
      order by asked_ts desc, id desc
      limit $1`,
    [LISTED],
  )
  const now = clock.now()
  const { folder, problem, say } = await targetOf(db)
  const hour = settings.current.backup_hour
  const today = Math.floor(now / DAY) * DAY + hour * HOUR
  const next_at = problem !== null || hour < 0 ? null : today > now ? today : today + DAY
  return { items, next_at, folder, problem, say: say ?? provenIn(items, now) }
}

interface Target extends Pick<BackupsPayload, 'folder' | 'problem'> {
  /** The problem in words. */
  say: string | null
}

async function targetOf(db: Db): Promise<Target> {
  const { rows } = await db.query<{ folder: string | null; say: string | null }>(
    'select folder, problem as say from backup_target',
  )
  if (!rows[0]) return { folder: null, problem: 'not_started', say: 'The janitor has not started yet.' }
  const { folder, say } = rows[0]
  return { folder, problem: say === null ? null : folder === null ? 'no_folder' : 'not_writable', say }
}

function provenIn(items: readonly BackupPayload[], now: Seconds): string {
  const proven = items.find(item => item.verified_ts !== null)
  if (!proven) return 'No restore was proven yet.'
  const ago = now - proven.verified_ts!
  const time = ago < HOUR ? `${Math.floor(ago / 60)} min` : `${Math.floor(ago / HOUR)} h`
  return `Restore last proven ${time} ago, took ${Math.ceil(proven.seconds_to_restore ?? 0)} s.`
}

/** Queues a backup, or returns the one already queued or running. */
export async function askForBackup({ pool }: Stores, actor: Actor): Promise<{ id: number }> {
  return inTransaction(pool, async tx => {
    if ((await lockAdmin(tx, actor)) !== 'owner')
      throw errors.coded(403, 'forbidden', 'Only owners may do this.')
    const { say } = await targetOf(tx)
    if (say !== null) throw errors.coded(409, 'conflict', say)
    const running = await runningBackup(tx)
    if (running) return running
    const { rows: made } = await tx.query<{ id: number }>(
      `insert into backups (asked_by, asked_ts)
       values ($1, extract(epoch from clock_timestamp()))
       on conflict ((started_ts is null)) where started_ts is null do nothing
       returning id`,
      [actor.actor],
    )
    if (made[0]) {
      await insertAuditEntry(tx, { ...actor, action: 'backup.asked' })
      return made[0]
    }
    const { rows } = await tx.query<{ id: number }>('select id from backups where started_ts is null')
    // It began this moment: the next one may be asked for.
    if (!rows[0]) throw errors.coded(409, 'conflict', 'A backup is just being made.')
    return rows[0]
  })
}

/** The row alone is no proof: a killed janitor leaves it without an end. */
async function runningBackup(tx: Db): Promise<{ id: number } | undefined> {
  const { rows } = await tx.query<{ id: number }>(
    `select id
       from backups
      where started_ts is not null and done_ts is null
      order by id desc
      limit 1`,
  )
  return rows[0] && (await isBackupBeingMade(tx)) ? rows[0] : undefined
}

/** True while a janitor makes or proves a backup of this database; a killed one no longer has the lock. */
async function isBackupBeingMade(db: Db): Promise<boolean> {
  const { rows } = await db.query<{ runs: boolean }>(
    `select exists (
       select from pg_locks
        where locktype = 'advisory' and granted
          and classid = 0 and objid = $1::bigint::oid and objsubid = 1
          and database = (select oid from pg_database where datname = current_database())
     ) as runs`,
    [ADVISORY_LOCKS.backupRound],
  )
  return rows[0]!.runs
}
