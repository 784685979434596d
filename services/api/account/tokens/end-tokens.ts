import { lockAccounts } from '#shared/access/account-locks.ts'
import { type Actor, insertAuditEntry, isOperator } from '#shared/audit/audit-log.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { type EndedToken, forgetCached, streamKeyOf } from '#shared/http/tokens.ts'
import type { Scope } from '#shared/notices/invalidations.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { accountOfTokenId, isBotOf, revokeTokens, usableTokens } from './queries.ts'

/**
 * Ends a token and its streams: by its account, the owner of the bot that it acts as, administrators and the operator; 404
 * for others. Repeating it changes nothing. `only`: the account whose token it must be.
 */
export async function endToken(stores: Stores, actor: Actor, id: number, only?: Username): Promise<Username> {
  const username = await accountOfTokenId(stores.db, id)
  if (username === undefined || (only !== undefined && username !== only)) throw errors.notFound()
  const ended: EndedToken[] = []
  await runTransaction(
    stores,
    'endSessions',
    () => afterEnding(stores, username, ended),
    async tx => {
      await checkMayEnd(tx, actor, username)
      const revoked = await revokeTokens(tx, username, stores.clock.now(), id)
      if (revoked.length === 0) return unchanged
      ended.push(...revoked)
      await forgetCached(stores, ended)
      const detail = { token: id, name: revoked[0]!.name }
      await insertAuditEntry(tx, { ...actor, action: 'token.revoked', target: username, detail })
      return undefined
    },
  )
  return username
}

async function checkMayEnd(tx: Db, actor: Actor, username: Username) {
  const people = await lockAccounts(tx, isOperator(actor) ? [username] : [actor.actor, username])
  // Renamed since its name was read: the repeated request finds it.
  if (!people.some(person => person.username === username)) throw errors.unavailable()
  const acting = people.find(person => person.username === actor.actor)
  if (isOperator(actor) || acting?.username === username) return
  if (acting?.state !== 'active') throw errors.notFound()
  if (!isAdmin(acting.role) && !(await isBotOf(tx, username, acting.username))) throw errors.notFound()
}

/** Ends all tokens of an account that the transaction has locked. `afterEnding` follows after the commit. */
export async function endTokensOf(stores: Stores, tx: Db, username: Username): Promise<EndedToken[]> {
  const ended = await revokeTokens(tx, username, stores.clock.now())
  await forgetCached(stores, ended)
  return ended
}

/** The tokens of an account that can be used. */
export const tokensInUse = ({ clock }: Pick<Stores, 'clock'>, tx: Db, username: Username) =>
  usableTokens(tx, username, clock.now())

/** After the commit: every process reads the tokens anew, and their streams end by the notice of this scope. */
export async function afterEnding(
  stores: Stores,
  username: Username,
  ended: readonly EndedToken[],
): Promise<Pick<Scope, 'endedSessions' | 'endedSessionsOf'>> {
  await forgetCached(stores, ended).catch(err =>
    log.error({ err, username }, 'tokens cached after their end'),
  )
  return ended.length === 0 ? {} : { endedSessions: ended.map(streamKeyOf), endedSessionsOf: username }
}
