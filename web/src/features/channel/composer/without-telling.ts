import { EVERYONE, mentionBy } from '#shared/domain/mentions.ts'
import type { Username } from '#shared/domain/units.ts'

const WORD_JOINER = '\u2060'
const TOKENS = /@([A-Za-z0-9_-]+)/g

/**
 * The text with these mentions as plain text: an invisible character follows their `@`. Names are `@name`. Mentions of
 * `people` stay, also of those whose names begin with such a name.
 */
export function withoutTelling(text: string, names: readonly string[], people: Iterable<Username>): string {
  const plain = new Set(names)
  const named = new Map<string, string>([...people].map(name => [name.toLowerCase(), name]))
  for (const name of names) if (name !== EVERYONE) named.set(name.slice(1).toLowerCase(), name)
  return text.replace(TOKENS, (written, token: string) => {
    const mention = mentionBy(token, named)
    return mention && plain.has(mention.name) ? `@${WORD_JOINER}${token}` : written
  })
}
