import { atomsOf } from './text-atoms.ts'
import { blocksOf, textsIn } from './text-blocks.ts'
import type { Username } from './units.ts'

/** The mention of the whole channel (interface 2.3). */
export const EVERYONE = '@everyone'

const LONGEST_NAME = 32

/** Returns the tokens after each `@` of a text, without the `@`. Skips code, URLs and e-mail addresses. */
export function mentionTokens(text: string): string[] {
  if (!text.includes('@')) return []
  return textsIn(blocksOf(text))
    .flatMap(part => atomsOf(part))
    .flatMap(atom => (atom.kind === 'name' ? [atom.token] : []))
}

/** People under one handle, which a text mentions like a person (interface 15.3). */
export interface UserGroup {
  handle: string
  members: readonly Username[]
}

/** A text mentions at most this many groups; further handles are plain text. */
export const MOST_GROUPS_IN_TEXT = 5

/**
 * Returns the mentioned members in canonical spelling and member order, `[@everyone]`, or null (interface 4.3.1). A
 * handle mentions those of its group who are among the members. Without `mayMentionEveryone`, `@everyone` is plain text.
 */
export function mentionsIn(
  tokens: string[],
  members: Iterable<Username>,
  mayMentionEveryone = true,
  groups: readonly UserGroup[] = [],
): string[] | null {
  if (tokens.length === 0) return null

  const canonical = new Map<string, Username>()
  for (const member of members) canonical.set(member.toLowerCase(), member)
  const named = new Map([
    ...canonical,
    ...groups.map(({ handle }) => [handle.toLowerCase(), handle] as const),
  ])
  const membersOf = new Map(groups.map(group => [group.handle, group.members]))

  const mentioned = new Set<Username>()
  for (const token of tokens) {
    const mention = mentionBy(token, named)
    if (mention && mention.name !== EVERYONE)
      for (const name of membersOf.get(mention.name) ?? [mention.name]) mentioned.add(name)
    else if (mention && mayMentionEveryone) return [EVERYONE]
  }
  const inOrder = [...canonical.values()].filter(name => mentioned.has(name))
  return inOrder.length > 0 ? inOrder : null
}

/** Returns the groups among these that the tokens name, in the order of the text, at most `MOST_GROUPS_IN_TEXT`. */
export function groupsIn<Group extends Pick<UserGroup, 'handle'>>(
  tokens: string[],
  members: Iterable<Username>,
  groups: readonly Group[],
): Group[] {
  const byHandle = new Map(groups.map(group => [group.handle, group]))
  const named = new Map([...members, ...byHandle.keys()].map(name => [name.toLowerCase(), name]))
  const mentioned = tokens.map(token => byHandle.get(mentionBy(token, named)?.name ?? ''))
  return [...new Set(mentioned)].filter(group => group !== undefined).slice(0, MOST_GROUPS_IN_TEXT)
}

/** True if a token is no whole name of these members, and so may be the handle of a group. */
export function mayNameGroups(tokens: string[], members: Iterable<Username>): boolean {
  const named = new Map([...members].map(name => [name.toLowerCase(), name]))
  return tokens.some(token => {
    const mention = mentionBy(token, named)
    return mention?.name !== EVERYONE && mention?.length !== token.length
  })
}

export interface Mention {
  /** In canonical spelling, or `@everyone`. */
  name: string
  /** Length of the name in the token. */
  length: number
}

/**
 * Returns the member with the longest matching prefix: `@ada-` at the end of a clause means ada. `@everyone` counts when
 * no member has the name, and may be followed by dashes.
 */
export function mentionBy(token: string, members: ReadonlyMap<string, string>): Mention | undefined {
  const lower = token.toLowerCase()
  for (const prefix of prefixesOf(lower)) {
    const name = members.get(prefix)
    if (name !== undefined) return { name, length: prefix.length }
  }
  if (/^everyone[-_]*$/.test(lower)) return { name: EVERYONE, length: EVERYONE.length - 1 }
  return undefined
}

/** Yields the prefixes that may be names, longest first. `@adam` is not ada: letters and digits continue a name. */
function* prefixesOf(token: string): Generator<string> {
  for (let length = Math.min(token.length, LONGEST_NAME); length > 0; length--) {
    if (length === token.length || /[-_]/.test(token[length]!)) yield token.slice(0, length)
  }
}

/** Returns every lower-cased name that the tokens may mean, so that the store need not return all members. */
export function mentionCandidates(tokens: string[]): string[] {
  return [...new Set(tokens.flatMap(token => [...prefixesOf(token.toLowerCase())]))]
}
