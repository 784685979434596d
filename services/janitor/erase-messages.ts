import pLimit from 'p-limit'
import { lockChannel, seconds, takeTimes } from '#shared/channels/channel-clock.ts'
import { insertSystemMessage } from '#shared/channels/system-message.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { DELETED_SENDER } from '#shared/domain/username.ts'
import { runCollectingTransaction, runTransaction } from '#shared/notices/write.ts'
import { log } from '#shared/runtime/log.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Deletion, nameAfter } from './deletions.ts'
import type { Pace } from './pace.ts'

const FILES_AT_ONCE = 8
/** Rows per look-up, and per deletion where no user waits. */
const PAGE = 200

interface MessageRef {
  id: number
  channel: ChannelId
}

/** Posts the "left the channel" line into the next private channel. */
export async function leaveChannels(stores: Stores, deletion: Deletion): Promise<number> {
  const privateId = await nextLeftChannel(stores.db, deletion)
  if (privateId === undefined) return 0
  const channel: ChannelId = `private:${privateId}`
  await runCollectingTransaction(stores, async (tx, invalidated) => {
    if (!(await forgetLeftChannel(tx, deletion, privateId))) return
    // As on other ways, the departure from an archived channel leaves no line.
    if (!(await lockChannel(tx, channel)) || !(await hasMembers(tx, privateId))) return
    await insertSystemMessage(tx, channel, `${nameAfter(deletion)} left the channel.`)
    const besides = [{ collections: ['inbox'] as const, channel }]
    invalidated.push({ name: 'leave', channel, users: [], readers: true, besides })
  })
  return 1
}

async function nextLeftChannel(db: Db, { username }: Deletion): Promise<number | undefined> {
  const { rows } = await db.query<{ id: number | null }>(
    'select left_channels[1] as id from account_deletions where username = $1',
    [username],
  )
  return rows[0]?.id ?? undefined
}

/** False when another janitor was first. */
async function forgetLeftChannel(tx: Db, { username }: Deletion, privateId: number): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update account_deletions
        set left_channels = array_remove(left_channels, $2)
      where username = $1 and $2 = any(left_channels)`,
    [username, privateId],
  )
  return rowCount === 1
}

async function hasMembers(tx: Db, privateId: number): Promise<boolean> {
  const { rowCount } = await tx.query('select from private_channel_members where channel_id = $1 limit 1', [
    privateId,
  ])
  return rowCount === 1
}

/** Removes messages permanently, newest first. Each gets its own time, so that open tabs see its removal. */
export async function removeMessages(stores: Stores, deletion: Deletion, pace: Pace): Promise<number> {
  const batch = await nextMessages(stores.db, deletion, pace)
  if (!batch) return 0
  const files = await pace.keep(() =>
    runTransaction(stores, 'finishDeletion', { channel: batch.channel }, async tx => {
      await lockChannel(tx, batch.channel)
      return remove(tx, batch)
    }),
  )
  await removeFiles(stores, files)
  return batch.ids.length
}

/** Sets the sender to `Deleted User` and clears client ids; no cursor changes. */
export async function renameMessages(stores: Stores, deletion: Deletion, pace: Pace): Promise<number> {
  const batch = await nextMessages(stores.db, deletion, pace)
  if (!batch) return 0
  await pace.keep(() =>
    stores.db.query(
      `with locked as (
         select id from messages where id = any($2) and sender = $1 order by id for no key update
       )
       update messages set sender = $3, client_id = null from locked where messages.id = locked.id`,
      [deletion.username, batch.ids, DELETED_SENDER],
    ),
  )
  return batch.ids.length
}

/** Removes reactions: each is a change of its message, with its own time. */
export async function takeReactionsBack(stores: Stores, { username }: Deletion, pace: Pace): Promise<number> {
  const { rows } = await stores.db.query<MessageRef>(
    `select id, channel
       from messages
      where id in (select message_id from reactions where username = $1 limit $2)`,
    [username, PAGE],
  )
  const batch = ofOneChannel(rows, pace)
  if (!batch) return 0
  await pace.keep(() =>
    runTransaction(stores, 'finishDeletion', { channel: batch.channel }, async tx => {
      await lockChannel(tx, batch.channel)
      await takeBack(tx, username, batch)
    }),
  )
  return batch.ids.length
}

/** Deletes the account's watermarks, closed DMs, activity and DM list, which no screen shows any more, and its uploads. */
export async function forgetInLists({ pool, db }: Stores, { username, kind }: Deletion): Promise<number> {
  for (const table of ['read_watermarks', 'hidden_dms', 'activity', 'thread_follows', 'spent_uploads']) {
    const { rowCount } = await db.query(
      `delete from ${table} where ctid = any(array(select ctid from ${table} where username = $1 limit $2))`,
      [username, PAGE],
    )
    if (rowCount) return rowCount
  }
  const { rowCount: files } = await db.query(
    'update files set uploader = null where name = any(array(select name from files where uploader = $1 limit $2))',
    [username, PAGE],
  )
  if (files) return files
  return inTransaction(pool, async tx => {
    const { rows } = await tx.query<{ channel: ChannelId }>(
      `delete from dm_participants
        where username = $1
          and channel = any(array(select channel from dm_participants where username = $1 limit $2))
       returning channel`,
      [username, PAGE],
    )
    if (kind === 'hard' && rows.length > 0) {
      await rehide(
        tx,
        rows.map(row => row.channel),
      )
    }
    return rows.length
  })
}

interface Batch {
  channel: ChannelId
  ids: number[]
}

/** Names are case-insensitive. With a second condition PostgreSQL would expect few rows and read all of them. */
async function nextMessages(db: Db, { username }: Deletion, pace: Pace): Promise<Batch | undefined> {
  const living = await db.query<MessageRef>(
    `select id, channel
       from messages
      where lower(sender) = lower($1) and deleted = 0
      order by ts desc
      limit $2`,
    [username, PAGE],
  )
  if (living.rows.length > 0) return ofOneChannel(living.rows, pace)
  const buried = await db.query<MessageRef>(
    'select id, channel from messages where sender = $1 and deleted = 1 limit $2',
    [username, PAGE],
  )
  return ofOneChannel(buried.rows, pace)
}

/** The rows in the channel of the first row, at most `pace.size`. */
function ofOneChannel(rows: MessageRef[], pace: Pace): Batch | undefined {
  const channel = rows[0]?.channel
  if (channel === undefined) return undefined
  const ids = rows.filter(row => row.channel === channel).map(row => row.id)
  return { channel, ids: ids.slice(0, pace.size) }
}

/** SQL that takes the next times of the locked channel, one for each row of `changed (id, place)`. */
const TICKED = `
  tick as (
    update channels channel
       set ${takeTimes('counted.count')}
      from (select count(*) as count from changed) counted
     where channel.id = $1 and counted.count > 0
    returning clock_us - counted.count as before_us
  ), ticked as (
    select changed.id, ${seconds('tick.before_us + changed.place')} as ts
      from changed
     cross join tick
  )`

/** Deletes messages, with their reactions and mentions, and returns their file names. */
async function remove(tx: Db, { channel, ids }: Batch): Promise<string[]> {
  const { rows } = await tx.query<{ filename: string }>(
    `with gone as (
       delete from messages where id = any($2) returning id, ts, filename
     ), changed as (
       select id, row_number() over (order by ts) as place from gone
     ), ${TICKED}, tombstones as (
       insert into removed_messages (id, channel, ts, removed_ts)
       select gone.id, $1, gone.ts, ticked.ts from gone join ticked using (id)
     )
     select filename from gone where filename is not null`,
    [channel, ids],
  )
  return rows.map(row => row.filename)
}

async function takeBack(tx: Db, username: Username, { channel, ids }: Batch): Promise<void> {
  await tx.query(
    `with taken as (
       delete from reactions where message_id = any($2) and username = $3 returning message_id
     ), changed as (
       select message_id as id, row_number() over (order by message_id) as place
         from (select distinct message_id from taken) messages
     ), ${TICKED}
     update messages set reactions_ts = ticked.ts from ticked where messages.id = ticked.id`,
    [channel, ids, username],
  )
}

/** Closes DMs again that the other side had closed and that only the removed messages had reopened. */
async function rehide(tx: Db, channels: ChannelId[]): Promise<void> {
  await tx.query(
    `update hidden_dms hidden
        set hidden_ts = channel.newest_ts
       from channels channel
      where channel.id = hidden.channel
        and channel.id = any($1)
        and hidden.hidden_ts < channel.newest_ts
        and not exists (
              select from messages
               where messages.channel = hidden.channel and messages.ts > hidden.hidden_ts)`,
    [channels],
  )
}

/** Runs after the rows are deleted: a file without a row is swept later, a row without its file is a broken picture. */
async function removeFiles({ files }: Stores, names: string[]): Promise<void> {
  const limit = pLimit(FILES_AT_ONCE)
  const outcomes = await Promise.allSettled(names.map(name => limit(() => files.remove(name))))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed) log.warn({ err: failed.reason }, 'files of a deleted account not removed')
}
