import { lockChannel } from '#shared/channels/channel-clock.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { type EndedToken, forgetCached } from '#shared/http/tokens.ts'
import { runTransaction } from '#shared/notices/write.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Messages per transaction. */
const BATCH = 1_000

export type Deletable = 'yes' | 'unknown' | 'not archived' | 'in the settings'

/** Only an archived channel that the settings do not have can be deleted; nobody writes to it meanwhile. */
export async function mayDelete({ db, settings }: Stores, channel: ChannelId): Promise<Deletable> {
  if (settings.current.channels.includes(channel)) return 'in the settings'
  const { rows } = await db.query<{ isArchived: boolean }>(
    'select archived_ts is not null as "isArchived" from channel_properties where channel = $1',
    [channel],
  )
  if (rows[0]) return rows[0].isArchived ? 'yes' : 'not archived'
  const { rowCount } = await db.query('select from channels where id = $1', [channel])
  return rowCount === 1 ? 'not archived' : 'unknown'
}

/**
 * Takes an archived channel away from its readers, so that nobody brings it back, unless it may not be deleted any more.
 * Repeatable.
 */
export function closeForGood(stores: Stores, channel: ChannelId): Promise<Deletable> {
  const parsed = parseChannelId(channel)
  return runTransaction(stores, 'deleteChannel', {}, async tx => {
    // Memberships before the clock, as everywhere.
    if (parsed?.kind === 'private')
      await tx.query(
        'select from private_channel_members where channel_id = $1 order by username for update',
        [parsed.privateId],
      )
    await lockChannel(tx, channel)
    const answer = await mayDelete({ ...stores, db: tx }, channel)
    if (answer !== 'yes') return answer
    if (parsed?.kind === 'private')
      await tx.query('delete from private_channel_members where channel_id = $1', [parsed.privateId])
    await tx.query('update channel_properties set made_here = false where channel = $1', [channel])
    return answer
  })
}

/** Removes a closed channel with its messages. Repeatable after a crash; the janitor sweeps the files. */
export async function deleteForGood(stores: Stores, channel: ChannelId): Promise<number> {
  let removed = 0
  for (let count = BATCH; count === BATCH; removed += count) {
    const { rowCount } = await stores.db.query(
      'delete from messages where id in (select id from messages where channel = $1 order by ts limit $2)',
      [channel, BATCH],
    )
    count = rowCount ?? 0
  }
  const limited = await runTransaction(stores, 'deleteChannel', {}, async tx => {
    const tokens = await deleteRows(tx, channel)
    await forgetCached(stores, tokens)
    return tokens
  })
  await forgetCached(stores, limited)
  return removed
}

const TABLES = [
  'message_mentions',
  'read_watermarks',
  'hidden_dms',
  'removed_messages',
  'channel_prefs',
  'activity',
  'scheduled',
  'command_answers',
  'drafts',
  'thread_follows',
  'channel_managers',
  'channel_memberships',
  'channel_properties',
  'hooks_in',
]

/** Returns the tokens that were limited to the channel. */
async function deleteRows(tx: Db, channel: ChannelId): Promise<EndedToken[]> {
  const parsed = parseChannelId(channel)
  // Before memberships: who joins at this moment has it.
  await tx.query('select from channels where id = $1 for update', [channel])
  if (parsed?.kind === 'private') {
    await tx.query('delete from private_channel_members where channel_id = $1', [parsed.privateId])
    await tx.query('delete from private_channels where id = $1', [parsed.privateId])
  }
  // As `passHooks` locks several.
  await tx.query('select from hooks_in where channel = $1 order by id for update', [channel])
  const tokens = await shortenLists(tx, channel)
  for (const table of TABLES) await tx.query(`delete from ${table} where channel = $1`, [channel])
  await tx.query('delete from channels where id = $1', [channel])
  return tokens
}

/** Lists of channels, of rows that stay. Returns the tokens. */
async function shortenLists(tx: Db, channel: ChannelId): Promise<EndedToken[]> {
  await tx.query(shorten('hooks_out', 'channels'), [channel])
  const { rows } = await tx.query<EndedToken>(
    `${shorten('api_tokens', 'channels_only')} returning id, hash`,
    [channel],
  )
  return rows
}

const shorten = (table: string, list: string) => `
  update ${table} set ${list} = array_remove(${list}, $1)
   where id in (select id from ${table} where $1 = any(${list}) order by id for no key update)`
