import { english } from './formats.ts'

const { list } = english

export const privateChannels = {
  privateChannel: {
    unknown: 'Private channel',
    skipped: (names: string[]) => `Nobody here is called ${list(names)}.`,
    lost: (name: string) => `You are no longer in ${name}.`,
    left: (name: string) => `You left ${name}.`,
    notLeft: (name: string) => `${name} could not be left. Try again.`,
    start: 'Only the people of this channel can read what is written here.',
    sinceJoined: 'You see messages from when you joined.',
    title: 'New private channel',
    name: 'Name',
    people: 'People',
    namePlaceholder: 'What is it about?',
    create: 'Create',
    nameNeeded: 'A channel needs a name.',
    notMade: (name: string) => `The channel “${name}” could not be made. Try again.`,
    rename: 'Rename',
    renamed: 'Renamed.',
    notRenamed: (name: string) => `The channel could not be renamed to “${name}”. Try again.`,
    add: 'Add someone',
    addHint: 'They will see messages from now on, not earlier ones.',
    addPlaceholder: 'Username',
    added: (name: string) => `${name} was added.`,
    already: (name: string) => `${name} is here already.`,
    unknownUser: (name: string) => `Nobody here is called ${name}.`,
    notAdded: (name: string) => `${name} could not be added. Try again.`,
    leave: 'Leave channel',
    leaveShort: 'Leave',
    leaveAsk: (name: string) => `Leave ${name}?`,
    leaveMore: 'Someone has to add you again.',
    leaveLast: 'You are the last one here. The channel stays, empty.',
    done: 'Done',
  },
}
