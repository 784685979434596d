import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** False for a DM without messages, which is not stored: anybody could name any number of them. */
export async function isStored(db: Db, viewer: Username, channel: ReadableChannel): Promise<boolean> {
  if (channel.kind !== 'dm') return true
  const { rowCount } = await db.query('select from dm_participants where username = $1 and channel = $2', [
    viewer,
    channel.id,
  ])
  return rowCount === 1
}

/** `until` is null to end the mute, Infinity for ever. Returns whether anything changed. */
export async function mute(
  db: Db,
  viewer: Username,
  channel: ReadableChannel,
  until: Seconds | null,
): Promise<boolean> {
  const { rowCount } = await db.query(
    `insert into channel_prefs as prefs (username, channel, muted_until)
     values ($1, $2, $3)
     on conflict (username, channel) do update set muted_until = excluded.muted_until
      where prefs.muted_until is distinct from excluded.muted_until`,
    [viewer, channel.id, until],
  )
  return rowCount === 1
}
