import { createHash } from 'node:crypto'
import type { Request } from 'express'
import type { SessionPayload } from '#shared/domain/payloads/account.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { noteEnded } from '#shared/http/ended-sessions.ts'
import { ABSOLUTE_LIFETIME } from '#shared/http/sessions.ts'
import { type EndedToken, forgetCached } from '#shared/http/tokens.ts'
import type { WriteName } from '#shared/notices/invalidations.ts'
import { runStatement, runTransaction, unchanged } from '#shared/notices/write.ts'
import { log } from '#shared/runtime/log.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { afterEnding, endTokensOf, tokensInUse } from '../tokens/end-tokens.ts'

/** The fields of a session record that are used here (shared/http/sessions.ts). */
interface SessionRecord {
  username?: Username
  created_ts?: Seconds
  seen_ts?: Seconds
  user_agent?: string
}

/** Limit of one account. */
export const MOST_SESSIONS = 50
const BEGUN_WITHIN: Seconds = 60

/** Live sessions of a user: the caller's first, then by last use. */
export async function sessionsOf(
  stores: Stores,
  req: Request,
  username: Username,
): Promise<SessionPayload[]> {
  const records = await recordsOf(stores, username)
  return records
    .map(({ id, record }) => {
      const current = id === req.sessionID
      // For the current session the request is fresher than the record, which is saved with the response.
      const { created_ts = 0, seen_ts = 0, user_agent = '' } = current ? req.session : record
      return { id: handleOf(id), created_ts, last_seen_ts: seen_ts, user_agent, current }
    })
    .sort((a, b) => Number(b.current) - Number(a.current) || b.last_seen_ts - a.last_seen_ts)
}

/** Returns the id of the user's session with this handle. */
export async function sessionNamed(
  stores: Stores,
  username: Username,
  handle: string,
): Promise<string | undefined> {
  const records = await recordsOf(stores, username)
  return records.find(({ id }) => handleOf(id) === handle)?.id
}

/** A hash for display: the id itself would grant access. */
function handleOf(id: string) {
  return createHash('sha256').update(id).digest('base64url').slice(0, 22)
}

/** Number of live sessions and their latest use, 0 without one, of each of these users. */
export async function usesOfSessions(
  { redis, keys }: Stores,
  usernames: readonly Username[],
): Promise<Map<Username, { sessions: number; last_used_ts: Seconds }>> {
  const listed = await Promise.all(usernames.map(name => redis.zrange(keys.sessionsOf(name), '0', '-1')))
  const all = listed.flat()
  const texts = all.length === 0 ? [] : await redis.mget(all.map(id => keys.session(id)))
  const records = new Map(all.map((id, i) => [id, JSON.parse(texts[i] ?? '{}') as SessionRecord]))
  return new Map(
    usernames.map((username, i) => {
      const own = listed[i]!.map(id => records.get(id)!).filter(record => record.username === username)
      return [
        username,
        { sessions: own.length, last_used_ts: Math.max(0, ...own.map(({ seen_ts = 0 }) => seen_ts)) },
      ]
    }),
  )
}

async function recordsOf(stores: Stores, username: Username) {
  const { redis, keys } = stores
  const ids = await idsOf(stores, username)
  if (ids.length === 0) return []
  const texts = await redis.mget(ids.map(id => keys.session(id)))
  return ids
    .map((id, i) => ({ id, record: JSON.parse(texts[i] ?? '{}') as SessionRecord }))
    .filter(({ record }) => record.username === username)
}

/** Ends these sessions of a user, and their streams. */
export async function endSessions(stores: Stores, username: Username, ids: readonly string[]): Promise<void> {
  await runStatement(stores, 'endSessions', { endedSessions: ids }, db =>
    forgetSessions(stores, db, username, ids),
  )
}

/**
 * Ends the least recently used sessions of a user beyond the limit (interface 5.9). The list is in Redis, so that
 * all replicas agree; two at once may end the same ones.
 */
export async function endSurplusSessions(stores: Stores, username: Username, now: Seconds): Promise<void> {
  const { redis, keys } = stores
  if ((await redis.zcard(keys.sessionsOf(username))) <= MOST_SESSIONS) return
  const records = await recordsOf(stores, username)
  const live = new Set(records.map(({ id }) => id))
  // Listed, but expired unused. A session that begins is listed before its record exists.
  const listed = await redis.zrangebyscore(
    keys.sessionsOf(username),
    '-inf',
    now + ABSOLUTE_LIFETIME - BEGUN_WITHIN,
  )
  const expired = listed.filter(id => !live.has(id))
  if (expired.length > 0) await redis.zrem(keys.sessionsOf(username), ...expired)
  const surplus = records
    .sort((a, b) => usedAt(b.record) - usedAt(a.record) || begunAt(b.record) - begunAt(a.record))
    .slice(MOST_SESSIONS)
  if (surplus.length > 0)
    await endSessions(
      stores,
      username,
      surplus.map(({ id }) => id),
    )
}

const usedAt = ({ seen_ts = 0 }: SessionRecord) => seen_ts
const begunAt = ({ created_ts = 0 }: SessionRecord) => created_ts

/** `end`: the account's tokens end too. `interrupt`: only the streams that they have opened. */
type OfTokens = 'end' | 'interrupt' | 'keep'

/**
 * Runs a transaction that ends all sessions of a user; its notice closes their streams. Deletes the sessions before the
 * commit, so that the transaction fails while Redis is unavailable, and again after it, because a log-in may have
 * succeeded in between with the old password.
 */
export async function runTransactionEndingSessions<T>(
  stores: Stores,
  name: WriteName,
  username: Username,
  work: (tx: Db) => Promise<T>,
  ofTokens: OfTokens = 'end',
): Promise<T> {
  const ended = new Set<string>()
  const tokens: EndedToken[] = []
  const forget = async (db: Db) => {
    for (const id of await forgetSessions(stores, db, username, await idsOf(stores, username))) ended.add(id)
  }
  const late = async () => {
    await forget(stores.db).catch(err => log.error({ err, username }, 'sessions not ended after the commit'))
    const { endedSessions = [] } = await afterEnding(stores, username, tokens)
    return { endedSessions: [...ended, ...endedSessions], endedSessionsOf: username }
  }
  return runTransaction(stores, name, late, async tx => {
    // Before the work, which may delete the account with its tokens.
    if (ofTokens !== 'keep') tokens.push(...(await tokensInUse(stores, tx, username)))
    const result = await work(tx)
    if (result === unchanged) return result
    await forget(tx)
    if (ofTokens === 'end') tokens.push(...(await endTokensOf(stores, tx, username)))
    await forgetCached(stores, tokens)
    return result
  })
}

const idsOf = ({ redis, keys }: Stores, username: Username) =>
  redis.zrange(keys.sessionsOf(username), '0', '-1')

async function forgetSessions({ redis, keys }: Stores, db: Db, username: Username, ids: readonly string[]) {
  if (ids.length === 0) return ids
  await noteEnded(db, ids)
  const answers = await redis
    .multi()
    .del(ids.map(id => keys.session(id)))
    .zrem(keys.sessionsOf(username), ...ids)
    .exec()
  for (const [err] of answers ?? []) if (err) throw err
  return ids
}
