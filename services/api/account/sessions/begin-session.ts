import type { Request } from 'express'
import type { Username } from '#shared/domain/units.ts'
import { ABSOLUTE_LIFETIME, allowSession } from '#shared/http/sessions.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { newCsrfToken } from '../../middleware/csrf.ts'
import { endSurplusSessions } from './sessions.ts'

const USER_AGENT_KEPT = 200

/**
 * Starts a session under a new id, so that an id known before log-in is worthless. Resolves once it is stored. Called
 * right after the password was given. If it throws, the response has no valid cookie.
 */
export async function beginSession(
  stores: Stores,
  req: Request,
  username: Username,
  csrfToken = newCsrfToken(),
): Promise<void> {
  await newSession(req)
  const now = stores.clock.now()
  const { session, sessionID } = req
  session.username = username
  session.created_ts = now
  session.seen_ts = now
  session.confirmed_ts = now
  session.user_agent = (req.get('User-Agent') ?? '').slice(0, USER_AGENT_KEPT)
  session.csrf_token = csrfToken
  session.cookie.maxAge = stores.settings.current.session_idle_minutes * 60_000
  await orNoSession(req, async () => {
    // List first: a listed session that does not exist is harmless, an unlisted one could not be ended.
    await listSession(stores, username, sessionID, now)
    await allowSession(stores, sessionID)
    await new Promise<void>((resolve, reject) => session.save(err => (err ? reject(err) : resolve())))
    await endSurplusSessions(stores, username, now)
  })
}

/** Ends the session of the request if `work` fails: who is told that it failed must not be signed in by the response. */
export async function orNoSession<T>(req: Request, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (err) {
    // Without Redis the record may stay: nobody has its id, and it expires.
    await newSession(req).catch(() => undefined)
    throw err
  }
}

/** Replaces the session by an anonymous one under a new id. */
export function newSession(req: Request): Promise<void> {
  return new Promise((resolve, reject) => req.session.regenerate(err => (err ? reject(err) : resolve())))
}

/** The score is the latest possible end of the session: use extends its idle time-out, never this. */
async function listSession({ redis, keys }: Stores, username: Username, id: string, now: number) {
  const key = keys.sessionsOf(username)
  const answers = await redis
    .multi()
    .zremrangebyscore(key, '-inf', now)
    .zadd(key, now + ABSOLUTE_LIFETIME, id)
    .expire(key, ABSOLUTE_LIFETIME)
    .exec()
  for (const [err] of answers ?? []) if (err) throw err
}
