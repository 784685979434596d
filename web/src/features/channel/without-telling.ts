const WORD_JOINER = '\u2060'

/** The text with these mentions as plain text: an invisible character follows their `@`. Names are `@name`. */
export function withoutTelling(text: string, names: readonly string[]): string {
  const words = names.map(name => name.slice(1)).join('|')
  return text.replace(new RegExp(`@(?=(${words})(?![A-Za-z0-9]))`, 'gi'), `@${WORD_JOINER}`)
}
