import { Counter } from 'prom-client'
import { insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { isUsername, SYSTEM_SENDER } from '#shared/domain/username.ts'
import type { Config } from '#shared/runtime/config.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'
import type { LogInProblem } from '../../pages/strings.ts'
import { hashPassword, verifyPassword } from '../password/password-hash.ts'
import {
  type Account,
  accountOf,
  clearFailures,
  countFailure,
  type Lockout,
  replaceHash,
} from '../queries.ts'

export type LogIn = Entry | Refusal

/** `username` only if there is such an account: a typed name may be a password in the wrong field. */
type Refusal = { problem: LogInProblem; username?: Username }

/** A user whose password was right, and the hash that it was verified against. */
export interface Entry {
  username: Username
  passwordHash: string
}

/** The same for a wrong name and a wrong password (interface 5.4). */
export const INVALID: LogInProblem = { kind: 'invalid' }

const failures = new Counter({
  name: 'bothy_login_failures_total',
  help: 'Log-ins refused because of a wrong name or password, or of a locked account.',
})

/**
 * Interface 5.1, 5.4, 5.5. Returns failures as values; the route delays their response. `asker`: fields of the log line
 * of a failure.
 */
export async function logIn(
  stores: Stores,
  config: Pick<Config, 'passwordIterations'>,
  typedName: string,
  password: string,
  network: string,
  asker: object = {},
): Promise<LogIn> {
  const outcome = await tryLogIn(stores, config, typedName, password, network)
  if ('problem' in outcome && ['invalid', 'locked'].includes(outcome.problem.kind)) {
    failures.inc()
    log.info({ ...asker, username: outcome.username, reason: outcome.problem.kind }, 'login failed')
  }
  return outcome
}

async function tryLogIn(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  typedName: string,
  password: string,
  network: string,
): Promise<LogIn> {
  const lockout = lockoutOf(stores)
  const name = typedName.trim()
  // Skip the query for names that cannot exist (NUL, too long): same outcome as an unknown name.
  const account = isUsername(name) ? await accountOf(stores.db, name) : undefined
  const lockedUntil = lockEnd(account, lockout, stores.clock.now())
  if (account && lockedUntil)
    return { problem: lockedFor(lockedUntil - stores.clock.now()), username: account.username }

  const askers = account ? [network, account.username] : [network]
  const verdict = await verifyPassword(password, account?.password_hash, passwordIterations, askers)
  if (!account) return { problem: INVALID }
  const { username } = account
  const now = stores.clock.now()
  if (verdict === 'wrong') {
    if (await countFailure(stores.db, username, now, lockout)) {
      log.warn({ username }, 'account locked')
      const entry = {
        actor: SYSTEM_SENDER,
        actorKind: 'system',
        action: 'login.locked',
        target: username,
      } as const
      await insertAuditEntry(stores.db, entry)
    }
    return { problem: INVALID, username }
  }
  if (!(await clearFailures(stores.db, username, now, lockout))) {
    const isThere = (await accountOf(stores.db, username)) !== undefined
    return { problem: isThere ? lockedFor(lockout.lasts) : INVALID, username }
  }
  // Told only to those who know the password.
  if (account.state !== 'active') return { problem: { kind: account.state } }
  if (account.is_renamed) return { problem: { kind: 'renamed' } }
  if (verdict === 'right, but cheap') await rehash(stores, account, password, passwordIterations)
  return { username, passwordHash: account.password_hash }
}

/**
 * Checks the entry again once the new session exists: a password change or deletion in between ended only the sessions
 * that existed then.
 */
export async function stillOpens(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  { username, passwordHash }: Entry,
  password: string,
): Promise<boolean> {
  const account = await accountOf(stores.db, username)
  if (account !== undefined && (account.state !== 'active' || account.is_renamed)) return false
  if (account?.password_hash === passwordHash) return true
  return (await verifyPassword(password, account?.password_hash, passwordIterations)) !== 'wrong'
}

/** Read at every log-in, so that changed settings apply to the next one (interface 5.5). */
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
    // The queue is full: the log-in succeeds all the same, and the next one rehashes.
    if (!(err instanceof HttpError)) throw err
  }
}
