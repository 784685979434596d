/** A query as the panel shows it: filters as chips, the rest in the field. Pure. */
import { filterToken, type SearchToken, tokensOf } from '#shared/domain/search-query.ts'

export interface QueryParts {
  /** Each is a filter. */
  chips: readonly string[]
  typed: string
}

export function partsOf(query: string): QueryParts {
  return withChips({ chips: [], typed: query }, Number.POSITIVE_INFINITY)
}

export function queryOf({ chips, typed }: QueryParts): string {
  return [...chips, typed.trim()].filter(part => part !== '').join(' ')
}

/** Moves the complete filters before the caret out of the field; one that ends at the caret is still being typed. */
export function withChips({ chips, typed }: QueryParts, caret: number): QueryParts {
  const taken = tokensOf(typed).filter(token => isFilter(token) && token.to < caret)
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

const isFilter = ({ name, value }: SearchToken) => name !== undefined && value !== ''

const chipOf = ({ name, value, isNegated }: SearchToken) => filterToken(name!, value, isNegated)
