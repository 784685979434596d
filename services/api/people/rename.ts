import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { Username } from '#shared/domain/units.ts'
import { USERNAME_RULES, unmetUsernameRules } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { isDuplicate } from '#shared/stores/postgres-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { runTransactionEndingSessions } from '../account/sessions/sessions.ts'
import { shareNames } from '../account/sign-up/names.ts'
import { insertRename, isNameFree } from './queries.ts'
import { lockTarget } from './target.ts'

/** Ends the sessions of an account and asks the janitor to rename it. Returns the id of the job. */
export async function requestRename(
  stores: Stores,
  actor: Actor,
  name: Username,
  wanted: string,
): Promise<string> {
  const [unmet] = unmetUsernameRules(wanted)
  if (unmet) throw errors.invalid(USERNAME_RULES[unmet])
  const taken = () => errors.coded(409, 'conflict', USERNAME_RULES.taken)
  try {
    const work = async (tx: Db) => {
      const { target } = await lockTarget(tx, actor, name)
      if (target.state === 'pending') throw errors.coded(409, 'conflict', 'The account waits for approval.')
      await shareNames(tx)
      if (!(await isNameFree(tx, name, wanted))) throw taken()
      await insertAuditEntry(tx, {
        ...actor,
        action: 'person.renamed',
        target: name,
        detail: { from: name, to: wanted },
      })
      return insertRename(tx, name, wanted)
    }
    return await runTransactionEndingSessions(stores, 'endSessions', name, work, 'interrupt')
  } catch (err) {
    // Another renaming to this name, or of this account, came first.
    if (isDuplicate(err, 'account_renames_new') || isDuplicate(err, 'account_renames_username_key'))
      throw taken()
    throw err
  }
}
