import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * Locks the accounts of a DM's participants against renaming and deletion until the transaction ends, in the order of
 * names, before every other lock; no effect for other channels. Throws 503 if one of them got another name since the
 * channel was found: its id is closed, and the repeated request finds the new one.
 */
export async function holdParticipants(tx: Db, channel: ChannelId): Promise<void> {
  const parsed = parseChannelId(channel)
  if (parsed?.kind !== 'dm') return
  const { participants } = parsed
  await tx.query('select from users where username = any($1) order by username for share', [participants])
  const { rows } = await tx.query<{ renamed: boolean }>(
    'select exists (select from unnest($1::text[]) as name where account_named(name) <> name) as renamed',
    [participants],
  )
  if (rows[0]!.renamed) throw errors.unavailable()
}

/**
 * Locks the ids of these stored DMs of a person, which a renaming of a participant closes, for a write that concerns many
 * channels. Taken after the accounts. Throws 503 if one of them is closed.
 */
export async function holdDms(tx: Db, username: Username, channels: readonly ChannelId[]): Promise<void> {
  const ids = [...new Set(channels.filter(channel => channel.startsWith('dm:')))]
  if (ids.length === 0) return
  await tx.query('select from channels where id = any($1) order by id for key share', [ids])
  const { rowCount } = await tx.query(
    'select from dm_participants where username = $1 and channel = any($2)',
    [username, ids],
  )
  if (rowCount !== ids.length) throw errors.unavailable()
}

/**
 * Locks public and private channels against deletion until the transaction ends, for rows that name the channel alone; no
 * effect for DMs. Taken after the person's own lists. Throws 503 if one was deleted since it was found: the repeated
 * request finds nothing.
 */
export async function holdUndeleted(
  { settings }: Stores,
  tx: Db,
  channels: readonly ChannelId[],
): Promise<void> {
  const ids = [...new Set(channels.filter(channel => !channel.startsWith('dm:')))]
  if (ids.length === 0) return
  const { rows } = await tx.query<{ id: ChannelId }>(
    'select id from channels where id = any($1) order by id for key share',
    [ids],
  )
  // A channel of the settings has no row before its first message.
  const there = new Set([...rows.map(row => row.id), ...settings.current.channels])
  if (!ids.every(id => there.has(id))) throw errors.unavailable()
}
