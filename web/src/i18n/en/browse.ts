import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { counted, number, since } = english

export const browse = {
  about: {
    noTopic: 'No topic',
    noDescription: 'No description',
    edit: 'Edit the channel',
    archive: 'Archive',
    topic: 'Topic',
    description: 'Description',
    save: 'Save',
  },

  browse: {
    title: 'Channels',
    field: 'Find channels',
    create: 'New channel',
    make: 'Make the channel',
    count: (count: number) => counted(count, 'channel', 'channels'),
    countOf: (count: number, of: number) => `${number(count)} of ${counted(of, 'channel', 'channels')}`,
    filters: { all: 'All', 'not-joined': 'Not joined', archived: 'Archived' },
    keys: (command: string) => `↑ and ↓ choose, Enter opens, ${command}+Enter joins and stays here.`,
    order: 'Order',
    sorts: { newest: 'Latest message first', members: 'Most people first', name: 'By name' },
    joined: 'Joined',
    join: 'Join',
    joinName: (name: string) => `Join ${name}`,
    archived: 'Archived',
    announcements: 'Announcements',
    size: (people: number) => counted(people, 'person', 'people'),
    newest: (ts: Seconds) => since(ts),
    privateNote: 'Private channels are not listed here. Someone in them has to add you.',
    none: 'No channel to show here.',
    noMatch: (words: string) => `No channel has “${words}” in its name or topic.`,
    createNamed: (words: string) => `New channel #${words}`,
    failed: 'The list of channels could not be loaded.',
    topic: 'What is it for?',
    optional: 'Optional',
    addPeople: 'Add people',
    readers: 'Who can read it',
    everyone: 'Everyone',
    everyoneHint: (people: number) =>
      people > 1 ? `All ${people} can find, read and join it.` : 'Everyone can find, read and join it.',
    private: 'Private',
    privateHint: 'Only people who are added.',
    readOnly: 'Only managers write',
    readOnlyHint: 'For announcements. Everyone can read and react.',
    address: (address: string) => `Address: ${address}`,
    near: (name: string, people: number) =>
      `Close to #${name}, where ${people === 1 ? 'one person is' : `${people} people are`}.`,
    openNear: (name: string) => `Open #${name}`,
    openTaken: 'Open it',
    isThere: (name: string) => `There is a channel #${name} already.`,
    isArchived: (name: string) => `#${name} exists and is archived.`,
    addNobody: (command: string) => `${command}+Enter makes the channel and adds nobody.`,
    taken: (name: string) => `There is a channel called “${name}” already. Choose another name.`,
  },
}
