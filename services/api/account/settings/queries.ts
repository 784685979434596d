import { ACCOUNT_LOCK } from '#shared/access/account-locks.ts'
import type { SettingsPayload } from '#shared/domain/payloads/account.ts'
import type { Presence } from '#shared/domain/presence.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export async function settingsOf(db: Db, username: Username): Promise<SettingsPayload | undefined> {
  const { rows } = await db.query<SettingsPayload>(
    'select name_color, avatar_file from users where username = $1',
    [username],
  )
  return rows[0]
}

export async function setNameColor(db: Db, username: Username, color: string | null): Promise<void> {
  await db.query('update users set name_color = $2 where username = $1', [username, color])
}

export async function nameColors(db: Db): Promise<{ username: Username; name_color: string }[]> {
  const { rows } = await db.query<{ username: Username; name_color: string }>(
    'select username, name_color from users where name_color is not null order by username_key',
  )
  return rows
}

export async function usersWithAvatar(db: Db): Promise<Username[]> {
  const { rows } = await db.query<{ username: Username }>(
    'select username from users where avatar_file is not null order by username_key',
  )
  return rows.map(row => row.username)
}

/** Case-insensitive. */
export async function avatarOf(
  db: Db,
  name: string,
): Promise<{ username: Username; file: string } | undefined> {
  const { rows } = await db.query<{ username: Username; file: string }>(
    'select username, avatar_file as file from users where username = account_named($1) and avatar_file is not null',
    [name],
  )
  return rows[0]
}

/**
 * Replaces the avatar file (null: none) and returns the previous one, each to one caller only; undefined when the
 * account is gone.
 */
export async function replaceAvatar(
  db: Db,
  username: Username,
  file: string | null,
): Promise<{ avatar_file: string | null } | undefined> {
  const { rows } = await db.query<{ avatar_file: string | null }>(
    `with before as (
       select username, avatar_file from users where username = $1 ${ACCOUNT_LOCK.row}
     )
     update users
        set avatar_file = $2
       from before
      where users.username = before.username
     returning before.avatar_file`,
    [username, file],
  )
  return rows[0]
}

export interface Profile {
  username: Username
  name_color: string | null
  avatar: boolean
  created_ts: Seconds
  presence: Presence | null
}

/** Case-insensitive; undefined also while the account waits for approval. */
export async function profileOf(db: Db, name: string): Promise<Profile | undefined> {
  const { rows } = await db.query<Profile>(
    `select users.username, users.name_color, users.avatar_file is not null as avatar, users.created_ts,
            (select to_json(own)
               from (select state, last_seen, override, by_tab from presence where presence.username = users.username) own
            ) as presence
       from users
      where users.username = account_named($1) and users.state <> 'pending'`,
    [name],
  )
  return rows[0]
}
