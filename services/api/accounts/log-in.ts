import type { Config } from '#shared/kernel/config.ts'
import { log } from '#shared/kernel/log.ts'
import { Refusal } from '#shared/kernel/refusals.ts'
import type { Seconds, Username } from '#shared/rules/units.ts'
import { isUsername } from '#shared/rules/username.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { hashPassword, verifyPassword } from './password-hash.ts'
import { type Account, accountOf, admit, countFailure, type Lockout, replaceHash } from './queries.ts'

export type LogInProblem = { kind: 'invalid' } | { kind: 'locked'; minutes: number }
export type LogIn = Entry | { problem: LogInProblem }

/** Whom a password has let in, and the record that it was checked against. */
export interface Entry {
  username: Username
  passwordHash: string
}

/** The same for a wrong name and a wrong password (interface 5.4). */
export const INVALID: LogInProblem = { kind: 'invalid' }

/** Interface 5.1, 5.4, 5.5. A failure is an outcome here; that its answer waits is the route's affair. */
export async function logIn(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  typedName: string,
  password: string,
  network: string,
): Promise<LogIn> {
  const lockout = lockoutOf(stores)
  const name = typedName.trim()
  // What cannot be a name (NUL, too long) is not asked for: it is as unknown as any other.
  const account = isUsername(name) ? await accountOf(stores.db, name) : undefined
  const lockedUntil = lockEnd(account, lockout, stores.clock.now())
  if (lockedUntil) return { problem: lockedFor(lockedUntil - stores.clock.now()) }

  const askers = account ? [network, account.username] : [network]
  const verdict = await verifyPassword(password, account?.password_hash, passwordIterations, askers)
  if (!account) return { problem: INVALID }
  const { username } = account
  const now = stores.clock.now()
  if (verdict === 'wrong') {
    if (await countFailure(stores.db, username, now, lockout)) log.warn({ username }, 'account locked')
    return { problem: INVALID }
  }
  if (!(await admit(stores.db, username, now, lockout))) {
    const isThere = (await accountOf(stores.db, username)) !== undefined
    return { problem: isThere ? lockedFor(lockout.lasts) : INVALID }
  }
  if (verdict === 'right, but cheap') await rehash(stores, account, password, passwordIterations)
  return { username, passwordHash: account.password_hash }
}

/**
 * Asked when the new session stands. A password that was changed, or an account that was deleted, since the entry was
 * checked has ended only the sessions that stood then.
 */
export async function stillOpens(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  { username, passwordHash }: Entry,
  password: string,
): Promise<boolean> {
  const account = await accountOf(stores.db, username)
  if (account?.password_hash === passwordHash) return true
  return (await verifyPassword(password, account?.password_hash, passwordIterations)) !== 'wrong'
}

/** Read at every log-in: a change of the settings counts from the next one on (interface 5.5). */
function lockoutOf({ settings }: Stores): Lockout {
  const { max_login_attempts, lockout_duration_minutes } = settings.current
  return { attempts: max_login_attempts, lasts: lockout_duration_minutes * 60 }
}

function lockEnd(account: Account | undefined, { attempts }: Lockout, now: Seconds): Seconds | undefined {
  const until = account?.lockout_until ?? 0
  return attempts > 0 && until > now ? until : undefined
}

/** Whole minutes, rounded up, at least one (interface 5.5). */
export function lockedFor(remaining: Seconds): LogInProblem {
  return { kind: 'locked', minutes: Math.max(1, Math.ceil(remaining / 60)) }
}

async function rehash(stores: Stores, account: Account, password: string, iterations: number) {
  try {
    const dearer = await hashPassword(password, iterations)
    await replaceHash(stores.db, account.username, account.password_hash, dearer)
  } catch (err) {
    // No core free for it: whoever has the right password comes in, and the next log-in hashes again.
    if (!(err instanceof Refusal)) throw err
  }
}
