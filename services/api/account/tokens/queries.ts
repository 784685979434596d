import type { AnybodysTokenPayload, TokenPayload } from '#shared/domain/payloads/tokens.ts'
import { LISTED_AFTER_END, type Scope } from '#shared/domain/tokens.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { EndedToken } from '#shared/http/tokens.ts'
import { type Fitting, firstThatFit, fittingOf } from '#shared/stores/first-that-fit.ts'
import type { Db } from '#shared/stores/postgres.ts'

/** Tokens of a list without pages, also bounded in bytes: those in use fit. */
const MOST_LISTED = 200

const ENDED = (now: string) => `
  case when token.revoked_ts is not null then 'revoked' when token.expires_ts <= ${now} then 'expired' end`

const IS_USABLE = (now: string) => `token.revoked_ts is null and coalesce(token.expires_ts > ${now}, true)`

/** Bytes in a list, about. */
const BYTES = `600 + octet_length(coalesce(token.channels_only::text, ''))`

/** `then`: the time since when. */
const IS_LISTED = (then: string) => `
  coalesce(token.revoked_ts > ${then}, true) and coalesce(token.expires_ts > ${then}, true)`

/** `now`: the time in the column `ended`. An address without its prefix. */
const columns = (now: string) => `
  token.id, token.name, token.scopes, token.channels_only, token.created_ts, token.expires_ts, token.last_used_ts,
  host(token.last_used_from) as last_used_from, ${ENDED(now)} as ended`

export interface NewToken {
  hash: Buffer
  username: Username
  name: string
  scopes: readonly Scope[]
  channels_only: readonly ChannelId[] | null
  created_by: Username
  created_ts: Seconds
  expires_ts: Seconds | null
}

export async function insertToken(tx: Db, token: NewToken): Promise<TokenPayload> {
  const { rows } = await tx.query<TokenPayload>(
    `insert into api_tokens as token
            (hash, username, name, scopes, channels_only, created_by, created_ts, expires_ts)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     returning ${columns('$7')}`,
    [
      token.hash,
      token.username,
      token.name,
      token.scopes,
      token.channels_only,
      token.created_by,
      token.created_ts,
      token.expires_ts,
    ],
  )
  return rows[0]!
}

export async function countUsable(tx: Db, username: Username, now: Seconds): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `select count(*)::integer as count from api_tokens token where username = $1 and ${IS_USABLE('$2')}`,
    [username, now],
  )
  return rows[0]!.count
}

/** Usable ones first, then the newest. */
export async function tokensOf(db: Db, username: Username, now: Seconds): Promise<TokenPayload[]> {
  const tokens = `
    select ${columns('$2')}, ${IS_USABLE('$2')} as is_usable, ${BYTES} as bytes
      from api_tokens token
     where token.username = $1 and ${IS_LISTED('$3')}`
  const order = 'is_usable desc, id desc'
  const { rows } = await db.query<TokenPayload & { more: boolean }>(
    `select id, name, scopes, channels_only, created_ts, expires_ts, last_used_ts, last_used_from, ended, more
       from (${firstThatFit(tokens, order, '$4')}) token
      order by ${order}`,
    [username, now, now - LISTED_AFTER_END, MOST_LISTED],
  )
  return fittingOf(rows, row => row).items
}

export interface TokenPage {
  /** Undefined: everybody's. */
  username: Username | undefined
  /** Id of the last token of the previous page. */
  before: number | undefined
  limit: number
}

/** Newest first. */
export async function pageOfTokens(
  db: Db,
  { username, before, limit }: TokenPage,
  now: Seconds,
): Promise<Fitting<AnybodysTokenPayload>> {
  const tokens = `
    select ${columns('$1')}, token.username, token.created_by,
           ${BYTES} as bytes
      from api_tokens token
     where ${IS_LISTED('$2')}
       and ($3::text is null or token.username = $3)
       and ($4::bigint is null or token.id < $4)`
  const { rows } = await db.query<AnybodysTokenPayload & { more: boolean }>(
    `select id, name, username, scopes, channels_only, created_by, created_ts, expires_ts, last_used_ts,
            last_used_from, ended, more
       from (${firstThatFit(tokens, 'id desc', '$5')}) token
      order by id desc`,
    [now, now - LISTED_AFTER_END, username ?? null, before ?? null, limit],
  )
  return fittingOf(rows, row => row)
}

/** The account of a token. */
export async function accountOfTokenId(db: Db, id: number): Promise<Username | undefined> {
  const { rows } = await db.query<{ username: Username }>('select username from api_tokens where id = $1', [
    id,
  ])
  return rows[0]?.username
}

/** True for a bot of this owner. */
export async function isBotOf(db: Db, username: Username, owner: Username): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from users where username = $1 and kind = 'bot' and bot_owner = $2`,
    [username, owner],
  )
  return rowCount === 1
}

export type RevokedToken = EndedToken & { name: string }

/** Ends the tokens of an account that can be used, or one of them. The transaction holds the account. */
export async function revokeTokens(
  tx: Db,
  username: Username,
  now: Seconds,
  id?: number,
): Promise<RevokedToken[]> {
  const { rows } = await tx.query<RevokedToken>(
    `update api_tokens token
        set revoked_ts = $2
      where username = $1 and ${IS_USABLE('$2')} and ($3::bigint is null or id = $3)
     returning id, hash, name`,
    [username, now, id ?? null],
  )
  return rows
}

/** The tokens of an account that can be used. */
export async function usableTokens(tx: Db, username: Username, now: Seconds): Promise<EndedToken[]> {
  const { rows } = await tx.query<EndedToken>(
    `select id, hash from api_tokens token where username = $1 and ${IS_USABLE('$2')}`,
    [username, now],
  )
  return rows
}
