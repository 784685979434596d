import type { Seconds } from './units.ts'

/** Rights of a token, in the order in which lists show them (interface 19.1). */
export const SCOPES = ['read', 'write', 'channels', 'admin'] as const
export type Scope = (typeof SCOPES)[number]

export const isScope = (value: unknown): value is Scope => (SCOPES as readonly unknown[]).includes(value)

/** `read` is in each, `write` in `channels` and `admin`. */
const CONTAINED: Record<Scope, readonly Scope[]> = {
  read: ['read'],
  write: ['read', 'write'],
  channels: ['read', 'write', 'channels'],
  admin: ['read', 'write', 'admin'],
}

/** The scopes with those that they contain, in order. */
export function scopesWithin(given: readonly Scope[]): Scope[] {
  const all = new Set<Scope>(['read', ...given.flatMap(scope => CONTAINED[scope])])
  return SCOPES.filter(scope => all.has(scope))
}

/** Live tokens of an account. */
export const MOST_TOKENS = 50
/** Channels that a token may be limited to. */
export const MOST_TOKEN_CHANNELS = 50
export const LONGEST_TOKEN_NAME = 80
export const USUAL_TOKEN_DAYS = 365
export const MOST_TOKEN_DAYS = 3_650
/** Time for which lists have a token that has ended; then the janitor deletes it. */
export const LISTED_AFTER_END: Seconds = 30 * 24 * 3_600
