import { hasJoined } from '#shared/access/channel-people.ts'
import { IS_NOT_REMOVED } from '#shared/access/deleted-accounts.ts'
import { hasMoreReaders, readersOf } from '#shared/access/readers.ts'
import { JOINED_UP_TO, SHARES_READ } from '#shared/access/shares-read.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import {
  MOST_RECEIPTS,
  MOST_SEEN_MESSAGES,
  MOST_SEEN_NAMES,
  type SeenMessage,
  type SeenState,
} from '#shared/domain/deltas.ts'
import type { ReadReceiptsPayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { guestsIn, readReceiptsFor } from './read-receipts.ts'

/**
 * Returns what people have read: for channels of up to 50 readers their watermarks, as `read_receipts`; above that, for
 * each of the newest 20 messages the number of its readers and the first names, which GET /seen continues. Authors do
 * not count as readers of their messages, nor people of messages that they were given as read by joining; system messages
 * are left out, since nobody wrote them. Omits viewers who may not read the channel; equal states are the same object.
 */
export async function readSeen(
  stores: Stores,
  viewers: Username[],
  channel: ChannelId,
): Promise<Map<Username, SeenState>> {
  const isShown = stores.settings.current.read_receipts
  if (!isShown || !(await hasMoreReaders(stores.db, channel, MOST_RECEIPTS))) {
    const payloads = await readReceiptsFor(stores, viewers, channel, 'readers')
    const states = new Map<ReadReceiptsPayload, SeenState>()
    for (const receipts of payloads.values()) states.set(receipts, { channel, receipts })
    return new Map([...payloads].map(([viewer, receipts]) => [viewer, states.get(receipts)!]))
  }
  const newest = await newestMessages(stores.db, channel)
  const counted = countReaders(newest, await readMarkerGroups(stores, channel, newest))
  const readers = await readersOf(stores, viewers, channel)
  const guests = await guestsIn(stores.db, [...readers.keys()], channel)
  const states = new Map<Username, SeenState>()
  const cuts = new Map<number, SeenState>()
  for (const [viewer, historyStart] of readers) {
    if (guests.has(viewer)) continue
    const hidden = newest.findIndex(({ ts }) => ts < historyStart)
    const visible = hidden < 0 ? newest.length : hidden
    if (!cuts.has(visible)) cuts.set(visible, { channel, messages: counted.slice(0, visible) })
    states.set(viewer, cuts.get(visible)!)
  }
  if (guests.size === 0) return states
  const messages = countReaders(newest, await readMarkerGroups(stores, channel, newest, true))
  const forGuests: SeenState = { channel, messages }
  for (const guest of guests) states.set(guest, forGuests)
  return states
}

interface NewestMessage {
  id: number
  ts: Seconds
  sender: string
}

/** Newest first. */
async function newestMessages(db: Db, channel: ChannelId): Promise<NewestMessage[]> {
  const { rows } = await db.query<NewestMessage>(
    `select id, ts, sender
       from messages message
      where channel = $1 and deleted = 0 and content_type <> 'system' and ${IS_NOT_REMOVED}
      order by ts desc
      limit $2`,
    [channel, MOST_SEEN_MESSAGES],
  )
  return rows
}

/** People who have read the same messages: positions `start` (exclusive) to `reached`, counted from the oldest. */
interface Group {
  start: number
  reached: number
  count: number
  /** The first ones, sorted. */
  names: Username[]
  /** Members of the group who wrote some of the messages. */
  authors: Username[]
}

/** Reads the channel's watermarks once, for any number of messages; `joinedOnly`: those who have joined it, if public. */
async function readMarkerGroups(
  { db, settings }: Stores,
  channel: ChannelId,
  newest: NewestMessage[],
  joinedOnly = false,
): Promise<Group[]> {
  if (newest.length === 0) return []
  const parsed = parseChannelId(channel)
  const { rows } = await db.query<Group>(
    `select start, reached, count(*)::integer as count,
            (array_agg(username order by username))[1:$5] as names,
            coalesce(array_agg(username) filter (where username = any($4)), '{}') as authors
       from (select marker.username,
                    width_bucket(marker.last_read_ts, $2::double precision[]) as reached,
                    (select count(*)
                       from unnest($2::double precision[]) as ts
                      where ts < member.history_start_ts or ts <= ${JOINED_UP_TO})::integer as start
               from read_watermarks marker
               join users using (username)
               left join private_channel_members member
                 on member.channel_id = $3 and member.username = marker.username
              where marker.channel = $1
                and marker.last_read_ts >= ($2::double precision[])[1]
                and marker.last_read_ts > ${JOINED_UP_TO}
                and ${SHARES_READ}
                and users.state = 'active'
                and (not $6 or ${hasJoined('$1', '$7::boolean')})
                and ($3::bigint is null or member.username is not null)) reader
      group by start, reached`,
    [
      channel,
      newest.map(({ ts }) => ts).reverse(),
      parsed?.kind === 'private' ? parsed.privateId : null,
      [...new Set(newest.map(({ sender }) => sender))],
      MOST_SEEN_NAMES + 1,
      joinedOnly,
      settings.current.channels.includes(channel),
    ],
  )
  return rows
}

function countReaders(newest: NewestMessage[], groups: Group[]): SeenMessage[] {
  return newest.map(({ id, sender }, i) => {
    const place = newest.length - i
    const have = groups.filter(({ start, reached }) => start < place && place <= reached)
    const isAuthorIn = have.some(({ authors }) => authors.includes(sender))
    const names = have.flatMap(group => group.names).filter(name => name !== sender)
    return {
      id,
      count: have.reduce((total, { count }) => total + count, 0) - (isAuthorIn ? 1 : 0),
      names: names.sort(byName).slice(0, MOST_SEEN_NAMES),
    }
  })
}

/** The collation of the database. */
const byName = (a: Username, b: Username) => (a < b ? -1 : 1)
