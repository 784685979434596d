import { createHash } from 'node:crypto'
import type { Username } from '#shared/domain/units.ts'
import { unchanged } from '#shared/notices/write.ts'
import type { Config } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { accountOfToken, lockAccountOfToken, setPassword, useToken } from '../queries.ts'
import { runTransactionEndingSessions } from '../sessions/sessions.ts'
import { hashPassword } from './password-hash.ts'

/** Tokens are stored and looked up by hash. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** The account whose password the link may set; undefined if unknown, used or expired. */
export async function resettableAccount(stores: Stores, token: string): Promise<Username | undefined> {
  return accountOfToken(stores.db, tokenHash(token), stores.clock.now())
}

/**
 * Sets a valid password, once: of two concurrent callers, one finds the link used. Lifts a lockout and ends all
 * sessions; does not log in (interface 4.1).
 */
export async function resetPassword(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  token: string,
  password: string,
): Promise<boolean> {
  const username = await resettableAccount(stores, token)
  if (username === undefined) return false
  const passwordHash = await hashPassword(password, passwordIterations, [username])
  const outcome = await runTransactionEndingSessions(stores, 'endSessions', username, async tx => {
    const hash = tokenHash(token)
    // Lock the account before its token, the order that a deletion uses too.
    await lockAccountOfToken(tx, hash)
    if (!(await useToken(tx, hash, stores.clock.now()))) return unchanged
    await setPassword(tx, username, passwordHash)
    return 'reset'
  })
  if (outcome === unchanged) return false
  log.info({ username }, 'password reset')
  return true
}
