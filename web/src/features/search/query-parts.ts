/** A query as the panel shows it: filters and excluded words as chips, the rest in the field. Pure. */
import { filterToken, type SearchToken, tokensOf } from '#shared/domain/search-query.ts'

export interface QueryParts {
  /** Each is a filter or an excluded word. */
  chips: readonly string[]
  typed: string
}

export function partsOf(query: string): QueryParts {
  return withChips({ chips: [], typed: query }, Number.POSITIVE_INFINITY)
}

export function queryOf({ chips, typed }: QueryParts): string {
  return [...chips, typed.trim()].filter(part => part !== '').join(' ')
}

/** Moves the complete filters and excluded words before the caret out of the field; one that ends at the caret is still being typed. */
export function withChips({ chips, typed }: QueryParts, caret: number): QueryParts {
  const taken = tokensOf(typed).filter(token => isChip(token) && token.to < caret)
  if (taken.length === 0) return { chips, typed }
  let rest = ''
  let at = 0
  for (const { from, to } of taken) {
    rest += typed.slice(at, from)
    at = to
  }
  rest = (rest + typed.slice(at)).replace(/\s{2,}/g, ' ').trimStart()
  return { chips: [...new Set([...chips, ...taken.map(chipOf)])], typed: rest }
}

/** The filter that ends at the end of the field. */
export function filterBeingTyped(typed: string): SearchToken | undefined {
  const last = tokensOf(typed).at(-1)
  return last?.name !== undefined && last.to === typed.length ? last : undefined
}

export function withoutToken(typed: string, { from, to }: SearchToken): string {
  return `${typed.slice(0, from)}${typed.slice(to)}`.trimEnd()
}

export function tokenOf(chip: string): SearchToken {
  return tokensOf(chip)[0]!
}

const isChip = ({ name, value, isNegated }: SearchToken) => (name !== undefined || isNegated) && value !== ''

function chipOf({ name, value, isNegated, raw }: SearchToken) {
  if (name !== undefined) return filterToken(name, value, isNegated)
  // An open quote would take the next chip in.
  return raw.split('"').length === 2 ? `${raw}"` : raw
}
