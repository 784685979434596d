import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { counted, date, list, number } = english

export const details = {
  details: {
    title: 'Details of the channel',
    close: 'Close details',
    pins: 'Pins',
    about: 'About',
    count: (count: number) => number(count),
    edit: 'Edit',
    editNamed: (what: string) => `Edit: ${what}`,
    tellMe: 'Notify me about',
    numberStays: 'The number in the list stays',
    isFavourite: 'In your favourites',
    canUndo: 'Can be undone',
    madeBy: 'Made by',
    made: (name: string, ts: Seconds) => `${name}, ${date(ts)}`,
    managedBy: 'Managed by',
    names: (names: string[]) => list(names),
    keptFor: 'Kept for',
    kept: (days: number) => (days === 0 ? 'Always' : counted(days, 'day', 'days')),
    writing: 'Writing',
    onlyManagers: 'Only managers',
    madeChannel: 'made this channel',
    start: 'Start',
    everyoneStarts: 'Everyone joins this channel automatically',
    history: 'History',
    manager: 'Manager',
    personMenu: (name: string) => `Actions for ${name}`,
    makeManager: 'Make a manager',
    noManager: 'Remove as manager',
    remove: 'Remove from the channel',
    addTo: (name: string) => `Add people to ${name}`,
    add: 'Add',
    guestsRead: 'Guests read everything that was written here, too.',
    guestsByManagers: 'Guests are added by the managers of the channel.',
    fromJoining: (ts: Seconds) => `From when you joined, ${date(ts)}`,
  },
}
