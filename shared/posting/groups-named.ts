import type { UserGroup } from '#shared/domain/mentions.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** SQL: the active members of the group `found`, by name. */
export const ACTIVE_MEMBERS = `
  array(select account.username
          from group_members member
          join users account on account.username = member.username
         where member.group_id = found.id and account.state = 'active'
         order by account.username_key)`

interface GroupRef {
  id: number
  handle: string
}

/** The groups among these lower-case names; there are at most 200. */
export async function groupsNamed(db: Db, keys: readonly string[]): Promise<GroupRef[]> {
  const { rows } = await db.query<GroupRef>('select id, handle from user_groups where handle_key = any($1)', [
    keys,
  ])
  return rows
}

/** Their active members, in the order of the ids. */
export async function readMembers(db: Db, ids: readonly number[]): Promise<UserGroup[]> {
  const { rows } = await db.query<UserGroup>(
    `select handle, ${ACTIVE_MEMBERS} as members
       from user_groups found
      where id = any($1)
      order by array_position($1::bigint[], id)`,
    [ids],
  )
  return rows
}
