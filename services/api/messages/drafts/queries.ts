import { READABLE_CHANNELS, readableChannelsValues } from '#shared/access/readable-channels.ts'
import type { DraftPayload } from '#shared/domain/payloads/later.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** In channels that the person reads. A DM may not exist yet. */
const IS_READABLE = `(
  channel like 'dm:%'
  or channel in (select readable.channel from (${READABLE_CHANNELS}) readable))`

/** The place of a draft in the list. */
export type DraftPlace = [updatedTs: Seconds, channel: string, threadId: number]

/** A page, newest first. */
export async function readDrafts(
  stores: Stores,
  username: Username,
  after: DraftPlace | undefined,
  limit: number,
): Promise<Fitting<DraftPayload>> {
  const drafts = `
    select channel, thread_id, updated_ts, 300 + octet_length(text) as bytes
      from drafts
     where username = $3 and text <> '' and ${IS_READABLE}
       and ($4::double precision is null
            or (-updated_ts, channel, thread_id) > (-$4::double precision, $5::text, $6::bigint))`
  const { rows } = await stores.db.query<DraftPayload & { more: boolean }>(
    `with page as materialized (${firstThatFit(drafts, 'updated_ts desc, channel, thread_id', '$7')})
     select draft.channel, draft.thread_id, draft.text, draft.updated_ts, page.more
       from page
       join drafts draft
         on draft.username = $3 and draft.channel = page.channel and draft.thread_id = page.thread_id
      order by draft.updated_ts desc, draft.channel, draft.thread_id`,
    [...readableChannelsValues(stores, [username]), username, ...(after ?? [null, null, null]), limit],
  )
  return fittingOf(rows, row => row)
}

/** Drafts in other places. */
export async function countDrafts(
  tx: Db,
  username: Username,
  { channel, thread_id }: Place,
): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::integer as count
       from drafts
      where username = $1 and text <> '' and (channel, thread_id) <> ($2, $3)`,
    [username, channel, thread_id],
  )
  return rows[0]!.count
}

/** Drafts in channels that the person has left. */
export async function forgetUnreadable(tx: Db, stores: Stores, username: Username): Promise<void> {
  await tx.query(`delete from drafts where username = $3 and text <> '' and not ${IS_READABLE}`, [
    ...readableChannelsValues(stores, [username]),
    username,
  ])
}

/** False if the stored draft is newer, or the same. */
export async function putDraft(tx: Db, username: Username, draft: DraftPayload): Promise<boolean> {
  const { rowCount } = await tx.query(
    `insert into drafts as draft (username, channel, thread_id, text, updated_ts)
     values ($1, $2, $3, $4, $5)
     on conflict (username, channel, thread_id) do update
        set text = excluded.text, updated_ts = excluded.updated_ts
      where draft.updated_ts < excluded.updated_ts`,
    [username, draft.channel, draft.thread_id, draft.text, draft.updated_ts],
  )
  return rowCount === 1
}

export type Place = Pick<DraftPayload, 'channel' | 'thread_id'>

/** Empties a draft, which wins against older writes. False without one that is older. */
export async function removeDraft(
  tx: Db,
  username: Username,
  { channel, thread_id }: Place,
  updatedTs: Seconds,
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update drafts set text = '', updated_ts = $4
      where username = $1 and channel = $2 and thread_id = $3 and updated_ts < $4`,
    [username, channel, thread_id, updatedTs],
  )
  return rowCount === 1
}

/** Keeps the newest removed drafts. */
export async function trimRemoved(tx: Db, username: Username, most: number): Promise<void> {
  await tx.query(
    `delete from drafts
      where username = $1
        and text = ''
        and (channel, thread_id) in (
              select channel, thread_id
                from drafts
               where username = $1 and text = ''
               order by updated_ts desc, channel, thread_id
              offset $2)`,
    [username, most],
  )
}

/** Time of the stored draft, or of its removal. */
export async function timeOfDraft(
  db: Db,
  username: Username,
  { channel, thread_id }: Place,
): Promise<Seconds | undefined> {
  const { rows } = await db.query<{ updated_ts: Seconds }>(
    'select updated_ts from drafts where username = $1 and channel = $2 and thread_id = $3',
    [username, channel, thread_id],
  )
  return rows[0]?.updated_ts
}
