import type { EditPayload } from '#shared/domain/payloads/messages.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Earlier versions read per message at most: the newest. */
const MOST_VERSIONS = 100

/**
 * A page of the kept versions of a message, and its text as the newest one, oldest first. Empty for a deleted message
 * and one without text. `more`: there are older ones.
 */
export async function readVersions(
  db: Db,
  id: number,
  { before, withEarlier }: { before: Seconds | undefined; withEarlier: boolean },
): Promise<Fitting<EditPayload>> {
  const versions = `
     select version.ts, version.content, 100 + octet_length(version.content) as bytes
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
        and ($4::double precision is null or version.ts < $4)`
  const { rows } = await db.query<EditPayload & { more: boolean }>(
    `select ts, content, more
       from (${firstThatFit(versions, 'ts desc', '$5')}) page
      order by ts desc`,
    [id, withEarlier, MOST_VERSIONS, before ?? null, MOST_VERSIONS + 1],
  )
  const { items, more } = fittingOf(rows, row => row)
  return { items: items.reverse(), more }
}
