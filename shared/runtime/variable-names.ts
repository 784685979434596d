import { log } from './log.ts'
import { SECRETS, VARIABLES } from './variables.ts'

/** Variables that other readers than `VARIABLES` know. */
const FURTHER = [
  'BOTHY_COMMIT',
  'BOTHY_DISKS',
  'SERVICE',
  'SESSION_SECRET_FILE',
  'SESSION_SECRET_PREVIOUS_FILE',
]
const KNOWN = [...Object.keys(VARIABLES), ...SECRETS.map(name => `${name}_FILE`), ...FURTHER]
const isKnown = new Set(KNOWN)

/** Letters that may differ: of a short name, few others are misspellings. */
const most = (name: string) => Math.min(2, Math.floor(name.length / 5))

/** Variables of the environment that nothing reads but whose names are almost those of known ones; never their values. */
export function misspelledVariables(env: NodeJS.ProcessEnv = process.env): string[] {
  return Object.keys(env)
    .filter(name => env[name] !== undefined && !isKnown.has(name))
    .flatMap(name => {
      const meant = nearest(name.toUpperCase(), KNOWN)
      return meant === undefined ? [] : [`${name} is no variable: is ${meant} meant?`]
    })
}

/** The known name that a misspelled one means, if there is one. */
export const nearest = (name: string, known: readonly string[]): string | undefined =>
  known.find(each => distance(name, each) <= most(each))

/** The message of the log line of `reportVariables`. */
export const UNKNOWN_VARIABLES = 'variables not known'

/** Logs a single line, at the start of a process. */
export function reportVariables(env?: NodeJS.ProcessEnv): void {
  const warnings = misspelledVariables(env)
  if (warnings.length > 0) log.warn({ warnings }, UNKNOWN_VARIABLES)
}

/** Least number of letters to insert, remove or replace; infinite above two. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return Infinity
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)))
    row = next
  }
  return row.at(-1)!
}
