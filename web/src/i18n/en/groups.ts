import { english } from './formats.ts'

const { counted, list, number } = english

export const groups = {
  groups: {
    about: 'A message with @ and the handle of a group notifies everyone in it.',
    make: 'New group',
    makeIt: 'Create group',
    save: 'Save',
    change: 'Change',
    changeOf: (handle: string) => `Change @${handle}`,
    deleteOf: (handle: string) => `Delete @${handle}`,
    deleteMore: 'The handle no longer notifies anyone. Messages keep their text.',
    none: 'No groups yet.',
    nobody: 'Nobody is in it yet.',
    people: (count: number) => counted(count, 'person', 'people'),
    members: 'People in the group',
    addMe: 'Add me',
    name: 'Name',
    handle: 'Handle',
    handleHint: (handle: string) => `People write @${handle}.`,
    nameNeeded: 'Give the group a name.',
    handleForm: 'The handle has 1 to 32 letters, digits, hyphens or underscores.',
    taken: (handle: string) => `@${handle} is taken, by a person or another group.`,
    notSaved: 'The group could not be saved. Try again.',
    gone: (handle: string) => `There is no group @${handle} any more.`,
    missed: (count: number, handles: string[]) =>
      `${counted(count, 'person', 'people')} of ${list(handles.map(handle => `@${handle}`))} ${count === 1 ? 'is' : 'are'} not in this channel.`,
    notifyMany: (names: string[], count: number) =>
      `${list(names)} ${names.length === 1 ? 'notifies' : 'notify'} ${counted(count, 'person', 'people')}`,
    notifyManyMore: (channel: string, here: number | undefined) =>
      here === undefined
        ? `In ${channel}.`
        : `In ${channel}. ${counted(here, 'person is', 'people are')} here now.`,
    notify: (count: number) => `Notify ${number(count)}`,
    sendWithout: 'Send without notifying',
    addThem: 'Add them',
    notAdded: (names: string[]) => `${list(names)} could not be added.`,
    added: (count: number, channel: string) => `Added ${counted(count, 'person', 'people')} to ${channel}.`,
  },
}
