import { oneLine } from './one-line.ts'

/** Characters of the name of a channel, and of the other texts of a channel. */
export const LONGEST_CHANNEL_NAME = 80
export const LONGEST_TOPIC = 250
export const LONGEST_DESCRIPTION = 2_000
const LONGEST_ID = 64

/** Ids of public channels made in the client. Ids of the settings file have a wider form. */
export const isNewChannelId = (id: string): boolean => /^[a-z0-9][a-z0-9_-]{0,63}$/.test(id)

/** Makes an id from a name: “Überblick 2” becomes `uberblick-2`. Empty if no letter or digit of ASCII is left. */
export function channelIdFromName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, '-')
    .replace(/^[^a-z0-9]+/, '')
    .slice(0, LONGEST_ID)
    .replace(/-+$/, '')
}

export type NameProblem = 'empty' | 'too_long'

/** Reduces a name to one line of visible characters. */
export function shownName(given: string, most: number): { name: string } | { problem: NameProblem } {
  const name = oneLine(given.normalize('NFC'), Number.POSITIVE_INFINITY)
  if (name === '') return { problem: 'empty' }
  return [...name].length > most ? { problem: 'too_long' } : { name }
}

/** Joins names as in “ada”, “ada and bob”, “ada, bob and cleo”. */
export function listOfNames(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
