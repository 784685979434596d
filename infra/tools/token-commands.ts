import { personOf } from '#shared/access/person.ts'
import { OPERATOR } from '#shared/audit/audit-log.ts'
import { idFrom } from '#shared/domain/units.ts'
import { endToken } from '../../services/api/account/tokens/end-tokens.ts'
import { pageOfTokens } from '../../services/api/account/tokens/queries.ts'
import { type Command, listed } from './command.ts'
import { withStores } from './stores.ts'

const PAGE = 200

const tokens: Command = {
  usage: 'tokens [--of USERNAME] [--cursor CURSOR]',
  options: ['of', 'cursor'],
  run: ({ options: { of, cursor } }) =>
    withStores(async stores => {
      const person = of === undefined ? undefined : await personOf(stores.db, of)
      if (of !== undefined && !person) throw new Error(`There is no account named ${of}.`)
      const page = { username: person?.username, before: idIn(cursor), limit: PAGE }
      const { items, more } = await pageOfTokens(stores.db, page, stores.clock.now())
      const next = more ? String(items.at(-1)!.id) : null
      const rows = items.map(({ id, username, name, scopes, channels_only, last_used_ts, ended }) => [
        id,
        username,
        name,
        scopes.join(','),
        channels_only === null ? 'all channels' : `${channels_only.length} channels`,
        last_used_ts === null ? 'never used' : `used ${dayOf(last_used_ts)}`,
        ended ?? 'in use',
      ])
      return { ...listed(rows, next, 'There are no tokens.'), json: { items, next } }
    }),
}

const revoke: Command = {
  usage: 'revoke-token <id>',
  run: ({ words: [text = ''] }) =>
    withStores(async stores => {
      const id = idFrom(text)
      const username = id === undefined ? undefined : await ended(() => endToken(stores, OPERATOR, id))
      if (username === undefined) throw new Error(`There is no token ${text}.`)
      return { text: `Token ${id} of ${username} works no more.`, json: { id, username } }
    }),
}

export const tokenCommands: Record<string, Command> = { tokens, 'revoke-token': revoke }

const dayOf = (ts: number) => new Date(ts * 1_000).toISOString().slice(0, 10)

/** Undefined for an unknown id. */
async function ended(end: () => Promise<string>): Promise<string | undefined> {
  try {
    return await end()
  } catch (err) {
    if ((err as { status?: number }).status === 404) return undefined
    throw err
  }
}

function idIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const id = idFrom(text)
  if (id === undefined) throw new Error(`${text} is no id of a token.`)
  return id
}
