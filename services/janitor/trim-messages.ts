import { lockChannel, seconds, takeTimes } from '#shared/channels/channel-clock.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { Pace } from './pace.ts'

const DAY: Seconds = 24 * 3600
const FORGOTTEN_AT_ONCE = 5_000

/**
 * Retention by age (`retention_days`): removes older messages permanently, with their files. Open tabs learn of each
 * removal for a day, as with deleted accounts.
 */
export async function trimMessages(stores: Stores): Promise<number> {
  const { retention_days } = stores.settings.current
  await forgetTombstones(stores.db, stores.clock.now() - DAY)
  if (retention_days === 0) return 0
  const before = stores.clock.now() - retention_days * DAY
  let trimmed = 0
  for (const channel of await channelsOlderThan(stores.db, before)) {
    const pace = new Pace()
    for (let count = 1; count > 0; trimmed += count) {
      count = await pace.keep(() => trimChannel(stores, channel, before, pace.size))
    }
  }
  return trimmed
}

/** Trims in a transaction, which locks the channel; `most` keeps it short for senders. */
async function trimChannel(
  stores: Stores,
  channel: ChannelId,
  before: Seconds,
  most: number,
): Promise<number> {
  const gone = await runTransaction(stores, 'trim', { channel }, async tx => {
    await lockChannel(tx, channel)
    const messages = await removeOldest(tx, channel, before, most)
    return messages.length === 0 ? unchanged : messages
  })
  if (gone === unchanged) return 0
  // After the rows: a file without a row is swept later, a row without its file is a broken picture.
  for (const { filename } of gone) if (filename !== null) await stores.files.remove(filename)
  return gone.length
}

async function channelsOlderThan(db: Db, before: Seconds): Promise<ChannelId[]> {
  const { rows } = await db.query<{ id: ChannelId }>(
    `select id
       from channels channel
      where exists (select from messages where messages.channel = channel.id and ts < $1)
      order by id`,
    [before],
  )
  return rows.map(row => row.id)
}

/** Deletes a channel's oldest messages, leaves a tombstone of each, and moves the start of its unread counts. */
async function removeOldest(tx: Db, channel: ChannelId, before: Seconds, most: number) {
  const { rows } = await tx.query<{ filename: string | null }>(
    `with oldest as (
       select id from messages where channel = $1 and ts < $2 order by ts limit $3
     ), gone as (
       delete from messages using oldest where messages.id = oldest.id returning messages.id, ord, ts, filename
     ), trimmed as (
       update channels channel
          set trimmed_ord = greatest(trimmed_ord, last.ord), ${takeTimes('last.count')}
         from (select max(ord) as ord, count(*) as count from gone) last
        where id = $1 and last.ord is not null
       returning clock_us, last.count
     ), tombstones as (
       insert into removed_messages (id, channel, ts, removed_ts, trimmed)
       select gone.id, $1, gone.ts,
              ${seconds('clock_us - count + row_number() over (order by gone.ts)')}, true
         from gone
        cross join trimmed
     )
     select filename from gone`,
    [channel, before, most],
  )
  return rows
}

/**
 * Tombstones live for a day (interface 4.1). Works in batches: the first trim of an old channel leaves
 * many.
 */
async function forgetTombstones(db: Db, before: Seconds) {
  for (let count = FORGOTTEN_AT_ONCE; count === FORGOTTEN_AT_ONCE; ) {
    const { rowCount } = await db.query(
      `delete from removed_messages
        where id in (select id from removed_messages where removed_ts < $1 order by removed_ts limit $2)`,
      [before, FORGOTTEN_AT_ONCE],
    )
    count = rowCount ?? 0
  }
}
