import { randomBytes } from 'node:crypto'
import { lockAccounts } from '#shared/access/account-locks.ts'
import { currentNames } from '#shared/access/person.ts'
import { type Actor, insertAuditEntry } from '#shared/audit/audit-log.ts'
import { isCommand } from '#shared/domain/built-in-commands.ts'
import type { MadeCommandPayload } from '#shared/domain/payloads/commands.ts'
import { isAdmin } from '#shared/domain/roles.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction, unchanged } from '#shared/notices/write.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { notAdmin } from '../middleware/administration.ts'
import { madeOnce } from '../middleware/made-once.ts'
import {
  type CommandRow,
  commandNamed,
  deleteCommand,
  insertCommand,
  lockCommands,
  updateCommand,
} from './queries.ts'

export const MOST_COMMANDS = 200
const PATH = '/commands'

export interface CommandDraft {
  name: string
  url: string
  bot: string
  description: string | null
  usage: string | null
  clientId: string | undefined
}

/** Makes a command and its secrets, which are shown once. */
export async function createCommand(
  stores: Stores,
  config: Config,
  actor: Actor,
  { clientId, ...draft }: CommandDraft,
): Promise<MadeCommandPayload> {
  if (isCommand(draft.name)) throw taken(`/${draft.name} is a command of bothy.`)
  const secret = `whsec_${randomBytes(32).toString('base64')}`
  const token = randomBytes(16).toString('hex')
  const { body } = await madeOnce(stores.db, actor.actor, PATH, clientId, async keep => {
    await runTransaction(stores, 'changeCommand', {}, async tx => {
      const bot = await lockBot(tx, actor, draft.bot)
      if ((await lockCommands(tx)) >= MOST_COMMANDS)
        throw taken(`There are ${MOST_COMMANDS} commands, the most of a workspace. Delete one first.`)
      const secrets = secretsUnder(config)
      const isMade = await insertCommand(tx, actor.actor, {
        ...draft,
        bot,
        secret_enc: secrets.seal(secret, purposeOf(draft.name, 'secret')),
        verify_token_enc: secrets.seal(token, purposeOf(draft.name, 'verify_token')),
        created_ts: stores.clock.now(),
      })
      if (!isMade) throw taken(`There is a command /${draft.name} already.`)
      await note(tx, actor, 'command.created', draft.name, { bot })
      await keep(tx, { status: 201, body: { name: draft.name, secret: null, verify_token: null } })
    })
    return { status: 201, body: { name: draft.name, secret, verify_token: token } }
  })
  return body as MadeCommandPayload
}

/** Binds a sealed value to its row and column. */
export const purposeOf = (name: string, column: 'secret' | 'verify_token') =>
  `slash_commands:${name}:${column}`

export type CommandChange = Partial<Pick<CommandRow, 'url' | 'bot' | 'description' | 'usage'>>

/** All of it or nothing. `mayChangeUrl` throws where the request may not. */
export async function changeCommand(
  stores: Stores,
  actor: Actor,
  name: string,
  change: CommandChange,
  mayChangeUrl: () => void,
): Promise<void> {
  await runTransaction<typeof unchanged | undefined>(stores, 'changeCommand', {}, async tx => {
    const bot = await lockBot(tx, actor, change.bot)
    await lockCommands(tx)
    const command = await commandNamed(tx, name)
    if (!command) throw noSuchCommand()
    const changed = { ...command, ...change, ...(bot !== undefined && { bot }) }
    const fields = FIELDS.filter(field => changed[field] !== command[field])
    if (fields.includes('url')) mayChangeUrl()
    if (fields.length === 0) return unchanged
    await updateCommand(tx, changed)
    await note(tx, actor, 'command.changed', name, { fields })
    return undefined
  })
}

const FIELDS = ['url', 'bot', 'description', 'usage'] as const

export async function removeCommand(stores: Stores, actor: Actor, name: string): Promise<void> {
  await runTransaction(stores, 'changeCommand', {}, async tx => {
    await lockBot(tx, actor)
    await lockCommands(tx)
    if (!(await deleteCommand(tx, name))) throw noSuchCommand()
    await note(tx, actor, 'command.deleted', name)
  })
}

/** Locks the administrator who acts, and the bot that is named. Returns the bot's registered name. */
async function lockBot(tx: Db, actor: Actor, name: string): Promise<Username>
async function lockBot(tx: Db, actor: Actor, name?: string): Promise<Username | undefined>
async function lockBot(tx: Db, { actor }: Actor, name?: string): Promise<Username | undefined> {
  const [bot] = name === undefined ? [] : await currentNames(tx, [name])
  const people = await lockAccounts(tx, [actor, ...(bot === undefined ? [] : [bot])])
  const acting = people.find(({ username }) => username === actor)
  if (acting?.state !== 'active' || !isAdmin(acting.role)) throw notAdmin()
  if (name === undefined) return undefined
  const found = people.find(({ username }) => username === bot)
  if (found?.kind !== 'bot' || found.state !== 'active')
    throw errors.invalid('bot must be the name of an active bot')
  return found.username
}

const note = (tx: Db, actor: Actor, action: string, target: string, detail?: Record<string, unknown>) =>
  insertAuditEntry(tx, { ...actor, action, target, ...(detail && { detail }) })

const taken = (sentence: string) => errors.coded(409, 'conflict', sentence)

export const noSuchCommand = () => errors.coded(404, 'not_found', 'There is no command of that name.')
