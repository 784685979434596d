import type { Request, Response } from 'express'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { askerOf } from '../../middleware/request-log.ts'
import type { LogInProblem } from '../../pages/strings.ts'
import { addressOf } from '../forms.ts'
import { accountOf } from '../queries.ts'
import { beginSession, newSession, orNoSession } from '../sessions/begin-session.ts'
import { endSessions } from '../sessions/sessions.ts'
import { failureDelay } from './failure-delay.ts'
import { INVALID, logIn, stillOpens } from './log-in.ts'

/** A sign-up is repeated soon after it failed. */
const REPEATED_WITHIN: Seconds = 3_600

/** Verifies name and password and begins a session; returns the problem, if there is one. */
export async function enter(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  { username, password }: { username: string; password: string },
): Promise<LogInProblem | undefined> {
  const outcome = await logIn(stores, config, username, password, addressOf(req), askerOf(res))
  if ('problem' in outcome) return outcome.problem
  await beginSession(stores, req, outcome.username)
  if (await orNoSession(req, () => stillOpens(stores, config, outcome, password))) return undefined
  await endSessions(stores, outcome.username, [req.sessionID])
  await newSession(req)
  return INVALID
}

/**
 * For a sign-up or claim that is refused because it was carried out already: the account was committed, and then the
 * session could not be stored or the response was lost. The repetition with the same name and password leads in, as a
 * log-in does: within its limits, lockout and delay. Only into an account of the last hour, so that people who want a
 * taken name do not lock out its owner.
 */
export async function enterNewAccount(
  stores: Stores,
  config: Config,
  req: Request,
  res: Response,
  typed: { username: Username; password: string },
): Promise<'active' | 'pending' | undefined> {
  if (!isUsername(typed.username)) return undefined
  const account = await accountOf(stores.db, typed.username)
  if (account?.username !== typed.username) return undefined
  if (account.created_ts < stores.clock.now() - REPEATED_WITHIN) return undefined
  await rateLimits(stores)(['login', addressOf(req)])
  const problem = await enter(stores, config, req, res, typed)
  if (problem === undefined) return 'active'
  if (problem.kind === 'invalid' || problem.kind === 'locked') await failureDelay(res)
  return problem.kind === 'pending' ? 'pending' : undefined
}
