import {
  IS_TOLD_OF_EVERYONE,
  READABLE_CHANNELS,
  readableChannelsValues,
} from '#shared/access/readable-channels.ts'
import { EVERYONE } from '#shared/domain/mentions.ts'
import { INBOX_KINDS, type InboxKind } from '#shared/domain/payloads/inbox.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { READ_TS } from '../unread.ts'
import { type Candidate, EVERYONE_PARAMETER, SINCE } from './item-kind.ts'
import { inChannel, ofViewer } from './kinds.ts'

/** Older items are not listed; the janitor deletes their rows. */
export const INBOX_KEPT: Seconds = 90 * 24 * 3600

export interface InboxFilter {
  kind?: InboxKind
  unreadOnly?: boolean
  limit?: number
  /** The last item of the previous page. */
  after?: { ts: Seconds; messageId: number }
}

/** (viewer, channel, history_start, joined, last_read): the readable channels. */
export const READABLE = `
  readable as materialized (
    select readable.viewer, readable.channel, readable.history_start, (${IS_TOLD_OF_EVERYONE}) as joined, ${READ_TS} as last_read
      from (${READABLE_CHANNELS}) readable
      join channels channel on channel.id = readable.channel
      left join read_watermarks marker on marker.channel = readable.channel and marker.username = readable.viewer
     where channel.clock_us > ${SINCE} * 1000000
  )`

/** The newest `limit` items per viewer, newest first, without their texts. */
export async function candidatesFor(stores: Stores, viewers: Username[], filter: InboxFilter, limit: number) {
  const kinds = filter.kind === undefined ? INBOX_KINDS : [filter.kind]
  const condition =
    '(item_ts, message_id) < ($5::double precision, $6::bigint) and (not read or not $8::boolean)'
  // PostgreSQL wants the type of each parameter, also of one that no chosen kind uses.
  const isTyped = `${EVERYONE_PARAMETER}::text is not null`
  const items = inChannel(kinds, condition, '$7')
  const inChannels = `
    (select item.kind, readable.channel, item.message_id, item.ts, item.item_ts, item.activity_id, item.read
       from readable
      cross join lateral (${items}) item
      where readable.viewer = viewer.name and ${isTyped}
      order by item.item_ts desc, item.message_id desc
      limit $7)`
  const selects = [items && inChannels, ofViewer(kinds, `${condition} and ${isTyped}`, '$7')]
  const { rows } = await stores.db.query<Candidate>(
    `with ${READABLE}
     select viewer.name as viewer, item.*
       from unnest($1::text[]) as viewer (name)
      cross join lateral (
            select *
              from (${selects.filter(Boolean).join(' union all ')}) item
             order by item_ts desc, message_id desc
             limit $7) item`,
    [
      ...readableChannelsValues(stores, viewers),
      stores.clock.now() - INBOX_KEPT,
      EVERYONE,
      filter.after?.ts ?? Infinity,
      filter.after?.messageId ?? 0,
      limit,
      filter.unreadOnly ?? false,
    ],
  )
  return Map.groupBy(rows, row => row.viewer)
}
