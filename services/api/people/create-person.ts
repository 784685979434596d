import { randomBytes } from 'node:crypto'
import { type Actor, insertAuditEntry, isOperator } from '#shared/audit/audit-log.ts'
import { isAdmin, type Role } from '#shared/domain/roles.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { USERNAME_RULES, unmetUsernameRules } from '#shared/domain/username.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import { type Db, inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { newResetToken } from '../account/password/issue-reset-token.ts'
import { hashPassword } from '../account/password/password-hash.ts'
import { insertAccount } from '../account/sign-up/new-account.ts'
import { announce } from '../account/sign-up/sign-up.ts'
import { lockAdmin } from '../middleware/administration.ts'
import { madeOnce } from '../middleware/made-once.ts'
import { checkPublic } from './change-person.ts'
import { enterChannels } from './enter-channels.ts'
import { type AccountFields, setFields, setInviter } from './queries.ts'

export interface NewPerson {
  username: Username
  role: Role
  channels: ChannelId[]
  fields: AccountFields
  clientId?: string | undefined
}

/** The path of the endpoint, for repetitions. */
const PATH = '/admin/people'

/**
 * Makes an account in every sign-up mode. Its password is set through the link of the returned token; until then no
 * password is right. A repetition makes nothing and gets no token: a second link would be a reset without a new
 * password entry.
 */
export async function createPerson(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  actor: Actor,
  person: NewPerson,
): Promise<string | null> {
  let token: string | null = null
  await madeOnce(stores.db, actor.actor, PATH, person.clientId, async keep => {
    const made = { status: 201, body: { username: person.username } }
    token = await makePerson(stores, { passwordIterations }, actor, person, tx => keep(tx, made))
    return made
  })
  return token
}

async function makePerson(
  stores: Stores,
  { passwordIterations }: Pick<Config, 'passwordIterations'>,
  actor: Actor,
  { username, role, channels, fields }: NewPerson,
  keep: (tx: Db) => Promise<void>,
): Promise<string> {
  const [unmet] = unmetUsernameRules(username)
  if (unmet) throw errors.invalid(USERNAME_RULES[unmet])
  if (role === 'guest' && channels.length === 0) throw errors.missing('channels')
  const passwordHash = await hashPassword(randomBytes(32).toString('base64url'), passwordIterations, [
    actor.actor,
  ])
  const token = await inTransaction(stores.pool, async tx => {
    const adminRole = await lockAdmin(tx, actor)
    if (adminRole !== 'owner' && isAdmin(role))
      throw errors.coded(403, 'forbidden', 'You cannot give this role.')
    await checkPublic({ ...stores, db: tx }, channels)
    const now = stores.clock.now()
    if (!(await insertAccount(tx, { username, passwordHash, now, role })))
      throw errors.coded(409, 'conflict', USERNAME_RULES.taken)
    await setFields(tx, username, fields)
    if (!isOperator(actor)) await setInviter(tx, username, actor.actor)
    await enterChannels(stores, tx, { username, role, channels }, now)
    await insertAuditEntry(tx, {
      ...actor,
      action: 'person.created',
      target: username,
      detail: { role, channels },
    })
    await keep(tx)
    return newResetToken(stores, tx, username)
  })
  log.info({ username, role }, 'account made by an administrator')
  await announce(stores, username, role)
  return token.token
}
