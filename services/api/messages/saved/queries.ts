import { readableChannelsValues } from '#shared/access/readable-channels.ts'
import { READABLE_SAVED } from '#shared/access/readable-saved.ts'
import { MESSAGE_BYTES, MESSAGE_COLUMNS, type MessageRow, payloadOf } from '#shared/collections/messages.ts'
import type { SavedPayload } from '#shared/domain/payloads/later.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Open ones besides this message. */
export async function countOpen(tx: Db, username: Username, besides: number): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::integer as count from saved where username = $1 and message_id <> $2 and done_ts is null`,
    [username, besides],
  )
  return rows[0]!.count
}

/** Open ones that the person may not read any more, which no list shows. */
export async function forgetUnreadable(tx: Db, stores: Stores, username: Username): Promise<void> {
  await tx.query(
    `delete from saved
      where username = $3
        and done_ts is null
        and message_id not in (select saved.message_id from ${READABLE_SAVED} where saved.username = $3)`,
    [...readableChannelsValues(stores, [username]), username],
  )
}

/** Keeps the newest ones that are done. */
export async function trimDone(tx: Db, username: Username, most: number): Promise<void> {
  await tx.query(
    `delete from saved
      where username = $1
        and message_id in (
              select message_id
                from saved
               where username = $1 and done_ts is not null
               order by done_ts desc, message_id desc
              offset $2)`,
    [username, most],
  )
}

/** Saves a message, or replaces its time and note and opens it again. False if the message is gone. */
export async function putSaved(
  tx: Db,
  username: Username,
  id: number,
  { remindTs, note }: { remindTs: Seconds | null; note: string | null },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into saved (username, message_id, saved_ts, remind_ts, note)
     select $1, id, extract(epoch from clock_timestamp()), $3, $4 from messages where id = $2 for key share
     on conflict (username, message_id) do update
        set remind_ts = excluded.remind_ts, reminded_ts = null, done_ts = null, note = excluded.note`,
    [username, id, remindTs, note],
  )
  return rowCount === 1
}

/** Fields that are undefined stay. */
export interface SavedChange {
  done: boolean | undefined
  remindTs: Seconds | null | undefined
  note: string | null | undefined
}

/** False if the message is not saved. */
export async function updateSaved(
  tx: Db,
  username: Username,
  id: number,
  { done, remindTs, note }: SavedChange,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update saved
        set done_ts = case when $3::boolean is null then done_ts
                           when $3 then coalesce(done_ts, extract(epoch from clock_timestamp())) end,
            remind_ts = case when $4 then $5 else remind_ts end,
            reminded_ts = case when $4 then null else reminded_ts end,
            note = case when $6 then $7 else note end
      where username = $1 and message_id = $2`,
    [username, id, done ?? null, remindTs !== undefined, remindTs ?? null, note !== undefined, note ?? null],
  )
  return rowCount === 1
}

export async function deleteSaved(tx: Db, username: Username, id: number): Promise<void> {
  await tx.query('delete from saved where username = $1 and message_id = $2', [username, id])
}

/** The reminder in the inbox was heeded. */
export async function readReminder(tx: Db, username: Username, id: number): Promise<void> {
  await tx.query(
    `update activity set read_ts = ts where message_id = $2 and kind = 'reminder' and username = $1`,
    [username, id],
  )
}

/** The place of an item in the list: its reminder, when it was saved, its message. */
export type SavedPlace = [remindTs: Seconds | null, savedTs: Seconds, id: number]

/** A page of what the person may read now: those with a time by time, then the newest. */
export async function savedAfter(
  stores: Stores,
  viewer: Username,
  state: 'open' | 'done',
  after: SavedPlace | undefined,
  limit: number,
): Promise<Fitting<SavedPayload>> {
  const order = (of: string) => `coalesce(${of}.remind_ts, 'infinity'), -${of}.saved_ts, ${of}.message_id`
  const listed = `
    select saved.*, ${MESSAGE_BYTES} + coalesce(octet_length(saved.note), 0) as bytes
      from ${READABLE_SAVED}
     where saved.username = $3
       and (saved.done_ts is null) = $4
       and (${order('saved')}) > ($5::double precision, $6::double precision, $7::bigint)`
  const keys = `coalesce(remind_ts, 'infinity'), -saved_ts, message_id`
  const { rows } = await stores.db.query<MessageRow & Omit<SavedPayload, 'message'> & { more: boolean }>(
    `with page as materialized (${firstThatFit(`select * from (${listed}) saved`, keys, '$8')})
     select page.saved_ts, page.remind_ts, page.done_ts, page.note, page.more, ${MESSAGE_COLUMNS}
       from page join messages message on message.id = page.message_id
      order by ${order('page')}`,
    [
      ...readableChannelsValues(stores, [viewer]),
      viewer,
      state === 'open',
      after ? (after[0] ?? Number.POSITIVE_INFINITY) : Number.NEGATIVE_INFINITY,
      after ? -after[1] : 0,
      after ? after[2] : 0,
      limit,
    ],
  )
  return fittingOf(rows, ({ saved_ts, remind_ts, done_ts, note, ...row }) => ({
    message: payloadOf(row),
    saved_ts,
    remind_ts,
    done_ts,
    note,
  }))
}
