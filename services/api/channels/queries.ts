import type { ChannelId, Username } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** All accounts but the viewer's, sorted without regard to case. */
export async function otherAccounts(db: Db, viewer: Username): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    'select username from users where username <> $1 order by username_key',
    [viewer],
  )
  return rows.map(row => row.username)
}

/** Members of a private channel but the viewer, in order of joining. */
export async function otherMembers(db: Db, channelId: number, viewer: Username): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    `select username
       from private_channel_members
      where channel_id = $1 and username <> $2
      order by join_order`,
    [channelId, viewer],
  )
  return rows.map(row => row.username)
}

/**
 * Hides a DM until its next message: one that is committed later brings it back, though its time was taken before. A DM that
 * has no message yet needs no hiding.
 */
export async function hideDm(db: Db, viewer: Username, channel: ChannelId): Promise<void> {
  await db.query(
    `insert into hidden_dms (username, channel, hidden_ts)
     select $1, id, newest_ts
       from channels
      where id = $2
     on conflict (username, channel) do update set hidden_ts = excluded.hidden_ts`,
    [viewer, channel],
  )
}
