import type { SignalPayload, SignalType } from '#shared/domain/payloads/calls.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export interface Signal {
  to: Username
  type: SignalType
  /** JSON text. */
  payload: string
}

export interface Chunk {
  data: Buffer
  /** Media type; set for an init segment only. */
  mime: string | undefined
  isInit: boolean
}

/** Serializes signals into the same inbox; other inboxes do not wait. */
export async function lockInbox(tx: Db, sessionId: string, recipient: Username): Promise<void> {
  await tx.query(`select pg_advisory_xact_lock(hashtextextended('inbox ' || $1 || ' ' || $2, 0))`, [
    sessionId,
    recipient,
  ])
}

export async function insertSignal(
  tx: Db,
  sessionId: string,
  from: Username,
  { to, type, payload }: Signal,
  now: Seconds,
): Promise<void> {
  await tx.query(
    `insert into signals (session_id, sender, recipient, type, payload, ts)
     values ($1, $2, $3, $4, $5, $6)`,
    [sessionId, from, to, type, payload, now],
  )
}

/** Deletes the oldest signals of one sender to one recipient beyond the limits. Keeps the newest, whatever its size. */
export async function trimSignals(
  tx: Db,
  sessionId: string,
  from: Username,
  to: Username,
  most: { signals: number; bytes: number },
): Promise<void> {
  await tx.query(
    `delete from signals
      where id in (
            select id
              from (select id,
                           row_number() over newest_first as place,
                           sum(octet_length(payload::text)) over newest_first as bytes
                      from signals
                     where session_id = $1 and recipient = $3 and sender = $2
                    window newest_first as (order by id desc)) kept
             where place > $4 or place > 1 and bytes > $5)`,
    [sessionId, from, to, most.signals, most.bytes],
  )
}

/** Returns the signals after `after`, oldest first: at least one, whatever its size. Deletes nothing. */
export async function signalsAfter(
  db: Db,
  sessionId: string,
  recipient: Username,
  after: number,
  since: Seconds,
  most: { signals: number; bytes: number },
): Promise<SignalPayload[]> {
  const { rows } = await db.query<SignalPayload>(
    `select id, sender as "from", type, payload, ts
       from (select next.*,
                    row_number() over oldest_first as place,
                    sum(octet_length(payload::text)) over oldest_first as bytes
               from (select *
                       from signals
                      where session_id = $1 and recipient = $2 and id > $3 and ts > $4
                      order by id
                      limit $5) next
             window oldest_first as (order by id)) counted
      where place = 1 or bytes <= $6
      order by id`,
    [sessionId, recipient, after, since, most.signals, most.bytes],
  )
  return rows
}

/** A new init segment replaces the previous one. */
export async function insertMedia(
  tx: Db,
  sessionId: string,
  sender: Username,
  chunk: Chunk,
  now: Seconds,
): Promise<number> {
  const { rows } = await tx.query<{ seq: number }>(
    `with replaced as (
       delete from media_chunks where session_id = $1 and sender = $2 and is_init and $3
     )
     insert into media_chunks (session_id, sender, is_init, mime_type, data, ts)
     values ($1, $2, $3, $4, $5, $6)
     returning seq`,
    [sessionId, sender, chunk.isInit, chunk.mime ?? null, chunk.data, now],
  )
  return rows[0]!.seq
}

export async function trimMedia(
  tx: Db,
  sessionId: string,
  sender: Username,
  most: { chunks: number; bytes: number },
): Promise<void> {
  await tx.query(
    `delete from media_chunks
      where seq in (
            select seq
              from (select seq,
                           row_number() over newest_first as place,
                           sum(octet_length(data)) over newest_first as bytes
                      from media_chunks
                     where session_id = $1 and sender = $2 and not is_init
                    window newest_first as (order by seq desc)) kept
             where place > $3 or bytes > $4)`,
    [sessionId, sender, most.chunks, most.bytes],
  )
}

export async function lastInit(db: Db, sessionId: string, sender: Username) {
  const { rows } = await db.query<{ mime_type: string; data: Buffer }>(
    `select mime_type, data
       from media_chunks
      where session_id = $1 and sender = $2 and is_init
      order by seq desc
      limit 1`,
    [sessionId, sender],
  )
  return rows[0]
}

/** At least one chunk, whatever its size. */
export async function chunksAfter(
  db: Db,
  sessionId: string,
  sender: Username,
  after: number,
  most: { chunks: number; bytes: number },
) {
  const { rows } = await db.query<{ seq: number; data: Buffer }>(
    `select seq, data
       from (select seq, data,
                    row_number() over oldest_first as place,
                    sum(octet_length(data)) over oldest_first as bytes
               from media_chunks
              where session_id = $1 and sender = $2 and seq > $3 and not is_init
             window oldest_first as (order by seq)) next
      where place = 1 or place <= $4 and bytes <= $5
      order by seq`,
    [sessionId, sender, after, most.chunks, most.bytes],
  )
  return rows
}
