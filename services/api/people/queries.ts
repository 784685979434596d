import type { AccountState, Role } from '#shared/domain/roles.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

export async function setState(tx: Db, username: Username, state: AccountState, now: Seconds): Promise<void> {
  await tx.query('update users set state = $2, state_ts = $3 where username = $1', [username, state, now])
}

export async function rejectAccount(tx: Db, username: Username): Promise<void> {
  await tx.query(`delete from users where username = $1 and state = 'pending'`, [username])
}

export async function setRole(tx: Db, username: Username, role: Role): Promise<void> {
  await tx.query('update users set role = $2 where username = $1', [username, role])
}

/** Optional fields of an account. Undefined: unchanged; null: removed. */
export interface AccountFields {
  display_name?: string | null
  title?: string | null
  email?: string | null
}

/** Returns whether anything changed. An address that changes is not verified. */
export async function setFields(tx: Db, username: Username, fields: AccountFields): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update users
        set display_name = chosen.display_name,
            title = chosen.title,
            email = chosen.email,
            email_verified_ts = case when users.email is not distinct from chosen.email then email_verified_ts end
       from (select case when $2::jsonb ? 'display_name' then $2::jsonb ->> 'display_name' else display_name end as display_name,
                    case when $2::jsonb ? 'title' then $2::jsonb ->> 'title' else title end as title,
                    case when $2::jsonb ? 'email' then $2::jsonb ->> 'email' else email end as email
               from users
              where username = $1) chosen
      where users.username = $1
        and (users.display_name, users.title, users.email)
            is distinct from (chosen.display_name, chosen.title, chosen.email)`,
    [username, JSON.stringify(fields)],
  )
  return rowCount === 1
}

/** True for a member of a private channel or participant of a DM. */
export async function hasClosedChannels(db: Db, username: Username): Promise<boolean> {
  const { rows } = await db.query<{ found: boolean }>(
    `select exists (select from private_channel_members where username = $1)
         or exists (select from dm_participants where username = $1) as found`,
    [username],
  )
  return rows[0]!.found
}

/** Replaces the joined public channels of a person who becomes a guest. */
export async function keepOnly(
  tx: Db,
  username: Username,
  channels: readonly ChannelId[],
  now: Seconds,
): Promise<void> {
  await tx.query('delete from channel_memberships where username = $1 and channel <> all($2)', [
    username,
    channels,
  ])
  await joinChannels(tx, username, channels, now)
}

export async function joinChannels(
  tx: Db,
  username: Username,
  channels: readonly ChannelId[],
  now: Seconds,
): Promise<void> {
  await tx.query(
    `insert into channel_memberships as membership (username, channel, joined, changed_ts)
     select $1, channel, true, $3 from unnest($2::text[]) as channel
     on conflict (username, channel) do update
        set joined = true, changed_ts = excluded.changed_ts
      where not membership.joined`,
    [username, channels, now],
  )
}

/** Default channels that the person had left are joined again. */
export async function rejoinDefaults(tx: Db, username: Username): Promise<void> {
  await tx.query('delete from channel_memberships where username = $1 and not joined', [username])
}

export async function setInviter(tx: Db, username: Username, inviter: Username): Promise<void> {
  await tx.query('update users set invited_by = $2 where username = $1', [username, inviter])
}

/** True if nobody has or had the name, nor a group, except for another spelling of the own one. Under `shareNames`. */
export async function isNameFree(tx: Db, own: Username, wanted: Username): Promise<boolean> {
  const { rows } = await tx.query<{ free: boolean }>(
    `select $1::text <> $2
        and not exists (select from users where username_key = lower($2) and username <> $1)
        and not exists (select from deleted_names where username_key = lower($2))
        and not exists (select from user_groups where handle_key = lower($2)) as free`,
    [own, wanted],
  )
  return rows[0]!.free
}

/** Returns the id of the job. */
export async function insertRename(tx: Db, username: Username, wanted: Username): Promise<string> {
  const { rows } = await tx.query<{ id: string }>(
    `insert into account_renames (username, new_username, due_ts)
     values ($1, $2, extract(epoch from clock_timestamp()))
     returning id`,
    [username, wanted],
  )
  return rows[0]!.id
}
