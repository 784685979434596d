import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * Locks the ids of these stored DMs of a person, which a renaming of a participant closes, for a write that concerns many
 * channels. Taken after the accounts. Throws 503 if one of them is closed.
 */
export async function lockDms(tx: Db, username: Username, channels: readonly ChannelId[]): Promise<void> {
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
export async function lockUndeleted(
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

/** Locks the channels of a list that a request names against deletion, before the row that keeps the list. */
export async function lockNamed(tx: Db, names: readonly string[]): Promise<void> {
  const ids = names.flatMap(name => parseChannelId(name)?.id ?? [])
  await tx.query('select from channels where id = any($1) order by id for key share', [ids])
}
