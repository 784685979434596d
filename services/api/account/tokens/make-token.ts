import { Buffer } from 'node:buffer'
import * as v from 'valibot'
import { lockAccount } from '#shared/access/account-locks.ts'
import { lockNamed } from '#shared/access/lock-channels.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import type { Actor } from '#shared/audit/audit-log.ts'
import type { MadeTokenPayload } from '#shared/domain/payloads/tokens.ts'
import { hasRight, isAdmin, type Role } from '#shared/domain/roles.ts'
import {
  isScope,
  LONGEST_TOKEN_NAME,
  MOST_TOKEN_CHANNELS,
  MOST_TOKEN_DAYS,
  SCOPES,
  USUAL_TOKEN_DAYS,
} from '#shared/domain/tokens.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { isStillOpen } from '#shared/http/ended-sessions.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import * as f from '../../middleware/fields.ts'
import { type Made, madeOnce } from '../../middleware/made-once.ts'
import { type Grant, type IssuedToken, issueToken } from './issue-token.ts'

const DAY = 24 * 3_600
/** Bytes of the ids of channels, so that a list has room for all tokens in use. */
const MOST_BYTES = 4_096

export const TOKEN = f.fields({
  name: f.needed(f.line(LONGEST_TOKEN_NAME)),
  scopes: v.optional(f.list(isScope, `a list of ${SCOPES.join(', ')}`, { least: 1, most: SCOPES.length }), [
    'read',
  ]),
  /** Ids of channels; null: all. */
  channels_only: f.mayBeNull(
    f.list(f.isText, `a list of 1 to ${MOST_TOKEN_CHANNELS} channels`, {
      least: 1,
      most: MOST_TOKEN_CHANNELS,
    }),
  ),
  /** 0: never. */
  expires_in_days: v.optional(f.wholeNumber(0, MOST_TOKEN_DAYS), USUAL_TOKEN_DAYS),
  client_id: f.clientId,
})
export type TokenWish = v.InferOutput<typeof TOKEN>

/**
 * Makes a token of the person themselves. A repetition with the same `client_id` does not get its text. `session`: of the
 * request. A change of the password that came first has ended it, and every token before this one.
 */
export async function makeToken(
  stores: Stores,
  actor: Actor,
  session: string,
  wish: TokenWish,
): Promise<Made> {
  const { actor: username } = actor
  return madeOnce(stores.db, username, '/tokens', wish.client_id, keep =>
    inTransaction(stores.pool, async tx => {
      const account = await lockAccount(tx, username)
      if (!account || !(await isStillOpen(tx, session, username))) throw errors.signedOut()
      checkMayMake(stores, account.role)
      const grant = await grantOf({ ...stores, db: tx }, wish, account.role, username)
      const issued = await issueToken(stores, tx, actor, username, grant)
      await keep(tx, { status: 201, body: withoutText(issued) })
      return { status: 201, body: withText(issued) }
    }),
  )
}

/** The first response. */
export const withText = ({ text, row: { id, ...rest } }: IssuedToken): MadeTokenPayload => ({
  id,
  token: text,
  ...rest,
})

/** The response to a repetition: the text is stored nowhere. */
export const withoutText = ({ row: { id, ...rest } }: IssuedToken): MadeTokenPayload => ({
  id,
  token: null,
  ...rest,
})

function checkMayMake({ settings }: Stores, role: Role) {
  if (!hasRight(role, 'make_tokens', settings.current))
    throw errors.coded(403, 'forbidden', 'You may not make tokens here.')
}

/** The rights that a maker of this role may give to the account `username`. */
export async function grantOf(
  stores: Stores,
  { name, scopes, channels_only, expires_in_days: days }: TokenWish,
  maker: Role,
  username: Username,
): Promise<Grant> {
  if (!isAdmin(maker)) {
    if (scopes.includes('admin'))
      throw errors.coded(403, 'forbidden', 'Only administrators make tokens that administer.')
    if (days === 0)
      throw errors.coded(403, 'forbidden', 'Only administrators make tokens that do not expire.')
  }
  return {
    name,
    scopes,
    channels: channels_only ? await channelsOf(stores, username, channels_only) : null,
    expires: days === 0 ? null : stores.clock.now() + days * DAY,
  }
}

/** In canonical form. Channels that the account may not read look like unknown ones. */
async function channelsOf(
  stores: Stores,
  username: Username,
  texts: readonly string[],
): Promise<ChannelId[]> {
  await lockNamed(stores.db, texts)
  const ids = new Set<ChannelId>()
  for (const text of texts) {
    const channel = await findReadableChannel(stores, username, text)
    if (!channel) throw errors.invalid('channels_only must be channels that the account can read')
    ids.add(channel.id)
  }
  if (Buffer.byteLength([...ids].join()) > MOST_BYTES)
    throw errors.invalid('channels_only has ids of at most 4096 bytes together')
  return [...ids]
}
