import { accountsNamed } from '#shared/access/person.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { dmId } from '#shared/domain/channel-id.ts'
import type {
  Both,
  ProblemReason,
  SearchProblem,
  SearchQuery,
  SearchToken,
} from '#shared/domain/search-query.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { DELETED_SENDER, SYSTEM_SENDER } from '#shared/domain/username.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { findChannelsNamed, leavingNames, type Resolved } from './queries.ts'

/** Looks up people and channels. Unknown ones, and channels that the viewer cannot read, become problems. */
export async function resolveNames(stores: Stores, viewer: Username, query: SearchQuery): Promise<Resolved> {
  const problems: SearchProblem[] = []
  const people = await sendersByName(stores, viewer, query)
  const sendersOf = (token: SearchToken) => people(personIn(token.value))
  const channelsOf = (token: SearchToken) => channelsNamed(stores, viewer, token.value, people)
  const collect = async (
    { yes, no }: Both<SearchToken>,
    find: (token: SearchToken) => readonly string[] | Promise<readonly string[]>,
    why: ProblemReason,
  ) => {
    const all: Both<string> & { isFiltered: boolean } = { yes: [], no: [], isFiltered: yes.length > 0 }
    for (const side of ['yes', 'no'] as const) {
      for (const token of side === 'yes' ? yes : no) {
        const values = await find(token)
        if (values.length === 0) problems.push({ token: token.raw, why })
        all[side].push(...values)
      }
    }
    return all
  }
  return {
    senders: await collect(query.from, sendersOf, 'unknown_person'),
    channels: await collect(query.in, channelsOf, 'unknown_channel'),
    problems,
  }
}

const personIn = (value: string) => value.replace(/^@/, '').toLowerCase()

/**
 * Returns the stored senders, in lower case, of a name that readers see: an account under deletion is found as `Deleted
 * User`, and no longer under its own name.
 */
async function sendersByName(stores: Stores, viewer: Username, query: SearchQuery) {
  const tokens = [...query.from.yes, ...query.from.no, ...query.in.yes, ...query.in.no]
  if (tokens.length === 0) return () => []
  const names = tokens.map(token => personIn(token.value))
  const registered = await accountsNamed(stores.db, names)
  const visible = new Set(await visibleAmong(stores, viewer, [...registered.values()]))
  const leaving = await leavingNames(stores.db)
  return (name: string): string[] => {
    if (name === 'me') return [viewer.toLowerCase()]
    if (name === DELETED_SENDER.toLowerCase()) return [name, ...leaving]
    if (name === SYSTEM_SENDER) return [name]
    const person = registered.get(name)
    return person !== undefined && visible.has(person) && !leaving.includes(name)
      ? [person.toLowerCase()]
      : []
  }
}

/** A channel by id or name, `@name` for the DM with that one person. Several private channels may have one name. */
async function channelsNamed(
  stores: Stores,
  viewer: Username,
  value: string,
  people: (name: string) => string[],
): Promise<ChannelId[]> {
  if (value.startsWith('@')) {
    const [person] = people(personIn(value))
    if (person === undefined || person === viewer.toLowerCase()) return []
    const dm = await findReadableChannel(stores, viewer, dmId([viewer, person]))
    return dm ? [dm.id] : []
  }
  const name = value.replace(/^#/, '').toLowerCase()
  const byName = await findChannelsNamed(stores, viewer, name)
  const byId = byName.length === 0 ? await findReadableChannel(stores, viewer, value) : undefined
  return byId ? [byId.id] : byName
}
