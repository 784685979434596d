import { personOf } from '#shared/access/person.ts'
import { OPERATOR } from '#shared/audit/audit-log.ts'
import type { Username } from '#shared/domain/units.ts'
import { PASSWORD_ITERATIONS } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import * as f from '../../services/api/middleware/fields.ts'
import { readFields } from '../../services/api/middleware/read-fields.ts'
import { deletePerson, endSessionsOf, resetLinkFor } from '../../services/api/people/act-on-account.ts'
import { changePerson } from '../../services/api/people/change-person.ts'
import { approve, deactivate, reactivate, reject } from '../../services/api/people/change-state.ts'
import { createPerson } from '../../services/api/people/create-person.ts'
import { ACCOUNTS, listAccounts } from '../../services/api/people/list-accounts.ts'
import { DELETION, PERSON } from '../../services/api/people/person-fields.ts'
import { requestRename } from '../../services/api/people/rename.ts'
import { type Command, fieldsOf, type Given, listed, listIn } from './command.ts'
import { addressOfBothy, reachOfLinks } from './environment.ts'
import type { Outcome } from './outcome.ts'
import { withStores } from './stores.ts'

const personIn = (options: Given['options']) =>
  readFields(f.fields(PERSON), fieldsOf({ ...options, channels: listIn(options['channels']) }))

const people: Command = {
  usage: 'people [--q TEXT] [--role ROLE] [--state STATE] [--kind KIND] [--limit N] [--cursor CURSOR]',
  options: ['q', 'role', 'state', 'kind', 'limit', 'cursor'],
  run: ({ options }) =>
    withStores(async stores => {
      const { items, next } = await listAccounts(stores, readFields(ACCOUNTS, fieldsOf(options)))
      const rows = items.map(({ username, role, state, display_name, email }) => [
        username,
        role,
        state,
        display_name,
        email,
      ])
      return { ...listed(rows, next, 'There is nobody like that.'), json: { items, next } }
    }),
}

const create: Command = {
  usage: 'create <username> [--role ROLE] [--channels A,B] [--display-name NAME] [--email ADDRESS]',
  options: ['role', 'channels', 'display-name', 'email'],
  run: ({ words: [username = ''], options }) =>
    withStores(async stores => {
      const {
        role = 'member',
        channels,
        ...fields
      } = personIn({
        ...options,
        display_name: options['display-name'],
      })
      const token = await createPerson(stores, { passwordIterations: iterations() }, OPERATOR, {
        ...{ username, role, channels: channels ?? [], fields },
      })
      const url = resetUrl(token!)
      return {
        text: `${url}\n\nGive this link to ${username}. It sets the password, once, within 24 hours.${reachOfLinks()}`,
        json: { username, reset_url: url },
      }
    }),
}

const role: Command = {
  usage: 'role <username> <role> [--channels A,B]',
  options: ['channels'],
  run: ({ words: [name = '', wanted], options }) =>
    withStores(async stores => {
      const username = await accountNamed(stores, name)
      const { role: to, channels } = personIn({ role: wanted, channels: options['channels'] })
      await changePerson(stores, OPERATOR, username, {
        role: to,
        channels: channels ?? undefined,
        fields: {},
      })
      return { text: `${username} is ${to} now.`, json: { username, role: to } }
    }),
}

const rename: Command = {
  usage: 'rename <username> <new-username>',
  run: ({ words: [name = '', wanted = ''] }) =>
    withStores(async stores => {
      const username = await accountNamed(stores, name)
      const job = await requestRename(stores, OPERATOR, username, wanted)
      return {
        text: `${username} is signed out and will be ${wanted} in a moment.`,
        json: { username, new_username: wanted, job },
      }
    }),
}

const remove: Command = {
  usage: 'delete <username> <soft|hard>',
  run: ({ words: [name = '', type] }) =>
    withStores(async stores => {
      const { type: deletion } = readFields(DELETION, { type })
      const username = await accountNamed(stores, name)
      await deletePerson(stores, OPERATOR, username, deletion)
      return {
        text: `${username} is deleted${deletion === 'hard' ? ' with all messages' : '; the messages stay'}.`,
        json: { username, type: deletion },
      }
    }),
}

/** It cannot be shown again, because only its hash is stored (interface 4.1). */
async function resetLink({ words: [name = ''] }: Given): Promise<Outcome> {
  return withStores(async stores => {
    const username = await accountNamed(stores, name)
    const { token, expires } = await resetLinkFor(stores, OPERATOR, username)
    const url = resetUrl(token)
    return {
      text: `${url}

Give this link to ${username} in a way you trust. It works once, for 24 hours, and replaces those before it.${reachOfLinks()}`,
      json: { username, reset_url: url, expires_ts: expires },
    }
  })
}

/** A verb on one account: what it does, and how its outcome is told. */
const verb = (name: string, act: typeof approve, told: (username: string) => string): Command => ({
  usage: `${name} <username>`,
  run: ({ words: [given = ''] }) =>
    withStores(async stores => {
      const username = await accountNamed(stores, given)
      await act(stores, OPERATOR, username)
      return { text: told(username), json: { username } }
    }),
})

export const peopleCommands: Record<string, Command> = {
  people,
  create,
  approve: verb('approve', approve, name => `${name} may sign in now.`),
  reject: verb('reject', reject, name => `The account of ${name} is removed; the name is free.`),
  role,
  rename,
  deactivate: verb('deactivate', deactivate, name => `${name} is signed out and cannot sign in.`),
  reactivate: verb('reactivate', reactivate, name => `${name} may sign in again.`),
  'end-sessions': verb(
    'end-sessions',
    (stores, actor, name) => endSessionsOf(stores, actor, name, { tokens: false }),
    name => `${name} is signed out everywhere.`,
  ),
  'reset-link': { usage: 'reset-link <username>', run: resetLink },
  'reset-password': { usage: 'reset-password <username>', run: resetLink },
  delete: remove,
}

/** The registered spelling of a name, also of a former one. */
async function accountNamed({ db }: Stores, name: string): Promise<Username> {
  const person = await personOf(db, name)
  if (!person) throw errors.coded(404, 'not_found', `There is no account named ${name}.`)
  return person.username
}

const resetUrl = (token: string) => new URL(`/reset-password/${token}`, addressOfBothy()).href

/** For the hash of a random password that nobody knows. */
const iterations = () => Number(process.env.PASSWORD_ITERATIONS) || PASSWORD_ITERATIONS
