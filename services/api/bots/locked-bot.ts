import { lockAccounts } from '#shared/access/account-locks.ts'
import { type Person, personOf } from '#shared/access/person.ts'
import { visibleAmong } from '#shared/access/visible-people.ts'
import type { Actor } from '#shared/audit/audit-log.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { lockOwnership } from '#shared/ownership/ownership.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Bot, botOf, countBots } from './queries.ts'

const MOST_OF_PERSON = 50
const MOST = 500

/** The registered name of a bot that the viewer sees, also by a former one; 404 for others. */
export async function botNamed(stores: Stores, viewer: Username, name: string): Promise<Username> {
  if (!isUsername(name)) throw noSuchBot()
  const found = await personOf(stores.db, name)
  // Asked for unknown names too, so that the time of a response does not tell a guest who exists.
  const visible = await visibleAmong(stores, viewer, [found?.username ?? name])
  if (found?.kind !== 'bot' || visible.length === 0) throw noSuchBot()
  return found.username
}

export interface LockedBot {
  /** The person who acts. */
  actor: Person
  target: Person
  bot: Bot
  /** The accounts of `others` that are there. */
  others: Person[]
}

/**
 * Locks a bot, who acts on it and `others`, and checks the right: its owner and administrators may. `lockOwnership` keeps
 * bots from passing to other owners meanwhile.
 */
export async function lockBot(
  tx: Db,
  { actor }: Actor,
  name: Username,
  others: readonly Username[] = [],
): Promise<LockedBot> {
  await lockOwnership(tx)
  const people = await lockAccounts(tx, [actor, name, ...others])
  const named = (username: Username) => people.find(person => person.username === username)
  const acting = named(actor)
  if (acting?.state !== 'active') throw errors.signedOut()
  const [target, bot] = [named(name), await botOf(tx, name)]
  if (!target || !bot) throw noSuchBot()
  checkRight(bot, acting)
  return { actor: acting, target, bot, others: people.filter(({ username }) => others.includes(username)) }
}

/** For one more bot of this owner. Called under `lockOwnership`. */
export async function checkCountOfPerson(tx: Db, owner: Username): Promise<void> {
  const { own } = await countBots(tx, owner)
  if (own >= MOST_OF_PERSON) throw tooMany(`${owner} has ${MOST_OF_PERSON} bots, the most of a person.`)
}

/** For a new one. */
export async function checkCount(tx: Db, owner: Username): Promise<void> {
  await checkCountOfPerson(tx, owner)
  if ((await countBots(tx, owner)).all >= MOST)
    throw tooMany(`There are ${MOST} bots, the most of a workspace.`)
}

const tooMany = (sentence: string) => errors.coded(409, 'conflict', `${sentence} Delete one first.`)

/** Before a body is read; the transaction checks again. */
export async function checkMayAct(stores: Stores, viewer: Username, name: string): Promise<Username> {
  const username = await botNamed(stores, viewer, name)
  const [bot, person] = await Promise.all([botOf(stores.db, username), personOf(stores.db, viewer)])
  if (!bot) throw noSuchBot()
  if (!person) throw errors.signedOut()
  checkRight(bot, person)
  return username
}

function checkRight(bot: Bot, { username, role, kind }: Person) {
  const isOwner = bot.owner === username && role !== 'guest'
  if (kind === 'bot' || !(isOwner || isAdmin(role)))
    throw errors.coded(403, 'forbidden', 'Only the owner of the bot and administrators may do this.')
}

const noSuchBot = () => errors.coded(404, 'not_found', 'There is no bot of that name.')
