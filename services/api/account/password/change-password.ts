import { PASSWORD_RULES, unmetPasswordRules } from '#shared/domain/password.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { accountOf, replaceHash } from '../queries.ts'
import { runTransactionEndingSessions } from '../sessions/sessions.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'

export interface PasswordChange {
  current: string
  password: string
  confirmation: string
}

/** Ends every session of the account, including the caller's; the route starts a new one. */
export async function changePassword(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  username: Username,
  { current, password, confirmation }: PasswordChange,
): Promise<void> {
  const account = await accountOf(stores.db, username)
  if (!account) throw errors.signedOut()
  const verdict = await verifyPassword(current, account.password_hash, passwordIterations, [username])
  if (verdict === 'wrong') throw errors.wrongPassword(400)
  const [unmet] = unmetPasswordRules(password, confirmation)
  if (unmet !== undefined) throw errors.badRequest(PASSWORD_RULES[unmet])

  const hash = await hashPassword(password, passwordIterations, [username])
  await runTransactionEndingSessions(stores, 'endSessions', username, async tx => {
    // The password was changed concurrently, so the one given is no longer current.
    if (!(await replaceHash(tx, username, account.password_hash, hash))) throw errors.wrongPassword(400)
  })
}
