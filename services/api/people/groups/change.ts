import { currentNames } from '#shared/access/person.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { checkAdmin, checkHandle, checkSize, lockedGroup, lockGroups } from './locked-group.ts'
import { deleteMembers, type Group, insertMembers, isMember, updateGroup } from './queries.ts'

export interface GroupChange {
  name?: string
  handle?: string
  add?: string[]
  remove?: string[]
}

/** By administrators; its members may add and remove people. Removes first. A state that is already so is no change. */
export async function changeGroup(
  stores: Stores,
  actor: Actor,
  handle: string,
  { add = [], remove = [], ...change }: GroupChange,
): Promise<void> {
  await runTransaction<typeof unchanged | undefined>(stores, 'changeGroup', {}, async tx => {
    const locked = await lockGroups(tx, actor.actor, await currentNames(tx, add))
    const group = await lockedGroup(tx, handle)
    if (change.name !== undefined || change.handle !== undefined) checkAdmin(locked)
    else if (!locked.isAdmin && !(await isMember(tx, group.id, actor.actor)))
      throw errors.coded(403, 'forbidden', 'Only administrators and members of the group may do this.')

    const renamed = await rename(tx, group, change)
    const removed = await deleteMembers(tx, group.id, await currentNames(tx, remove))
    const added = await insertMembers(tx, group.id, locked.people)
    await checkSize(tx, group.id)
    const detail = {
      ...renamed,
      ...(added.length > 0 ? { added } : {}),
      ...(removed.length > 0 ? { removed } : {}),
    }
    if (Object.keys(detail).length === 0) return unchanged
    await insertAuditEntry(tx, { ...actor, action: 'group.changed', target: group.handle, detail })
    return undefined
  })
}

interface FromTo {
  from: string
  to: string
}

/** Returns the changes for the audit log. */
async function rename(
  tx: Db,
  group: Group,
  { name = group.name, handle = group.handle }: Pick<GroupChange, 'name' | 'handle'>,
): Promise<{ name?: FromTo; handle?: FromTo }> {
  if (handle !== group.handle) await checkHandle(tx, handle, group.id)
  const changed = {
    ...(name === group.name ? {} : { name: { from: group.name, to: name } }),
    ...(handle === group.handle ? {} : { handle: { from: group.handle, to: handle } }),
  }
  if (Object.keys(changed).length > 0) await updateGroup(tx, { id: group.id, name, handle })
  return changed
}
