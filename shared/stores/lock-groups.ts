import type { Username } from '#shared/domain/units.ts'
import type { Db } from './postgres.ts'

/** Locks all groups against other changes: before rows of groups and members, and before the revision of the people. */
export async function lockAllGroups(tx: Db): Promise<void> {
  await tx.query('select from groups_revision for update')
}

/** The same, before the account is renamed or deleted with its memberships. The caller has locked the account. */
export async function lockGroupsOf(tx: Db, username: Username): Promise<void> {
  await tx.query(
    `select from groups_revision
      where exists (select from group_members where username = $1)
         or exists (select from user_groups where created_by = $1)
        for update`,
    [username],
  )
}
