import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { revokeInvite } from './queries.ts'

/** Accounts that came by the invitation stay. Repeating it changes nothing. */
export async function revokeInvitation(stores: Stores, actor: Actor, id: number): Promise<void> {
  await inTransaction(stores.pool, async tx => {
    if (!(await revokeInvite(tx, id, stores.clock.now()))) return
    await insertAuditEntry(tx, { ...actor, action: 'invite.revoked', target: String(id) })
  })
}
