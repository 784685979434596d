import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { runTransaction } from '#shared/notices/write.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { checkAdmin, lockedGroup, lockGroups } from './locked-group.ts'
import { deleteGroup } from './queries.ts'

/** By administrators. Messages keep the handle, which is free again. */
export async function removeGroup(stores: Stores, actor: Actor, handle: string): Promise<void> {
  await runTransaction(stores, 'changeGroup', {}, async tx => {
    const locked = await lockGroups(tx, actor.actor)
    const group = await lockedGroup(tx, handle)
    checkAdmin(locked)
    await deleteGroup(tx, group.id)
    await insertAuditEntry(tx, {
      ...actor,
      action: 'group.deleted',
      target: group.handle,
      detail: { name: group.name },
    })
  })
}
