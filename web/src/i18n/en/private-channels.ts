import { english } from './formats.ts'

const { list } = english

export const privateChannels = {
  privateChannel: {
    unknown: 'Private channel',
    skipped: (names: string[]) => `Not added: ${list(names)}.`,
    lost: (name: string) => `You are no longer in ${name}.`,
    left: (name: string) => `You left ${name}.`,
    notLeft: (name: string) => `${name} could not be left. Try again.`,
    start: 'Only the people of this channel can read what is written here.',
    sinceJoined: 'You see messages from when you joined.',
    done: 'Done',
  },
}
