import { lockForRemoval } from '#shared/access/account-locks.ts'
import type { Role } from '#shared/domain/roles.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { lockGroupsOf } from '#shared/stores/lock-groups.ts'
import type { Db } from '#shared/stores/postgres.ts'

/**
 * Deletes the row if it still has the verified password hash; undefined otherwise. Presence and reset tokens go with
 * it.
 */
export async function deleteAccountRow(
  tx: Db,
  username: Username,
  passwordHash: string,
): Promise<{ avatar_file: string | null; role: Role } | undefined> {
  await raiseEmojiOf(tx, username)
  await lockGroupsOf(tx, username)
  const { rows } = await tx.query<{ avatar_file: string | null; role: Role }>(
    'delete from users where username = $1 and password_hash = $2 returning avatar_file, role',
    [username, passwordHash],
  )
  return rows[0]
}

/** Their emoji stay without a maker: the list that others have read is another one. */
async function raiseEmojiOf(tx: Db, username: Username): Promise<void> {
  await tx.query(
    `update emoji_revision
        set makers_rev = makers_rev + 1
      where exists (select from custom_emoji where created_by = $1)`,
    [username],
  )
}

/**
 * True while the janitor renames the account, whose messages have two names until then. Locks the account: no renaming
 * begins before the transaction ends.
 */
export async function isBeingRenamed(tx: Db, username: Username): Promise<boolean> {
  await lockForRemoval(tx, username)
  const { rowCount } = await tx.query('select from account_renames where username = $1', [username])
  return rowCount === 1
}

export async function keepNameTaken(tx: Db, username: Username, now: Seconds): Promise<void> {
  await tx.query(
    `insert into deleted_names (username_key, deleted_ts, rev, rev_ts)
     values (lower($1), $2, next_people_rev(), extract(epoch from clock_timestamp()))`,
    [username, now],
  )
}

/** Locks the memberships in ascending channel order, the order for every transaction that locks several. */
export async function lockMemberships(tx: Db, username: Username): Promise<number[]> {
  const { rows } = await tx.query<{ channel_id: number }>(
    'select channel_id from private_channel_members where username = $1 order by channel_id for update',
    [username],
  )
  return rows.map(row => row.channel_id)
}

export async function deleteMemberships(tx: Db, username: Username): Promise<void> {
  await tx.query('delete from private_channel_members where username = $1', [username])
}

/** Hides the account from reads and queues the rest for the janitor. */
export async function startDeletion(
  tx: Db,
  username: Username,
  kind: 'soft' | 'hard',
  leftChannels: number[],
): Promise<void> {
  await tx.query(
    `insert into account_deletions (username, kind, deleted_ts, due_ts, left_channels)
     select $1, $2, now, now, $3 from extract(epoch from clock_timestamp()) as now`,
    [username, kind, leftChannels],
  )
}

/** Hides closed DMs again that only messages of this account had reopened. */
export async function rehideDms(db: Db, username: Username): Promise<void> {
  await db.query(
    `update hidden_dms hidden
        set hidden_ts = channel.newest_ts
       from dm_participants dm
       join channels channel on channel.id = dm.channel
      where dm.username = $1
        and hidden.channel = dm.channel
        and hidden.hidden_ts < channel.newest_ts
        and not exists (
              select from messages
               where messages.channel = hidden.channel
                 and messages.ts > hidden.hidden_ts
                 and messages.sender <> $1)`,
    [username],
  )
}
