import { personOf } from '#shared/access/person.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { Username } from '#shared/domain/units.ts'
import { keepOwner } from '#shared/ownership/ownership.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Deletion, deleteAccountOf } from '../account/deletion/delete-account.ts'
import { issueResetToken, type ResetToken } from '../account/password/issue-reset-token.ts'
import { runTransactionEndingSessions } from '../account/sessions/sessions.ts'
import { lockTarget, noSuchPerson } from './target.ts'

/** The registered spelling of a name; 404 for an unknown one. */
export async function personNamed(stores: Stores, name: string): Promise<Username> {
  const person = name.includes('\0') ? undefined : await personOf(stores.db, name)
  if (!person) throw noSuchPerson()
  return person.username
}

/** Signs a person out everywhere, and ends their tokens if asked to. */
export async function endSessionsOf(
  stores: Stores,
  actor: Actor,
  name: Username,
  { tokens }: { tokens: boolean },
): Promise<void> {
  const work = async (tx: Db) => {
    await lockTarget(tx, actor, name)
    const detail = tokens ? { tokens } : {}
    await insertAuditEntry(tx, { ...actor, action: 'person.sessions_ended', target: name, detail })
  }
  await runTransactionEndingSessions(stores, 'endSessions', name, work, tokens ? 'end' : 'keep')
}

/** Makes a link that sets a new password; the person is told in the DM with bothy. */
export async function resetLinkFor(stores: Stores, actor: Actor, name: Username): Promise<ResetToken> {
  const issued = await issueResetToken(stores, name, async tx => {
    const { target } = await lockTarget(tx, actor, name)
    if (target.state === 'pending') throw errors.coded(409, 'conflict', 'The account waits for approval.')
    if (target.kind === 'bot') throw errors.coded(409, 'conflict', 'A bot has no password.')
    await insertAuditEntry(tx, { ...actor, action: 'person.reset_link', target: name })
  })
  if (!issued) throw noSuchPerson()
  return issued
}

/** As the base's deletion, by an owner. */
export async function deletePerson(
  stores: Stores,
  actor: Actor,
  name: Username,
  deletion: Deletion,
): Promise<void> {
  const isDeleted = await deleteAccountOf(stores, actor, name, deletion, async tx => {
    const { actor: admin } = await lockTarget(tx, actor, name)
    if (admin.role !== 'owner') throw errors.coded(403, 'forbidden', 'Only owners may do this.')
    await keepOwner(tx, name)
    await insertAuditEntry(tx, {
      ...actor,
      action: 'person.deleted',
      target: name,
      detail: { type: deletion },
    })
  })
  if (!isDeleted) throw noSuchPerson()
}
