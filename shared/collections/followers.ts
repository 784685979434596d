import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** All people whose inbox may list a reply. */
export async function followersOfReply(db: Db, reply: number): Promise<Username[]> {
  const { rows } = await db.query<{ name: Username }>(
    `select name
       from messages reply
      cross join unnest(followers_of(reply.thread_id, reply.reply_to_id, null)) as name
      where reply.id = $1`,
    [reply],
  )
  return rows.map(({ name }) => name)
}
