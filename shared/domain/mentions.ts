import { atomsOf, blocksOf, textsIn } from './text-grammar.ts'
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

/**
 * Returns the mentioned members in canonical spelling and member order, `[@everyone]`, or null (interface 4.3.1). Without
 * `mayMentionEveryone`, `@everyone` is plain text.
 */
export function mentionsIn(
  tokens: string[],
  members: Iterable<Username>,
  mayMentionEveryone = true,
): string[] | null {
  if (tokens.length === 0) return null

  const canonical = new Map<string, Username>()
  for (const member of members) canonical.set(member.toLowerCase(), member)

  const mentioned = new Set<Username>()
  for (const token of tokens) {
    const mention = mentionBy(token, canonical)
    if (mention && mention.name !== EVERYONE) mentioned.add(mention.name)
    else if (mention && mayMentionEveryone) return [EVERYONE]
  }
  const inOrder = [...canonical.values()].filter(name => mentioned.has(name))
  return inOrder.length > 0 ? inOrder : null
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
