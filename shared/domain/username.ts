import { withAccents } from './fold.ts'
import type { Username } from './units.ts'

const USERNAME = /^[A-Za-z0-9_-]{1,32}$/
const RESERVED = new Set(['appname', 'bothy', 'system', 'everyone', 'deleteduser'])

/** The sender of system messages, shown as bothy (interface 2.3). */
export const SYSTEM_SENDER = 'system'
/** The sender of messages of deleted accounts; the space makes it impossible to register. */
export const DELETED_SENDER = 'Deleted User'

/** Interface 4.1, rule 1, without the reserved names. */
export const isUsername = (text: string): text is Username => USERNAME.test(text)

export const isReserved = (name: string) => RESERVED.has(name.toLowerCase())

/** Interface 4.1, rule 1. */
export const USERNAME_RULES = {
  pattern: 'Use 1 to 32 letters, digits, hyphens or underscores for the username.',
  reserved: 'That name is reserved.',
  taken: 'That name is taken.',
} as const

export type UsernameRule = keyof typeof USERNAME_RULES

/** The rules that the name itself breaks; a taken name is found later. */
export function unmetUsernameRules(username: string): UsernameRule[] {
  if (!isUsername(username)) return ['pattern']
  return isReserved(username) ? ['reserved'] : []
}

const LONGEST_USERNAME = 32
/** Characters, also of a job title. */
export const LONGEST_DISPLAY_NAME = 80

/**
 * Makes a username from a name: “Jonas Weiß” becomes `jonas-weiss`. Empty if no letter or digit of ASCII is left.
 * services/api/pages/forms.js does the same in the browser.
 */
export const usernameFrom = (name: string): string =>
  withAccents(name)
    .replace(/['\p{M}\p{Cf}]/gu, '')
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, LONGEST_USERNAME)
    .replace(/-+$/, '')

/** A username with an ending, cut to the longest that is permitted. */
export const withEnding = (username: Username, ending: string): Username =>
  username.slice(0, LONGEST_USERNAME - ending.length) + ending

const NAME_COLORS = 12

/** Returns the index of the name's default `--name-n` colour, of twelve: FNV-1a of the lower-cased name. */
export function defaultColorIndex(name: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(name.toLowerCase())) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  }
  return hash % NAME_COLORS
}
