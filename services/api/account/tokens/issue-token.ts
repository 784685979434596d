import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import type { TokenPayload } from '#shared/domain/payloads/tokens.ts'
import { MOST_TOKENS, type Scope, scopesWithin } from '#shared/domain/tokens.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import { hashOfToken, newTokenText } from '#shared/http/token-text.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { countUsable, insertToken } from './queries.ts'

/** The rights of a new token. */
export interface Grant {
  name: string
  scopes: readonly Scope[]
  /** Null: all channels of the account. */
  channels: readonly ChannelId[] | null
  /** Null: never. */
  expires: Seconds | null
}

/** A new token, whose text is stored nowhere. */
export interface IssuedToken {
  text: string
  row: TokenPayload
}

/**
 * Makes a token of an account, person or bot, that the transaction has locked with `row`, so that no other is made
 * meanwhile. Throws 409 beyond MOST_TOKENS.
 */
export async function issueToken(
  { clock }: Pick<Stores, 'clock'>,
  tx: Db,
  actor: Actor,
  username: Username,
  { name, scopes, channels, expires }: Grant,
): Promise<IssuedToken> {
  const now = clock.now()
  if ((await countUsable(tx, username, now)) >= MOST_TOKENS)
    throw errors.coded(409, 'conflict', `An account has at most ${MOST_TOKENS} tokens: end one first.`)
  const text = newTokenText()
  const row = await insertToken(tx, {
    hash: hashOfToken(text),
    username,
    name,
    scopes: scopesWithin(scopes),
    channels_only: channels,
    created_by: actor.actor,
    created_ts: now,
    expires_ts: expires,
  })
  const detail = { token: row.id, name, scopes: row.scopes }
  await insertAuditEntry(tx, { ...actor, action: 'token.created', target: username, detail })
  return { text, row }
}
