import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** All active accounts except the viewer's, sorted case-insensitively. */
export async function otherAccounts(db: Db, viewer: Username): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    `select username from users where username <> $1 and state = 'active' order by username_key`,
    [viewer],
  )
  return rows.map(row => row.username)
}

/** Active accounts that may read a public channel, except the viewer's, sorted case-insensitively. */
export async function otherReaders(db: Db, viewer: Username, channel: ChannelId): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    `select username
       from users account
      where username <> $1
        and state = 'active'
        and (role <> 'guest' or exists (
              select from channel_memberships membership
               where membership.username = account.username and membership.channel = $2 and joined))
      order by username_key`,
    [viewer, channel],
  )
  return rows.map(row => row.username)
}

/** Active members of a private channel except the viewer, in order of joining. */
export async function otherMembers(db: Db, channelId: number, viewer: Username): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    `select username
       from private_channel_members
       join users using (username)
      where channel_id = $1 and username <> $2 and state = 'active'
      order by join_order`,
    [channelId, viewer],
  )
  return rows.map(row => row.username)
}

/**
 * Hides a DM until a later commit of a message, even if that message has an earlier timestamp. No effect on a DM
 * without messages.
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
