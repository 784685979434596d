import { parseArgs } from 'node:util'
import type { Outcome } from './outcome.ts'

/** A command of `npm run admin`. */
export interface Command {
  /** `<name>` is a word that must be given; options follow. */
  usage: string
  /** Options with a value. */
  options?: readonly string[]
  /** Options without. */
  flags?: readonly string[]
  run(given: Given): Promise<Outcome>
}

export interface Given {
  /** As many as the usage has in `<…>`. */
  words: string[]
  /** Values of options, and `1` for flags. */
  options: Record<string, string | undefined>
}

/** The command line is not of the form of a command: exit code 2. */
export class UsageError extends Error {}

/** Reads the words after the name of a command. */
export function givenIn(command: Command, args: string[]): Given {
  const { usage, options = [], flags = [] } = command
  const known = Object.fromEntries([
    ...options.map(name => [name, { type: 'string' }] as const),
    ...flags.map(name => [name, { type: 'boolean' }] as const),
  ])
  const { values, positionals } = parsed(args, known, usage)
  if (positionals.length !== (usage.match(/<[^>]+>/g) ?? []).length || positionals.includes(''))
    throw new UsageError(`Usage: npm run admin -- ${usage} [--json]`)
  return {
    words: positionals,
    options: Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, value === true ? '1' : String(value)]),
    ),
  }
}

function parsed(args: string[], options: Record<string, { type: 'string' | 'boolean' }>, usage: string) {
  try {
    return parseArgs({ args, options, allowPositionals: true })
  } catch {
    throw new UsageError(`Usage: npm run admin -- ${usage} [--json]`)
  }
}

/** `general,design` as a list; undefined if not given. */
export const listIn = (text: string | undefined): string[] | undefined =>
  text
    ?.split(',')
    .map(word => word.trim())
    .filter(Boolean)

/** The given ones of these fields, as in the body of a request. */
export const fieldsOf = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Rows of a list, one a line with columns apart by tabs, and how the next page is asked for. */
export function listed(
  rows: readonly (readonly unknown[])[],
  next: string | null,
  none: string,
): Pick<Outcome, 'text'> {
  const lines = rows.map(row => row.map(cell).join('\t'))
  if (next !== null) lines.push(`More: --cursor ${next}`)
  return { text: lines.length === 0 ? none : lines.join('\n') }
}

/** Control characters of names and topics must not reach a terminal. */
function cell(value: unknown): string {
  const text = typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '-')
  return text.replace(/\p{Cc}/gu, ' ')
}
