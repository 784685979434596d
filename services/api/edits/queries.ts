import type { EditPayload } from '#shared/domain/payloads.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Earlier versions read per message at most: the newest. */
const MOST_VERSIONS = 100

/** The kept versions of a message, oldest first, and its text; empty for a deleted message and one without text. */
export async function readVersions(db: Db, id: number, withEarlier: boolean): Promise<EditPayload[]> {
  const { rows } = await db.query<EditPayload>(
    `select version.ts, version.content
       from messages message
      cross join lateral (
            (select ts, content
               from message_edits
              where message_id = message.id and $2
                and kept_ts >= (select before_ts from hidden_versions)
              order by ts desc
              limit $3)
            union all
            select coalesce(message.edited_ts, message.ts), message.content) version
      where message.id = $1 and message.deleted = 0 and message.content is not null
      order by version.ts`,
    [id, withEarlier, MOST_VERSIONS],
  )
  return rows
}
