import type { IncomingMessage } from 'node:http'
import type { Redis } from 'ioredis'
import type { Scope } from '#shared/domain/tokens.ts'
import type { ChannelId, Milliseconds, Seconds, Username } from '#shared/domain/units.ts'
import { errors, type HttpError } from '#shared/runtime/http-errors.ts'
import { isRedisAway } from '#shared/stores/redis.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { hasTried } from './gathered.ts'
import { IS_LIVE, isAmongLive } from './live-tokens.ts'
import { networkOf } from './networks.ts'
import { hashOfToken, isTokenText } from './token-text.ts'

/** A token by which a request acts (interface 19). */
export interface ActingToken {
  id: number
  username: Username
  scopes: readonly Scope[]
  /** Null: all channels of the account. */
  channels: readonly ChannelId[] | null
}

/** Its row is read at most once in this time: the record is cached in Redis. */
const CACHED: Seconds = 10
/** After a change nothing is cached for longer than a record that was read before it lives. */
const NOT_CACHED: Seconds = CACHED + 5
const CHANGED = 'changed'
const USE_NOTED_EVERY: Seconds = 60

/** Requests with this header have no session, whatever else they carry. Other schemes of `Authorization` do not count. */
export const hasBearer = (req: IncomingMessage): boolean => bearerIn(req) !== undefined

function bearerIn({ headers }: IncomingMessage): string | undefined {
  const [, text] = /^bearer(?:[ \t]+(.*))?$/i.exec(headers.authorization ?? '') ?? [undefined, undefined]
  if (text !== undefined) return text.trim()
  return /^bearer$/i.test(headers.authorization ?? '') ? '' : undefined
}

const acting = new WeakMap<IncomingMessage, ActingToken>()

/** The token of a request that `readToken` has found. */
export const tokenIn = (req: IncomingMessage): ActingToken | undefined => acting.get(req)

/** Remembers the token of a request; undefined, for a 401, if it is unknown, expired or ended. */
export async function readToken(
  stores: Stores,
  req: IncomingMessage,
  address: string | undefined,
): Promise<ActingToken | undefined> {
  const text = bearerIn(req) ?? ''
  const token = isTokenText(text) ? await findToken(stores, hashOfToken(text), address) : undefined
  if (token) acting.set(req, token)
  return token
}

/** 401 of a request with a token that is none. */
export const unauthorized = (): HttpError =>
  errors.coded(401, 'unauthorized', 'This token is unknown, has expired or was ended.', {
    'WWW-Authenticate': 'Bearer',
  })

/** The key by which a stream ends with its token, as others with their session. */
export const streamKeyOf = ({ id }: Pick<ActingToken, 'id'>): string => `${STREAM_KEY}${id}`
const STREAM_KEY = 'token:'

/** The token of the key of a stream; undefined for that of a session. */
export const tokenOfStreamKey = (key: string): number | undefined =>
  key.startsWith(STREAM_KEY) ? Number(key.slice(STREAM_KEY.length)) : undefined

interface TokenRecord extends ActingToken {
  expires_ts: Seconds | null
}

async function findToken(
  stores: Stores,
  hash: Buffer,
  address: string | undefined,
): Promise<ActingToken | undefined> {
  const key = stores.keys.token(hash.toString('hex'))
  const cached = await cachedRecord(stores, key)
  const isCached = cached !== undefined && cached !== CHANGED
  if (!isCached && hasTried(stores, networkOf(address ?? '')) && !(await isAmongLive(stores, hash)))
    return undefined
  const record = isCached ? cached : await readRecord(stores, hash, address)
  if (!record || (record.expires_ts !== null && record.expires_ts <= stores.clock.now())) return undefined
  if (cached === undefined) await cache(stores, key, record)
  const { expires_ts, ...token } = record
  return token
}

async function cachedRecord({ redis }: Stores, key: string) {
  try {
    const text = await redis.get(key)
    if (performance.now() < brokenAt(redis) + CACHED * 1_000) return CHANGED
    if (text === null) return undefined
    return text === CHANGED ? CHANGED : (JSON.parse(text) as TokenRecord)
  } catch (err) {
    if (!isRedisAway(err)) throw err
    // The database knows all; nothing is cached meanwhile.
    return CHANGED
  }
}

const breaks = new WeakMap<Redis, { at: Milliseconds }>()

/**
 * When the connection last broke, at the latest when it was first asked: a Redis that was away may have missed the marks
 * of changes, or lost them, and bring back what was cached before.
 */
function brokenAt(redis: Redis): Milliseconds {
  let last = breaks.get(redis)
  if (!last) {
    const noted = { at: performance.now() }
    redis.on('close', () => {
      noted.at = performance.now()
    })
    breaks.set(redis, noted)
    last = noted
  }
  return last.at
}

/** Not over the mark of a change that came since the row was read. */
async function cache({ redis }: Stores, key: string, record: TokenRecord) {
  try {
    await redis.set(key, JSON.stringify(record), 'EX', CACHED, 'NX')
  } catch (err) {
    if (!isRedisAway(err)) throw err
  }
}

/** Also notes the use. While the account is renamed, 503: its rows have two names. */
async function readRecord(
  { db, clock, settings }: Stores,
  hash: Buffer,
  address: string | undefined,
): Promise<TokenRecord | undefined> {
  const now = clock.now()
  const { rows } = await db.query<TokenRecord & { is_renamed: boolean; last_used_ts: Seconds | null }>(
    `select token.id, token.username, token.scopes, token.channels_only as channels, token.expires_ts,
            token.last_used_ts, exists (select from account_renames where username = token.username) as is_renamed
       from api_tokens token
       join users account on account.username = token.username
      where token.hash = $1 and ${IS_LIVE}`,
    [hash, now],
  )
  if (!rows[0]) return undefined
  const { is_renamed, last_used_ts, ...record } = rows[0]
  if (is_renamed) throw errors.unavailable()
  if (last_used_ts === null || last_used_ts < now - USE_NOTED_EVERY) {
    await db.query(
      `update api_tokens
          set last_used_ts = $2,
              last_used_from = $3
        where id = $1 and coalesce(last_used_ts < $2, true)`,
      [record.id, now, settings.current.log_addresses ? (address ?? null) : null],
    )
  }
  return record
}

/** The tokens among these that may still be used by the people who opened streams with them. */
export async function liveTokens(
  { db, clock }: Pick<Stores, 'db' | 'clock'>,
  ids: readonly number[],
): Promise<Map<number, Username>> {
  const { rows } = await db.query<{ id: number; username: Username }>(
    `select token.id, token.username
       from api_tokens token
       join users account on account.username = token.username
      where token.id = any($1) and ${IS_LIVE}
        and not exists (select from account_renames where username = token.username)`,
    [ids, clock.now()],
  )
  return new Map(rows.map(({ id, username }) => [id, username]))
}

/**
 * Makes all processes read these tokens anew. Called before the commit of the change, for a crash right after it, and
 * after it, for a long wait before it. While Redis is away nothing is cached either.
 */
export async function forgetCached(
  { redis, keys }: Pick<Stores, 'redis' | 'keys'>,
  tokens: readonly EndedToken[],
): Promise<void> {
  try {
    for (const { hash } of tokens)
      await redis.set(keys.token(hash.toString('hex')), CHANGED, 'EX', NOT_CACHED)
  } catch (err) {
    if (!isRedisAway(err)) throw err
  }
}

export interface EndedToken {
  id: number
  hash: Buffer
}
