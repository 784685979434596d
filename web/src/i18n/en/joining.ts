import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { date } = english

/** Strings of public channels that are in the first load. */
export const joining = {
  joining: {
    add: 'Browse or create channels',
    browse: 'Browse channels',
    create: 'New channel',
    leave: 'Leave channel',
    looking: (name: string) => `You are looking at ${name}.`,
    join: 'Join',
    startArchived: 'Everyone here could read and write in this channel.',
    startReadOnly: 'Everyone can read here. Only managers write.',
    managersWrite: 'Only managers write here. You can read and react.',
    whoWrites: 'Who are the managers?',
    archived: (ts: Seconds | null) =>
      `${ts === null ? 'Archived' : `Archived: ${date(ts)}`}. You can read and search it. Nobody can write.`,
    unarchive: 'Unarchive',
    isArchived: (name: string) => `${name} is archived.`,
    notJoined: (name: string) => `${name} could not be joined. Try again.`,
  },
}
