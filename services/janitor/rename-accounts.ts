import type pg from 'pg'
import { ACCOUNT_LOCK, lockForRemoval } from '#shared/access/account-locks.ts'
import { dmId, parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { noticeOf } from '#shared/notices/invalidations.ts'
import { publishNotice } from '#shared/notices/outbox.ts'
import { log } from '#shared/runtime/log.ts'
import { lockGroupsOf } from '#shared/stores/lock-groups.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Move, moveDoubled, moveMessages } from './move-messages.ts'

/** Another janitor tries again after this time; longer than the statements of a renaming take together. */
const LEASE: Seconds = 120
/** Length of a run, so that a janitor stops soon. */
const SLICE: Milliseconds = 2_000
const STATEMENT: Milliseconds = 60_000
/** Until the next attempt after a failure. */
const PAUSE: Seconds = 5
const MOST_ATTEMPTS = 5
/** Names per notice at most. */
const MOST_NAMES = 12

interface Renaming {
  id: string
  username: Username
  new_username: Username
  attempts: number
  before_ts: Seconds | null
}

/**
 * Renames accounts as administrators asked (interface 17.3). Messages and mentions get the new name first, in short
 * transactions; one more renames everything else. The old name leads to the account and is never given out again.
 */
export async function renameAccounts(stores: Stores, slice: Milliseconds = SLICE): Promise<number> {
  const renaming = await claim(stores.db)
  if (!renaming) return 0
  const { username, new_username: wanted } = renaming
  try {
    if (renaming.before_ts === null) {
      // Messages of somebody who has the name stay theirs.
      if (!(await isFree(stores.pool, username, wanted))) return await refuse(stores.db, renaming)
      await begin(stores.db, renaming)
    }
    const isGivenUp = renaming.attempts > MOST_ATTEMPTS
    const [from, to] = isGivenUp ? [wanted, username] : [username, wanted]
    const until = performance.now() + slice
    const move: Move = { from, to, before: renaming.before_ts ?? Number.POSITIVE_INFINITY, moved: 0 }
    if (!(await moveMessages(stores.db, move, until))) {
      await goOnNext(stores.db, renaming, move)
      return 1
    }
    if (isGivenUp) {
      log.error({ username, wanted }, 'account not renamed')
      await inTransaction(stores.pool, tx => giveUp(tx, renaming), { statement: STATEMENT })
      await announce(stores, username)
      return 1
    }
    await inTransaction(stores.pool, tx => rename(tx, renaming), { statement: STATEMENT })
  } catch (err) {
    await soonAgain(stores.db, renaming)
    throw err
  }
  log.info({ username, wanted }, 'account renamed')
  await announce(stores, wanted)
  return 1
}

/** DMs and sidebars name the person to the participants of their DMs alone. */
async function announce(stores: Stores, username: Username) {
  await publishNotice(stores, noticeOf('renameAccount', {}))
  const partners = [...(await partnersOf(stores.db, username))]
  for (let i = 0; i < partners.length; i += MOST_NAMES)
    await publishNotice(stores, noticeOf('renamePartner', { users: partners.slice(i, i + MOST_NAMES) }))
}

async function partnersOf(db: Db, username: Username): Promise<Set<Username>> {
  const { rows } = await db.query<{ channel: ChannelId }>(
    'select channel from dm_participants where username = $1',
    [username],
  )
  const parsed = rows.map(row => parseChannelId(row.channel))
  return new Set(parsed.flatMap(channel => (channel?.kind === 'dm' ? channel.participants : [])))
}

/**
 * False if somebody has the name. Later sign-ups find it reserved; the insertion waits for one that began before the
 * reservation.
 */
function isFree(pool: pg.Pool, from: Username, to: Username): Promise<boolean> {
  if (from.toLowerCase() === to.toLowerCase()) return Promise.resolve(true)
  return inTransaction(pool, async tx => {
    const { rowCount } = await tx.query(
      `insert into users (username, password_hash, created_ts, state) values ($1, '', 0, 'pending')
       on conflict do nothing`,
      [to],
    )
    await tx.query(`delete from users where username = $1 and password_hash = '' and state = 'pending'`, [to])
    return rowCount === 1
  })
}

/** The attempt that gives up moves all messages back. */
async function claim(db: Db): Promise<Renaming | undefined> {
  const { rows } = await db.query<Renaming>(
    `update account_renames
        set due_ts = extract(epoch from clock_timestamp()) + $1,
            attempts = attempts + 1,
            before_ts = case when attempts = $2 and before_ts is not null then 'infinity' else before_ts end
      where id = (select id
                    from account_renames
                   where due_ts <= extract(epoch from clock_timestamp())
                   order by due_ts
                   limit 1
                     for update skip locked)
     returning id, username, new_username, attempts, before_ts`,
    [LEASE, MOST_ATTEMPTS],
  )
  return rows[0]
}

async function soonAgain(db: Db, { id }: Renaming) {
  await db.query(
    'update account_renames set due_ts = extract(epoch from clock_timestamp()) + $2 where id = $1',
    [id, PAUSE],
  )
}

/** From here on messages may have the new name. */
async function begin(db: Db, { id }: Renaming) {
  await db.query(`update account_renames set before_ts = 'infinity' where id = $1`, [id])
}

/** The next run goes on. Only attempts since the last progress count. */
async function goOnNext(db: Db, { id }: Renaming, { before, moved }: Move) {
  await db.query(
    `update account_renames
        set due_ts = extract(epoch from clock_timestamp()),
            attempts = case when attempts > $2 then attempts when $3 then 0 else attempts - 1 end,
            before_ts = $4
      where id = $1`,
    [id, MOST_ATTEMPTS, moved > 0, before],
  )
}

/** The account keeps its name, and can sign in again. */
async function refuse(db: Db, { id, username, new_username: wanted }: Renaming): Promise<number> {
  log.error({ username, wanted }, 'account not renamed: the name is taken')
  await db.query('delete from account_renames where id = $1', [id])
  return 1
}

/** Leaves nothing under the new name, which is free for others afterwards. */
async function giveUp(tx: Db, { id, username: to, new_username: from }: Renaming): Promise<void> {
  await lockForRemoval(tx, to)
  await renameInInbox(tx, from, to)
  for (const [table, column] of MOVED) await renameIn(tx, table, column, { from, to })
  await renameInMessages(tx, from, to)
  await renameInInbox(tx, from, to)
  await tx.query('delete from account_renames where id = $1', [id])
}

async function rename(tx: Db, { id, username: from, new_username: to }: Renaming): Promise<void> {
  // The emoji before the account, as one who adds an emoji holds them.
  const hasEmoji = await lockEmojiOf(tx, from)
  // The account then: writes of the person that began earlier are complete, later ones find nobody of this name.
  await lockWithBots(tx, from)
  if (!(await lockForRemoval(tx, from))) return
  if (!hasEmoji && (await makesEmoji(tx, from))) throw new Error('made an emoji meanwhile')
  await lockBeforeClocks(tx, from)
  await moveDms(tx, from, to)
  await forgetDoubledActivity(tx, from, to)
  await moveDoubled(tx, from, to)
  for (const [table, column] of NAMES) await renameIn(tx, table, column, { from, to })
  await moveInLists(tx, from, to)
  await renameInMessages(tx, from, to)
  await renameInInbox(tx, from, to)
  await tx.query('delete from signals where $1 in (sender, recipient)', [from])
  await tx.query('delete from account_renames where id = $1', [id])
  await lockGroupsOf(tx, from)
  // Foreign keys follow. Last, because the revision of the list of people is locked from here to the commit.
  await tx.query('update users set username = $2 where username = $1', [from, to])
  if (from.toLowerCase() !== to.toLowerCase()) await keepFormerName(tx, from, to)
}

const renameIn = (tx: Db, table: string, column: string, { from, to }: { from: Username; to: Username }) =>
  tx.query(`update ${table} set ${column} = $2 where ${column} = $1`, [from, to])

/** Locks the account with its bots, whose rows name it, in the order of names. */
async function lockWithBots(tx: Db, username: Username) {
  await tx.query(
    `select from users
      where username = $1 or (kind = 'bot' and bot_owner = $1)
      order by username
        ${ACCOUNT_LOCK.row}`,
    [username],
  )
}

/** Locks the list of emoji, and raises its revision for those who see the name of the maker. False without an emoji. */
async function lockEmojiOf(tx: Db, username: Username): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update emoji_revision
        set makers_rev = makers_rev + 1
      where exists (select from custom_emoji where created_by = $1)`,
    [username],
  )
  return rowCount === 1
}

async function makesEmoji(tx: Db, username: Username): Promise<boolean> {
  const { rowCount } = await tx.query('select from custom_emoji where created_by = $1 limit 1', [username])
  return rowCount === 1
}

/** Before and after the messages: reactions to them make rows meanwhile, and lock the inbox first. */
async function renameInInbox(tx: Db, from: Username, to: Username) {
  await forgetDoubledActivity(tx, from, to)
  await tx.query('update activity set username = $2 where username = $1', [from, to])
  await moveDoubled(tx, from, to)
}

/** Reactions to messages that were moved earlier. */
async function forgetDoubledActivity(tx: Db, from: Username, to: Username) {
  await tx.query(
    `delete from activity older
      using activity newer
      where older.username = $1 and newer.username = $2
        and newer.message_id = older.message_id and newer.kind = older.kind`,
    [from, to],
  )
}

/** Memberships and calls come before the clocks of channels in the order of locks. */
async function lockBeforeClocks(tx: Db, from: Username) {
  await tx.query('select from private_channel_members where username = $1 order by channel_id for update', [
    from,
  ])
  await tx.query(
    `select from calls
      where initiator = $1
         or call_id in (select call_id from call_participants where username = $1)
         or channel in (select channel from dm_participants where username = $1)
      order by call_id
        for update`,
    [from],
  )
}

/** Columns with names that no foreign key keeps. Names in the audit log stay as they were. */
export const NAMES: readonly (readonly [table: string, column: string])[] = [
  ['dm_participants', 'username'],
  ['hidden_dms', 'username'],
  ['read_watermarks', 'username'],
  ['private_channel_members', 'username'],
  ['private_channels', 'created_by'],
  ['channel_properties', 'created_by'],
  ['channel_properties', 'archived_by'],
  ['reactions', 'username'],
  ['activity', 'username'],
  ['pins', 'pinned_by'],
  ['thread_follows', 'username'],
  ['calls', 'initiator'],
  ['calls', 'screenshare_user'],
  ['call_participants', 'username'],
  ['media_chunks', 'sender'],
  ['screen_shares', 'sharer'],
  ['users', 'invited_by'],
  ['users', 'bot_owner'],
  ['hooks_in', 'created_by'],
  ['hooks_out', 'created_by'],
  ['workspace_settings', 'changed_by'],
  ['files', 'uploader'],
  ['spent_uploads', 'username'],
]

/** Columns that are moved before all others. */
const MOVED = NAMES.filter(([table, column]) => ['pins', 'files'].includes(table) || column === 'invited_by')

/** Tables whose rows carry the id of a DM. */
export const OF_CHANNELS: readonly string[] = [
  'messages',
  'message_mentions',
  'activity',
  'thread_follows',
  'dm_participants',
  'hidden_dms',
  'read_watermarks',
  'gone_messages',
  'removed_messages',
  'channel_prefs',
  'channel_properties',
  'channel_managers',
  'channel_memberships',
  'pins',
  'scheduled',
  'command_answers',
  'drafts',
  'calls',
  'screen_shares',
  'hooks_in',
]

/** Moves the DMs of the person to the ids with the new name. The rows of the old ids stay, closed. */
async function moveDms(tx: Db, from: Username, to: Username) {
  const { rows } = await tx.query<{ channel: ChannelId }>(
    `select id as channel
       from channels
      where id in (select channel from dm_participants where username = $1)
      order by id
        for update`,
    [from],
  )
  for (const { channel } of rows) {
    const moved = movedId(channel, from, to)
    if (moved === undefined) continue
    // A change of case and back returns to an id that is closed.
    await tx.query(`delete from channels where id = $1 and posting = 'nobody'`, [moved])
    await tx.query(
      `insert into channels
       select (jsonb_populate_record(channel, jsonb_build_object('id', $2::text))).*
         from channels channel
        where id = $1`,
      [channel, moved],
    )
    await moveRows(tx, channel, moved)
    await tx.query(`update channels set posting = 'nobody', newest_ts = 0, message_count = 0 where id = $1`, [
      channel,
    ])
  }
  for (const channel of await dmsWithoutMessages(tx, from)) {
    const moved = movedId(channel, from, to)
    if (moved !== undefined) await moveRows(tx, channel, moved)
  }
}

/** Tokens that are limited to DMs of the person, and hooks. After the accounts, as one who ends a token locks them. */
async function moveInLists(tx: Db, from: Username, to: Username) {
  await moveInList(tx, from, to, 'api_tokens', 'channels_only')
  await moveInList(tx, from, to, 'hooks_out', 'channels')
}

async function moveInList(tx: Db, from: Username, to: Username, table: string, list: string) {
  const { rows } = await tx.query<{ channel: ChannelId }>(
    `select distinct channel
       from ${table}
      cross join unnest(${list}) as channel
      where channel like 'dm:%' and $1 = any(string_to_array(channel, ':'))`,
    [from],
  )
  for (const { channel } of rows)
    await tx.query(
      `update ${table}
          set ${list} = array_replace(${list}, $1, $2)
        where $1 = any(${list})`,
      [channel, movedId(channel, from, to) ?? channel],
    )
}

/** Undefined unless it is the id of a DM of the person. */
function movedId(channel: ChannelId, from: Username, to: Username): ChannelId | undefined {
  const parsed = parseChannelId(channel)
  if (parsed?.kind !== 'dm' || !parsed.participants.includes(from)) return undefined
  return dmId(parsed.participants.map(name => (name === from ? to : name)))
}

async function moveRows(tx: Db, channel: ChannelId, moved: ChannelId) {
  await forgetDoubledChoices(tx, channel, moved)
  for (const table of OF_CHANNELS) {
    await tx.query(`update ${table} set channel = $2 where channel = $1`, [channel, moved])
  }
}

/** DMs of the person that have drafts, scheduled messages, calls or shares only. */
async function dmsWithoutMessages(tx: Db, from: Username): Promise<ChannelId[]> {
  const { rows } = await tx.query<{ channel: ChannelId }>(
    `select channel from drafts where channel like 'dm:%' and $1 = any(string_to_array(channel, ':'))
     union
     select channel from scheduled where channel like 'dm:%' and $1 = any(string_to_array(channel, ':'))
     union
     select channel from calls where channel like 'dm:%' and $1 = any(string_to_array(channel, ':'))
     union
     select channel from command_answers where channel like 'dm:%' and $1 = any(string_to_array(channel, ':'))
     union
     select channel from screen_shares where channel like 'dm:%' and $1 = any(string_to_array(channel, ':'))
      order by channel`,
    [from],
  )
  return rows.map(row => row.channel)
}

/** Choices and drafts that others made for the new id before it existed. The newer draft stays. */
async function forgetDoubledChoices(tx: Db, from: ChannelId, to: ChannelId) {
  await tx.query(
    `delete from channel_prefs doubled
      using channel_prefs kept
      where doubled.channel = $2 and kept.channel = $1 and kept.username = doubled.username`,
    [from, to],
  )
  await tx.query(
    `delete from drafts older
      using drafts newer
      where older.channel in ($1, $2)
        and newer.channel in ($1, $2)
        and newer.channel <> older.channel
        and newer.username = older.username
        and newer.thread_id = older.thread_id
        and (older.updated_ts, older.channel) < (newer.updated_ts, newer.channel)`,
    [from, to],
  )
}

/** Texts stay as they were written. A trigger moves the rows of `message_mentions` with the mentions. */
async function renameInMessages(tx: Db, from: Username, to: Username) {
  // By the indexes of messages that are not deleted, and of those that are.
  await tx.query(
    'update messages set sender = $2 where lower(sender) = lower($1) and sender = $1 and deleted = 0',
    [from, to],
  )
  await tx.query('update messages set sender = $2 where sender = $1 and deleted = 1', [from, to])
  // Names contain no characters that JSON escapes.
  await tx.query(
    `update messages
        set mentions = replace(mentions, '"' || $1 || '"', '"' || $2 || '"')
      where id in (select message_id from message_mentions where username = $1)`,
    [from, to],
  )
  await tx.query('update message_mentions set username = $2 where username = $1', [from, to])
  await tx.query(
    `update messages
        set extra = jsonb_set(extra, '{removed_by}', to_jsonb($2::text))
      where extra ? 'removed_by' and extra ->> 'removed_by' = $1`,
    [from, to],
  )
  await tx.query(
    `update messages
        set extra = jsonb_set(extra, '{pinned,by}', to_jsonb($2::text))
      where id in (select message_id from pins where pinned_by in ($1, $2))
        and extra -> 'pinned' ->> 'by' = $1`,
    [from, to],
  )
  await tx.query(
    `update messages
        set extra = jsonb_set(extra, '{forward,sender}', to_jsonb($2::text))
      where extra ? 'forward' and extra -> 'forward' ->> 'sender' = $1`,
    [from, to],
  )
}

async function keepFormerName(tx: Db, from: Username, to: Username) {
  await tx.query('insert into former_names (username_key, username) values (lower($1), $2)', [from, to])
  await tx.query(
    `insert into deleted_names (username_key, deleted_ts, rev, rev_ts)
     select lower($1), now, next_people_rev(), now from extract(epoch from clock_timestamp()) as now`,
    [from],
  )
}
