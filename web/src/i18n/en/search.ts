import { english } from './formats.ts'

const { counted, number, shortDay } = english

export const search = {
  search: {
    label: 'Search',
    field: 'Search messages',
    clear: 'Clear',
    close: 'Close search',
    from: 'From',
    anyone: 'anyone',
    in: 'In',
    anywhere: 'everywhere',
    anyTime: 'Any time',
    since: (from: string) => `Since ${from}`,
    until: (to: string) => `Until ${to}`,
    between: (from: string, to: string) => `${from} to ${to}`,
    fromDate: 'From',
    toDate: 'To',
    removePerson: 'Remove the person filter',
    removeChannel: 'Remove the channel filter',
    removeDate: 'Remove the date filter',
    nothing: (typed: string) => (typed ? `Nothing matches “${typed}”` : 'Nothing matches'),
    nothingMore: 'Check the spelling, or remove a filter.',
    everywhere: 'Search all channels',
    hint: 'Type a word, or choose a person, a channel or a date.',
    recent: 'Recent searches',
    results: (count: number) => counted(count, 'result', 'results'),
    newest: (count: number) => `Showing the newest ${count}. Narrow the dates to see older ones.`,
    failed: 'The search did not work. Try again.',
    move: 'Move',
    show: 'Show in channel',
    resultsLabel: 'Results',
    shortDate: shortDay,
  },

  mentions: {
    title: 'Mentions',
    unread: (count: number) => `${number(count)} unread`,
    none: 'Nobody is waiting for you.',
    in: (channel: string) => `in ${channel}`,
    close: 'Close mentions',
  },
}
