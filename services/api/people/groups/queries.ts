import type { GroupPayload } from '#shared/domain/payloads/people.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { ACTIVE_MEMBERS } from '#shared/posting/groups-named.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** All groups by handle, or the one of this handle. */
export async function readGroups(db: Db, viewer: Username, handle?: string): Promise<GroupPayload[]> {
  const { rows } = await db.query<GroupPayload>(
    `select found.handle, found.name, ${ACTIVE_MEMBERS} as members,
            exists (select from group_members where group_id = found.id and username = $1) as mine
       from user_groups found
      where $2::text is null or found.handle_key = lower($2)
      order by found.handle_key`,
    [viewer, handle ?? null],
  )
  return rows
}

export interface Group {
  id: number
  handle: string
  name: string
}

/** Case-insensitive. */
export async function groupOf(db: Db, handle: string): Promise<Group | undefined> {
  const { rows } = await db.query<Group>(
    'select id, handle, name from user_groups where handle_key = lower($1)',
    [handle],
  )
  return rows[0]
}

/** True if no person has, had or is about to get the name, and no other group has it. Called under `lockNames`. */
export async function isHandleFree(tx: Db, handle: string, own: number | null): Promise<boolean> {
  const { rows } = await tx.query<{ free: boolean }>(
    `select not exists (select from users where username_key = lower($1))
        and not exists (select from deleted_names where username_key = lower($1))
        and not exists (select from account_renames where lower(new_username) = lower($1))
        and not exists (select from user_groups where handle_key = lower($1) and id is distinct from $2) as free`,
    [handle, own],
  )
  return rows[0]!.free
}

export async function countGroups(tx: Db): Promise<number> {
  const { rows } = await tx.query<{ count: number }>('select count(*) as count from user_groups')
  return rows[0]!.count
}

export async function countMembers(tx: Db, group: number): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    'select count(*) as count from group_members where group_id = $1',
    [group],
  )
  return rows[0]!.count
}

export async function insertGroup(
  tx: Db,
  { handle, name, maker, now }: { handle: string; name: string; maker: Username; now: Seconds },
): Promise<number> {
  const { rows } = await tx.query<{ id: number }>(
    `insert into user_groups (handle, name, created_by, created_ts)
     values ($1, $2, $3, $4)
     returning id`,
    [handle, name, maker, now],
  )
  return rows[0]!.id
}

export async function updateGroup(tx: Db, { id, handle, name }: Group): Promise<void> {
  await tx.query('update user_groups set handle = $2, name = $3 where id = $1', [id, handle, name])
}

/** Its members go with it. */
export async function deleteGroup(tx: Db, id: number): Promise<void> {
  await tx.query('delete from user_groups where id = $1', [id])
}

export async function isMember(db: Db, group: number, username: Username): Promise<boolean> {
  const { rowCount } = await db.query('select from group_members where group_id = $1 and username = $2', [
    group,
    username,
  ])
  return rowCount === 1
}

/** Returns those who were no members. */
export async function insertMembers(tx: Db, group: number, names: readonly Username[]): Promise<Username[]> {
  const { rows } = await tx.query<{ username: Username }>(
    `insert into group_members (group_id, username)
     select $1, unnest($2::text[])
     on conflict do nothing
     returning username`,
    [group, names],
  )
  return rows.map(row => row.username)
}

/** Case-insensitive; returns those who were members. */
export async function deleteMembers(tx: Db, group: number, names: readonly string[]): Promise<Username[]> {
  const { rows } = await tx.query<{ username: Username }>(
    `delete from group_members where group_id = $1 and lower(username) = any($2) returning username`,
    [group, names.map(name => name.toLowerCase())],
  )
  return rows.map(row => row.username)
}
