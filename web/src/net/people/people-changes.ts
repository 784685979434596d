/** Rules for changes of the list of people. */
import type { PersonPayload } from '#shared/domain/payloads/people.ts'
import type { Username } from '#shared/domain/units.ts'

type Known = (name: Username) => PersonPayload | undefined

/** True if names on the screen may change: a new person may have the display name of another. */
export function areNamesChanged(changed: readonly PersonPayload[], gone: readonly Username[], known: Known) {
  return (
    gone.some(name => Boolean(known(name)?.display_name)) ||
    changed.some(person => {
      const before = known(person.username)
      return before === undefined || before.display_name !== person.display_name
    })
  )
}

/** Names in lower case that more than one person has, as display name or username. Returns `before` if it is equal. */
export function ambiguousAmong(
  persons: Iterable<Pick<PersonPayload, 'username' | 'display_name'>>,
  before: ReadonlySet<string>,
): ReadonlySet<string> {
  const owners = new Map<string, number>()
  const add = (name: string) => owners.set(name, (owners.get(name) ?? 0) + 1)
  for (const { username, display_name } of persons) {
    const [name, display] = [username.toLowerCase(), display_name?.toLowerCase()]
    add(name)
    if (display && display !== name) add(display)
  }
  const shared = [...owners].filter(([, count]) => count > 1).map(([name]) => name)
  return shared.length === before.size && shared.every(name => before.has(name)) ? before : new Set(shared)
}

/** Each costs a request. */
const MOST_FOLLOWED = 10

/**
 * Returns the names that may lead to renamed accounts. A longer list is of people who are out of sight: those of the open
 * conversation alone.
 */
export const namesToFollow = (gone: readonly Username[], open: readonly Username[]): Username[] =>
  gone.length <= MOST_FOLLOWED ? [...gone] : gone.filter(name => open.includes(name)).slice(0, MOST_FOLLOWED)
