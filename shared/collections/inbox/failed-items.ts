import type { ScheduledFailure } from '#shared/domain/payloads/later.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { type ItemKind, SINCE } from './item-kind.ts'

/** Scheduled sends that failed, for 30 days. */
const failuresOf = `
  select 'failed' as kind, channel, scheduled.id as message_id, ended_ts as ts, ended_ts as item_ts,
         null::bigint as activity_id, read_ts is not null as read
    from scheduled
   where username = viewer.name
     and state = 'failed'
     and ended_ts > greatest(${SINCE}, extract(epoch from now()) - 30 * 24 * 3600)`

export const failedItems: ItemKind = {
  ofViewer: failuresOf,
  isMessage: false,
  async items(db, candidates) {
    const failures = await failuresAmong(
      db,
      candidates.map(({ message_id }) => message_id),
    )
    return ({ channel, message_id, item_ts: ts, read }) => {
      const failure = failures.get(message_id)
      if (!failure) return undefined
      const { id, content, why } = failure
      const none = { message_id: null, root_id: null, actors: [], count: 0 }
      return { id: `s${id}`, kind: 'failed', channel, ...none, content, ts, read, why }
    }
  },
}

interface Failure {
  id: number
  content: string
  why: ScheduledFailure
}

async function failuresAmong(db: Db, ids: number[]): Promise<Map<number, Failure>> {
  if (ids.length === 0) return new Map()
  const { rows } = await db.query<Failure>(
    `select id, left(text, 300) as content, failed_why as why from scheduled where id = any($1) and state = 'failed'`,
    [ids],
  )
  return new Map(rows.map(row => [row.id, row]))
}
