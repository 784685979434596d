import type { Db } from '#shared/stores/postgres.ts'
import { type ItemKind, messageItem, SINCE } from './item-kind.ts'

const reactionsTo = `
  select activity.kind, activity.message_id, message.thread_id, message.ts, activity.ts as item_ts,
         activity.id as activity_id,
         coalesce(activity.read_ts >= activity.ts, false) as read
    from activity
    join messages message on message.id = activity.message_id
   where activity.username = readable.viewer
     and activity.channel = readable.channel
     and activity.kind = 'reaction'
     and activity.ts > ${SINCE}
     and message.ts >= readable.history_start
     and message.deleted = 0
     and exists (
           select from reactions
            where reactions.message_id = message.id
              and reactions.username <> readable.viewer
              and reactions.username not in (select username from account_deletions))`

export const reactionItems: ItemKind = {
  inChannel: [reactionsTo],
  isMessage: true,
  async items(db, candidates, texts) {
    const reactors = await reactorsOf(
      db,
      candidates.map(({ message_id }) => message_id),
    )
    return candidate => {
      const text = texts.get(candidate.message_id)
      const people = reactors.get(candidate.message_id)
      return text && people && messageItem(candidate, text, people)
    }
  },
}

interface Reactors {
  message_id: number
  count: number
  actors: string[]
}

/** The people who reacted, without the author; the newest three by name. */
async function reactorsOf(db: Db, ids: number[]): Promise<Map<number, Reactors>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<Reactors>(
    `select message_id, count(*)::integer as count, (array_agg(username order by ts desc, username))[1:3] as actors
       from (select reactions.message_id, reactions.username, max(reactions.ts) as ts
               from reactions
               join messages message on message.id = reactions.message_id
              where message.id = any($1)
                and reactions.username <> message.sender
                and reactions.username not in (select username from account_deletions)
              group by reactions.message_id, reactions.username) reactor
      group by message_id`,
    [ids],
  )
  return new Map(rows.map(row => [row.message_id, row]))
}
