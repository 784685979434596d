import type { Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { type ItemKind, SINCE } from './item-kind.ts'

/** Late answers of commands and other texts of bots for one person, for a day. The latter go with their bot. */
const answersTo = `
  select 'command' as kind, channel, answer.id as message_id, ts, ts as item_ts, null::bigint as activity_id,
         read_ts is not null as read
    from command_answers answer
   where username = viewer.name
     and (command is not null or bot is not null)
     and ts > greatest(${SINCE}, extract(epoch from now()) - 24 * 3600)`

export const commandItems: ItemKind = {
  ofViewer: answersTo,
  isMessage: false,
  async items(db, candidates) {
    const answers = await answersAmong(
      db,
      candidates.map(({ message_id }) => message_id),
    )
    return ({ channel, message_id, item_ts: ts, read }) => {
      const answer = answers.get(message_id)
      if (!answer) return undefined
      const { id, bot, content, command } = answer
      const none = { message_id: null, root_id: null }
      const actors = bot === null ? [] : [bot]
      const item = {
        id: `c${id}`,
        kind: 'command',
        channel,
        ...none,
        actors,
        count: 1,
        content,
        ts,
        read,
      } as const
      return command === null ? item : { ...item, command }
    }
  },
}

interface Answer {
  id: number
  bot: Username | null
  content: string
  command: string | null
}

async function answersAmong(db: Db, ids: number[]): Promise<Map<number, Answer>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<Answer>(
    'select id, bot, content, command from command_answers where id = any($1)',
    [ids],
  )
  return new Map(rows.map(row => [row.id, row]))
}
