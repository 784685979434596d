import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { counted, number, date, time } = english

const DAY: Seconds = 86_400

/** The time of an end within a day, else its date: a day ends at its midnight. */
const shortTime = (ts: Seconds) => (ts - Date.now() / 1_000 < DAY ? time(ts) : date(ts - 1))

export const dialogs = {
  newDm: {
    title: 'New message',
    field: 'To',
    placeholder: 'Type a name',
    nobody: 'No one has that name.',
    there: 'Already there.',
    alone: 'You are the only one here so far.',
    start: 'Start',
    remove: (name: string) => `Remove ${name}`,
    people: 'People',
  },

  switcher: {
    label: 'Jump to',
    placeholder: 'Channel, person or action',
    channel: 'Channel',
    private: 'Private channel',
    direct: 'Direct message',
    person: 'Person',
    actions: 'Actions',
    places: 'Channels and people',
    useLight: 'Use the light theme',
    useDark: 'Use the dark theme',
    mute: 'Mute notifications for one hour',
    unmute: 'Turn notifications on',
    settings: 'Settings',
    shortcuts: 'Keyboard shortcuts',
    search: (typed: string) => `Search messages for “${typed}”`,
    nothing: (typed: string) => `Nothing here is called “${typed}”.`,
    found: (count: number) => counted(count, 'match', 'matches'),
    move: 'Move',
    open: 'Open',
  },

  forward: {
    action: 'Forward',
    title: 'Forward this message',
    to: 'To',
    find: 'Channel or person',
    none: 'Nothing you can write in has that name.',
    change: (name: string) => `To ${name}. Choose another place`,
    comment: 'Comment',
    optional: '(optional)',
    send: 'Forward',
    sending: 'Forwarding…',
    wider: (from: string, to: string) =>
      `This message is from ${from}. In ${to}, people can read it who could not before.`,
    anyway: 'Forward it all the same',
    chooseOther: 'Choose another place',
    done: (name: string) => `Forwarded to ${name}`,
    show: 'Show',
    gone: 'The message is not here any more.',
    refused: (name: string) => `You cannot write in ${name}.`,
    tooLong: 'With the comment, the message is too long. Shorten the comment.',
    noRoom: 'There is no room for the file at the moment.',
    tooMany: 'That was too much at once. Try again in a moment.',
    failed: 'There was no answer from the server. Try again: it arrives once.',
    from: 'Forwarded',
    source: (name: string) => `Message of ${name}, forwarded`,
    open: (place: string) => `Show in ${place}`,
  },

  deleting: {
    title: 'Delete this message?',
    more: 'People who saw it will see that it is gone.',
    remove: 'Remove…',
    removeTitle: (name: string) => `Remove this message of ${name}?`,
    removeMore: 'Everybody sees that you removed it. This cannot be undone.',
    reason: 'Reason (for the audit log)',
    confirmRemoval: 'Remove',
  },

  emojiPicker: {
    search: 'Search emoji',
    frequent: 'Frequently used',
    nothing: 'No emoji has that name.',
    results: 'Found',
    categories: 'Groups',
    groups: [
      'Faces',
      'People',
      'Animals and nature',
      'Food and drink',
      'Travel and places',
      'Activities',
      'Objects',
      'Symbols',
      'Flags',
    ],
    tone: 'Skin tone',
    tones: ['Without', 'Light', 'Medium light', 'Medium', 'Medium dark', 'Dark'],
  },

  viewer: {
    label: 'Image viewer',
    of: (at: number, all: number) => `${at} of ${all}`,
    copy: 'Copy image',
    copied: 'Image copied',
    notCopied: 'The image could not be copied. Download it instead.',
    download: 'Download',
    next: 'Next image',
    previous: 'Previous image',
    zoomIn: 'Zoom in',
    zoomOut: 'Zoom out',
    wholeImage: 'Show the whole image',
    zoomed: (percent: number) => `Zoomed to ${number(percent)} percent`,
    strip: 'Images of this channel',
    inStrip: (at: number, all: number, name: string) => `Image ${number(at)} of ${number(all)}, from ${name}`,
    showInChannel: 'Show in channel',
    failed: (name: string) =>
      `The image from ${name} could not be loaded. Check the connection, then try again.`,
  },

  ownStatus: {
    title: 'Your status',
    set: 'Set a status',
    clear: 'Clear the status',
    emoji: 'Choose an emoji',
    text: 'What is your status?',
    placeholder: 'What is your status?',
    empty: 'Empty the field',
    until: 'Until',
    ends: { half: '30 minutes', hour: '1 hour', today: 'Today', date: 'A date', never: 'No end' },
    endsAt: (ts: Seconds) => `until ${shortTime(ts)}`,
    kept: shortTime,
    often: 'Suggestions',
    presets: { meeting: 'In a meeting', lunch: 'Lunch', sick: 'Sick', away: 'Away' },
    quiet: 'Pause notifications too',
    pause: 'Pause notifications',
    pauseFor: (minutes: number) =>
      minutes < 60 ? `${minutes} minutes` : minutes === 60 ? '1 hour' : '2 hours',
    live: 'Live: changes arrive at once',
    save: 'Set status',
    needed: 'Choose an emoji or write a few words.',
    dateNeeded: 'Choose a date in the future.',
    notSaved: 'The status could not be changed. Try again.',
  },

  profileCard: {
    deactivated: '(deactivated)',
    roles: { owner: 'Owner', admin: 'Administrator', member: 'Member', guest: 'Guest' },
    localTime: (time: string, zone: string) => `${time} there (${zone})`,
    there: (time: string) => `${time} there`,
    find: 'Find people',
  },

  unknownAddress: {
    title: 'There is nothing at this address',
    more: 'The link may be incomplete, or from another server.',
    goTo: (channel: string) => `Go to #${channel}`,
    start: 'Go to the start page',
  },
}
