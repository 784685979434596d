import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Messages of a channel within this distance of a time. Reading one is for shared/access. */
export async function messagesNear(db: Db, channel: ChannelId, ts: Seconds, distance: Seconds) {
  const { rows } = await db.query<{ id: number; ts: Seconds }>(
    `select message.id, message.ts
       from messages message
      where message.channel = $1
        and message.ts between $2::double precision - $3::double precision
                           and $2::double precision + $3::double precision
        and ${IS_NOT_REMOVED}
      order by abs(message.ts - $2::double precision)
      limit 3`,
    [channel, ts, distance],
  )
  return rows
}

/** The times of messages of a channel from the start of a history on, by id. */
export async function timesOf(
  db: Db,
  channel: ChannelId,
  ids: readonly number[],
  historyStart: Seconds,
): Promise<Map<number, Seconds>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<{ id: number; ts: Seconds }>(
    `select id, ts
       from messages
      where id = any($1) and channel = $2 and ts >= $3`,
    [ids, channel, historyStart],
  )
  return new Map(rows.map(({ id, ts }) => [id, ts]))
}

/** The first who came, if several have this address, which nothing forbids. Capitals do not count. */
export async function personWithEmail(
  db: Db,
  email: string,
): Promise<{ username: Username; email: string } | undefined> {
  const { rows } = await db.query<{ username: Username; email: string }>(
    `select username, email
       from users
      where lower(email) = lower($1) and state = 'active'
      order by created_ts, username
      limit 1`,
    [email],
  )
  return rows[0]
}
