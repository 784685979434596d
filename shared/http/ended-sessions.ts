import { createHash } from 'node:crypto'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** How long a process accepts sessions it has served before while Redis is down. */
export const REMEMBERED: Seconds = 3_600
/** How long ended sessions are recorded: no process remembers a session for longer. */
const KEPT: Seconds = 2 * REMEMBERED
const MOST_FORGOTTEN = 100

/**
 * Records ended sessions in the database, where every process finds them while Redis is down. Called before the
 * sessions are removed from Redis. Also removes expired records.
 */
export async function noteEnded(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  await db.query(
    `with old as (
       select id_hash from ended_sessions
        where ended_at < clock_timestamp() - make_interval(secs => $2)
        limit $3
          for update skip locked
     ), forgotten as (
       delete from ended_sessions where id_hash in (select id_hash from old)
     )
     insert into ended_sessions (id_hash)
     select distinct unnest($1::bytea[])
     on conflict do nothing`,
    [ids.map(hashOf), KEPT, MOST_FORGOTTEN],
  )
}

/** True if a session that was served before has not been ended and its account is active. */
export async function isStillOpen(db: Db, id: string, username: Username): Promise<boolean> {
  const { rowCount } = await db.query(
    `select
      where exists (select from users where username = $2 and state = 'active')
        and not exists (select from ended_sessions where id_hash = $1)`,
    [hashOf(id), username],
  )
  return rowCount === 1
}

/** Returns the given sessions that were ended. */
export async function endedAmong(db: Db, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ id_hash: Buffer }>(
    'select id_hash from ended_sessions where id_hash = any($1::bytea[])',
    [ids.map(hashOf)],
  )
  const ended = new Set(rows.map(row => row.id_hash.toString('hex')))
  return new Set(ids.filter(id => ended.has(hashOf(id).toString('hex'))))
}

/** The database stores a hash, since the id itself gives access to the account. */
const hashOf = (id: string) => createHash('sha256').update(id).digest()
