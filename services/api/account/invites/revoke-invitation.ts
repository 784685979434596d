import { lockRole } from '#shared/access/account-locks.ts'
import { type Actor, insertAuditEntry, isOperator } from '#shared/audit/audit-log.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type InviteRow, revokeInvite } from './queries.ts'

/** By the maker and administrators. Accounts that came by the invitation stay. Repeating it changes nothing. */
export async function revokeInvitation(
  stores: Stores,
  actor: Actor,
  { id, created_by }: Pick<InviteRow, 'id' | 'created_by'>,
): Promise<void> {
  await inTransaction(stores.pool, async tx => {
    if (!isOperator(actor)) {
      const role = await lockRole(tx, actor.actor)
      if (role === undefined) throw errors.signedOut()
      if (created_by !== actor.actor && !isAdmin(role)) throw errors.notFound()
    }
    if (!(await revokeInvite(tx, id, stores.clock.now()))) return
    await insertAuditEntry(tx, { ...actor, action: 'invite.revoked', target: String(id) })
  })
}
