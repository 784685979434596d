import type { Scope } from '#shared/domain/tokens.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { counted, date, time } = english

const rights = (scopes: readonly Scope[]) => {
  if (scopes.includes('admin'))
    return scopes.includes('channels')
      ? 'Reads, writes, changes channels, administers'
      : 'Reads, writes, administers'
  if (scopes.includes('channels')) return 'Reads, writes, changes channels'
  return scopes.includes('write') ? 'Reads and writes' : 'Reads'
}

const NAMED = 3

export const tokens = {
  tokens: {
    more: 'With a token a script or program acts as you, without your password. Give each its own, with no more rights than it needs.',
    make: 'New token',
    none: 'You have no tokens.',
    mayNot: 'Administrators make tokens here.',
    notLoaded: 'The list could not be loaded.',
    end: 'End',
    endOf: (name: string) => `End ${name}`,
    isEnded: (name: string) => `${name} works no more.`,
    notEnded: 'It could not be ended. Try again.',
    /** `channels`: names; null is all. */
    rights(scopes: readonly Scope[], channels: string[] | null) {
      if (channels === null) return rights(scopes)
      const more = channels.length - NAMED
      const named = channels.slice(0, NAMED).join(', ') || 'no channel'
      return `${rights(scopes)} in ${named}${more > 0 ? ` and ${counted(more, 'other', 'others')}` : ''}`
    },
    used(ts: Seconds | null, from: string | null) {
      if (ts === null) return 'Never used.'
      return `Last used: ${date(ts)}, ${time(ts)}${from === null ? '' : ` from ${from}`}.`
    },
    ends(ts: Seconds | null, ended: 'revoked' | 'expired' | null) {
      if (ended === 'revoked') return 'Ended.'
      if (ts === null) return 'Has no end.'
      return ended === 'expired' ? `Ended: ${date(ts)}.` : `Ends: ${date(ts)}.`
    },
    name: 'Name',
    nameHint: 'What uses it, such as “Backup script”.',
    nameIt: 'Type a name.',
    may: 'It may',
    choices: {
      read: 'Read',
      write: 'Read and write',
      channels: 'Also change channels',
      admin: 'Also administer',
    },
    worksFor: 'Works for',
    lifetime: (days: number) =>
      days === 0 ? 'No end' : days === 365 ? 'One year' : counted(days, 'day', 'days'),
    where: 'Where',
    everywhere: 'Wherever you may',
    someChannels: 'Only in some channels',
    channels: 'Channels',
    chooseChannels: 'Choose at least one channel.',
    endsWith: 'It also ends when you change your password.',
    create: 'Create token',
    tooMany: 'You have 50 tokens. End one first.',
    notMade: 'The token could not be created. Try again.',
    isMade: (name: string) => `Token for ${name}`,
    once: 'Copy it now: it is not shown again. Whoever has it can do what it may.',
    lost: 'The token was created, but it did not arrive here. End it, and create another one.',
    copy: 'Copy',
    copyCommand: 'Copy the command',
    copied: 'Copied',
    tryIt: 'Try it',
    hello: 'Hello from a script',
    kept: 'Done',
    personal: 'Tokens',
    personalMore: 'Of people and bots. Ended ones stay here for 30 days.',
    whose: 'Acts as',
    use: 'Use',
    nobodys: 'Nobody has made a token.',
    noneOf: (name: string) => `No tokens of ${name}. Names are compared whole.`,
  },
}
