import type { ScheduledPayload } from '#shared/domain/payloads/later.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Failures are listed for this long. */
export const FAILURES_KEPT: Seconds = 30 * 24 * 3600

const COLUMNS = 'id, channel, text, reply_to_id, send_ts, created_ts, state, failed_why'

export async function countWaiting(tx: Db, username: Username): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::integer as count from scheduled where username = $1 and state = 'waiting'`,
    [username],
  )
  return rows[0]!.count
}

export async function insertScheduled(
  tx: Db,
  username: Username,
  send: { channel: ChannelId; text: string; replyTo: number | null; sendTs: Seconds },
): Promise<ScheduledPayload> {
  const { rows } = await tx.query<ScheduledPayload>(
    `insert into scheduled (username, channel, text, reply_to_id, send_ts, created_ts)
     values ($1, $2, $3, $4, $5, extract(epoch from clock_timestamp()))
     returning ${COLUMNS}`,
    [username, send.channel, send.text, send.replyTo, send.sendTs],
  )
  return rows[0]!
}

/** The row of the person, locked. Waits while the janitor sends it. */
export async function lockScheduled(
  tx: Db,
  username: Username,
  id: number,
): Promise<(ScheduledPayload & { state: 'waiting' | 'sent' | 'failed' }) | undefined> {
  const { rows } = await tx.query<ScheduledPayload>(
    `select ${COLUMNS} from scheduled where id = $1 and username = $2 for update`,
    [id, username],
  )
  return rows[0]
}

/** A failed one with a new time waits again. */
export async function updateScheduled(
  tx: Db,
  id: number,
  { text, sendTs }: { text: string | undefined; sendTs: Seconds | undefined },
): Promise<void> {
  await tx.query(
    `update scheduled
        set text = coalesce($2, text),
            send_ts = coalesce($3, send_ts),
            state = case when $3::double precision is null then state else 'waiting' end,
            failed_why = case when $3::double precision is null then failed_why end,
            ended_ts = case when $3::double precision is null then ended_ts end,
            read_ts = case when $3::double precision is null then read_ts end
      where id = $1`,
    [id, text ?? null, sendTs ?? null],
  )
}

export async function deleteScheduled(tx: Db, id: number): Promise<void> {
  await tx.query('delete from scheduled where id = $1', [id])
}

/** A page by time: waiting ones, and those that failed lately. */
export async function scheduledAfter(
  db: Db,
  username: Username,
  failedFrom: Seconds,
  after: readonly [sendTs: Seconds, id: number],
  limit: number,
): Promise<Fitting<ScheduledPayload>> {
  const sends = `
    select id as send, send_ts as at, 300 + octet_length(text) as bytes
      from scheduled
     where username = $1
       and (state = 'waiting' or (state = 'failed' and ended_ts > $2))
       and (send_ts, id) > ($3::double precision, $4::bigint)`
  const { rows } = await db.query<ScheduledPayload & { more: boolean }>(
    `with page as materialized (${firstThatFit(sends, 'at, send', '$5')})
     select ${COLUMNS}, more
       from page join scheduled on scheduled.id = page.send
      order by send_ts, id`,
    [username, failedFrom, ...after, limit],
  )
  return fittingOf(rows, row => row)
}
