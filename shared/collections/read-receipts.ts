import { hasJoined } from '#shared/access/channel-people.ts'
import { readersOf } from '#shared/access/readers.ts'
import { JOINED_UP_TO, SHARES_READ } from '#shared/access/shares-read.ts'
import { guestsAmong } from '#shared/access/visible-people.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ReadReceiptsPayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type ChannelCollection, emptyRecord } from './collection.ts'

export const readReceipts: ChannelCollection<'read_receipts'> = {
  event: 'read_receipts',
  scope: 'channel',
  minInterval: 500,

  read: (stores, viewers, channel) => readReceiptsFor(stores, viewers, channel, 'all'),
}

/** `readers`: without people whose watermark was set by joining alone. */
export async function readReceiptsFor(
  stores: Stores,
  viewers: Username[],
  channel: ChannelId,
  whose: 'all' | 'readers',
): Promise<Map<Username, ReadReceiptsPayload>> {
  const isShown = stores.settings.current.read_receipts
  const receipts = isShown ? await readMarkersOf(stores.db, channel, whose) : emptyRecord<Seconds>()
  const readers = [...(await readersOf(stores, viewers, channel)).keys()]
  const guests = await guestsIn(stores.db, readers, channel)
  const forGuests = guests.size === 0 ? receipts : await onlyJoined(stores, receipts, channel)
  return new Map(readers.map(viewer => [viewer, guests.has(viewer) ? forGuests : receipts]))
}

/** Those among the readers of a public channel who see only the people that have joined it. */
export async function guestsIn(
  db: Db,
  readers: readonly Username[],
  channel: ChannelId,
): Promise<Set<Username>> {
  return new Set(parseChannelId(channel)?.kind === 'public' ? await guestsAmong(db, readers) : [])
}

async function onlyJoined(stores: Stores, receipts: ReadReceiptsPayload, channel: ChannelId) {
  const joined = emptyRecord<Seconds>()
  for (const username of await joinedAmong(stores, Object.keys(receipts), channel))
    joined[username] = receipts[username]!
  return joined
}

/** Receipts of the people who have joined the public channel, by name. */
export async function joinedAmong(
  { db, settings }: Stores,
  names: readonly Username[],
  channel: ChannelId,
): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    `select username from users where username = any($1) and ${hasJoined('$2', '$3::boolean')} order by username`,
    [names, channel, settings.current.channels.includes(channel)],
  )
  return rows.map(({ username }) => username)
}

/**
 * Returns the watermarks of active accounts that share them, in a private channel of its members. A row at 0 only
 * holds a mark as unread.
 */
async function readMarkersOf(
  db: Db,
  channel: ChannelId,
  whose: 'all' | 'readers',
): Promise<ReadReceiptsPayload> {
  const parsed = parseChannelId(channel)
  const privateId = parsed?.kind === 'private' ? parsed.privateId : null
  const { rows } = await db.query<{ username: Username; last_read_ts: Seconds }>(
    `select marker.username, marker.last_read_ts
       from read_watermarks marker
       join users using (username)
      where marker.channel = $1
        and marker.last_read_ts > case when $3 then ${JOINED_UP_TO} else 0 end
        and users.state = 'active'
        and ${SHARES_READ}
        and ($2::bigint is null or exists (
              select from private_channel_members
               where channel_id = $2 and username = marker.username))
      order by marker.username`,
    [channel, privateId, whose === 'readers'],
  )
  const receipts = emptyRecord<Seconds>()
  for (const { username, last_read_ts } of rows) receipts[username] = last_read_ts
  return receipts
}
