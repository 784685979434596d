import type { DraftPayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Newest first. */
export async function readDrafts(db: Db, username: Username): Promise<DraftPayload[]> {
  const { rows } = await db.query<DraftPayload>(
    `select channel, thread_id, text, updated_ts
       from drafts
      where username = $1 and text <> ''
      order by updated_ts desc, channel, thread_id`,
    [username],
  )
  return rows
}

/** Drafts in other places. */
export async function countDrafts(
  tx: Db,
  username: Username,
  { channel, thread_id }: { channel: ChannelId; thread_id: number },
): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::integer as count
       from drafts
      where username = $1 and text <> '' and (channel, thread_id) <> ($2, $3)`,
    [username, channel, thread_id],
  )
  return rows[0]!.count
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
