import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** True once the channel has had a message. */
export async function channelExists(db: Db, channel: ChannelId): Promise<boolean> {
  const { rowCount } = await db.query('select from channels where id = $1', [channel])
  return rowCount !== 0
}

/** Accounts among these lower-case names with their states; none that waits for approval. */
export async function participantsNamed(
  db: Db,
  keys: string[],
): Promise<{ username: Username; isActive: boolean }[]> {
  const { rows } = await db.query<{ username: Username; isActive: boolean }>(
    `select username, state = 'active' as "isActive"
       from users
      where username_key = any($1) and state <> 'pending'`,
    [keys],
  )
  return rows
}

/** Active accounts among these lower-case names that may read a public channel, in the order of member lists. */
export async function publicReadersNamed(db: Db, channel: ChannelId, keys: string[]): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    `select username
       from users account
      where username_key = any($2)
        and state = 'active'
        and (role <> 'guest' or exists (
              select from channel_memberships membership
               where membership.username = account.username and membership.channel = $1 and joined))
      order by username_key`,
    [channel, keys],
  )
  return rows.map(row => row.username)
}

/** The active members of a private channel among these names, in order of joining. */
export async function privateMembersNamed(db: Db, channelId: number, keys: string[]): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    `select username
       from private_channel_members
      where channel_id = $1
        and lower(username) = any($2)
        and username not in (select username from users where state <> 'active')
      order by join_order`,
    [channelId, keys],
  )
  return rows.map(row => row.username)
}
