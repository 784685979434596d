import { createHash } from 'node:crypto'
import type { Config } from '#shared/kernel/config.ts'
import { log } from '#shared/kernel/log.ts'
import { unchanged } from '#shared/notices/write.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { hashPassword } from './password-hash.ts'
import { accountOfToken, holdAccountOfToken, setPassword, useToken } from './queries.ts'
import { writeEndingSessions } from './sessions.ts'

/** What is kept of a token, and what it is found by. */
export const tokenHash = (token: string): Buffer => createHash('sha256').update(token).digest()

/** For whom the link in somebody's hands may set a password; undefined when it is unknown, used or has run out. */
export async function resettableAccount(stores: Stores, token: string): Promise<Username | undefined> {
  return accountOfToken(stores.db, tokenHash(token), stores.clock.now())
}

/**
 * Sets a password that meets the rules, once: of two who come at the same time one finds the link used. Lifts a
 * lockout and ends all sessions; signing in is a step of its own (decisions, Reset token).
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
  const outcome = await writeEndingSessions(stores, 'endSessions', username, async tx => {
    const hash = tokenHash(token)
    // The account before its token, as everywhere: a deletion of the account takes both in this order.
    await holdAccountOfToken(tx, hash)
    if (!(await useToken(tx, hash, stores.clock.now()))) return unchanged
    await setPassword(tx, username, passwordHash)
    return 'reset'
  })
  if (outcome === unchanged) return false
  log.info({ username }, 'password reset')
  return true
}
