import type { IncomingMessage } from 'node:http'
import { RedisStore } from 'connect-redis'
import type { RequestHandler } from 'express'
import session from 'express-session'
import { LRUCache } from 'lru-cache'
import type { Seconds, Username } from '#shared/domain/units.ts'
import type { Config } from '#shared/runtime/config.ts'
import { log } from '#shared/runtime/log.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { isStillOpen, REMEMBERED } from './ended-sessions.ts'
import { tokenIn } from './tokens.ts'

declare module 'express-session' {
  interface SessionData {
    /** Absent before beginSession: a visitor without a session has no record. */
    username: Username
    csrf_token: string
    created_ts: Seconds
    /** Updated at most every SEEN_EVERY; the update renews cookie and record. */
    seen_ts: Seconds
    user_agent: string
    /** When the password was last given in this session. */
    confirmed_ts: Seconds
  }
}

export const ABSOLUTE_LIFETIME: Seconds = 90 * 24 * 3600
const SEEN_EVERY: Seconds = 300

/** Sessions in Redis under the signed cookie `session`; the same settings in api and events (interface 5.9). */
export function sessions(
  stores: Stores,
  config: Pick<Config, 'sessionSecret' | 'previousSessionSecret' | 'publicUrl'>,
): RequestHandler {
  const idle = (): Seconds => stores.settings.current.session_idle_minutes * 60
  const isHttps = config.publicUrl?.protocol === 'https:'
  const middleware = session({
    name: 'session',
    // The first key signs, all are accepted.
    secret: secretsOf(config),
    resave: false,
    saveUninitialized: false,
    cookie: { httpOnly: true, sameSite: 'lax', path: '/', secure: isHttps },
    proxy: isHttps ? true : undefined,
    store: new RedisStore({
      client: nodeRedisShape(stores),
      prefix: stores.keys.sessionPrefix(),
      disableTouch: true,
      ttl: () => Math.ceil(idle()),
    }),
  })

  return (req, res, next) => {
    // express-session sends no Secure cookie if the request seems to be plain HTTP. The public address alone decides
    // here, since a proxy in between may not report the browser's scheme.
    if (isHttps) req.headers['x-forwarded-proto'] = 'https'
    middleware(req, res, err => {
      // Its renewal failed after the response; Express would print the error.
      if (err && res.headersSent)
        return void (noteStoreFailure(err) || log.warn({ err }, 'session not renewed'))
      if (err) return next(err)
      const data = req.session
      if (data.username === undefined) return next()
      const now = stores.clock.now()
      if (now - (data.created_ts ?? 0) > ABSOLUTE_LIFETIME) {
        return data.destroy(destroyErr => next(destroyErr))
      }
      data.cookie.maxAge = idle() * 1000
      if (now - (data.seen_ts ?? 0) > SEEN_EVERY) data.seen_ts = now
      next()
    })
  }
}

/** The signing keys: the first signs, all are accepted. */
export const secretsOf = (config: Pick<Config, 'sessionSecret' | 'previousSessionSecret'>): string[] =>
  [config.sessionSecret, config.previousSessionSecret].filter(secret => secret !== undefined)

/** The person of a request, by its token or session, if any. */
export function viewerIn(req: IncomingMessage): Username | undefined {
  return (
    tokenIn(req)?.username ??
    (req as Partial<{ session: { username?: Username } }> & IncomingMessage).session?.username
  )
}

const MOST_REMEMBERED = 10_000

/**
 * The few commands of the `redis` package that connect-redis uses, on top of ioredis. While Redis is down, sessions
 * that this process has served lately keep working (security 13), and new ones cannot begin. Sessions ended elsewhere
 * meanwhile are found in the database.
 */
function nodeRedisShape({ redis, db, keys }: Stores) {
  const remembered = new LRUCache<string, string>({ max: MOST_REMEMBERED, ttl: REMEMBERED * 1_000 })
  return {
    async get(key: string) {
      try {
        const record = await redis.get(key)
        if (record === null) remembered.delete(key)
        else remembered.set(key, record)
        return record
      } catch (err) {
        const record = remembered.get(key)
        if (record === undefined || !isRedisAway(err)) throw err
        const { username } = JSON.parse(record) as { username?: Username }
        const id = key.slice(keys.sessionPrefix().length)
        if (username !== undefined && (await isStillOpen(db, id, username))) return record
        remembered.delete(key)
        return null
      }
    },
    async set(key: string, value: string, { expiration }: { expiration: { value: number } }) {
      try {
        // XX: a session that was ended during its last request must not be recreated; only beginSession creates
        // sessions.
        const isKept = await redis.set(key, value, 'EX', expiration.value, 'XX')
        if (isKept === null) {
          remembered.delete(key)
          return
        }
      } catch (err) {
        // A renewal can be skipped, but a new session must reach Redis for the other processes.
        if (!remembered.has(key) || !isRedisAway(err)) throw err
      }
      remembered.set(key, value)
    },
    expire: (key: string, seconds: number) => redis.expire(key, seconds),
    del(keys: string[]) {
      for (const key of keys) remembered.delete(key)
      return redis.del(keys)
    },
  }
}

/** Creates the record that the first save of a session requires. */
export async function allowSession({ redis, keys }: Stores, id: string): Promise<void> {
  await redis.set(keys.session(id), '{"cookie":{}}', 'EX', SAVED_WITHIN)
}

const SAVED_WITHIN: Seconds = 60
