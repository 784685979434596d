/** Every word that the client says, in English. `de.ts` has the same shape. */
import type { Seconds, Username } from '#shared/rules/units.ts'
import { formats } from './formats.ts'

const { counted, number, list, time, date, shortDay, size } = formats('en-GB', {
  today: 'Today',
  yesterday: 'Yesterday',
})

export const en = {
  date,
  time,

  product: 'bothy',
  systemName: 'bothy',
  you: 'you',
  close: 'Close',
  cancel: 'Cancel',
  delete: 'Delete',
  save: 'Save',
  tryAgain: 'Try again',
  newMessages: 'New',
  undo: 'Undo',

  skip: 'Skip links',
  skipToMessages: 'Skip to messages',
  skipToComposer: 'Skip to composer',

  sidebar: {
    label: 'Channels and conversations',
    mentions: 'Mentions',
    channels: 'Channels',
    direct: 'Direct messages',
    newMessage: 'New message',
    closeConversation: (name: string) => `Close conversation with ${name}`,
    closed: (name: string) => `Conversation with ${name} closed`,
    unread: (count: number) => counted(count, 'unread message', 'unread messages'),
    mentioned: (count: number) => counted(count, 'mention', 'mentions'),
    draft: 'Draft',
    drafts: 'Drafts',
    myStatus: 'Status and sign out',
    noDms: 'Nobody yet. Start with the plus.',
  },

  presence: { active: 'Active', idle: 'Idle', hidden: 'Away', offline: 'Offline' },
  status: {
    auto: 'Automatic',
    active: 'Active',
    idle: 'Idle',
    offline: 'Appear offline',
    signOut: 'Sign out',
    title: 'Status',
  },

  header: {
    back: (unread: number) => (unread > 0 ? `Back to the list, ${unread} unread` : 'Back to the list'),
    people: (all: number, here: number) => `${counted(all, 'person', 'people')}, ${number(here)} here`,
    peopleButton: 'People in this channel',
    search: 'Search messages',
  },

  list: {
    label: (channel: string) => `Messages in ${channel}`,
    loading: 'Loading messages',
    failed: 'Could not load this channel',
    failedMore: 'The server did not answer as it should. Your drafts are safe.',
    forbidden: 'You cannot read this conversation',
    forbiddenMore: 'It does not exist, or it is not open to you.',
    start: (channel: string) => `This is the start of ${channel}`,
    startPublic: 'Everyone on this server can read and write here. Say what it is for.',
    startDirect: 'Only the people named above can read what is written here.',
    latest: 'Latest',
    newer: (count: number) => counted(count, 'newer message', 'newer messages'),
    newHere: 'New messages start here.',
    deleted: 'Message deleted',
    deletedMany: (count: number) => counted(count, 'message deleted', 'messages deleted'),
    edited: '(edited)',
    editedAt: (ts: Seconds) => `Edited at ${time(ts)}`,
    image: 'Image',
    imageFrom: (name: string) => `Image from ${name}`,
    images: (count: number) => counted(count, 'image', 'images'),
    more: (count: number) => `+${count}`,
    reactions: (count: number) => counted(count, 'reaction', 'reactions'),
    replyTo: (name: string) => `Reply to ${name}`,
    sending: 'Sending…',
    notSent: 'Not sent.',
    notSentBecause: (reason: string) => `Not sent: ${reason}.`,
    gone: 'That message is not here any more.',
    noOlder: 'Older messages could not be loaded.',
  },

  seen: {
    by: (count: number, of: number) => `Seen by ${number(count)} of ${number(of)}`,
    short: (count: number) => `Seen by ${number(count)}`,
    label: (names: string[]) => `Seen by ${list(names)}`,
  },

  actions: {
    label: 'Message actions',
    react: (name: string) => `React with ${name.replaceAll('_', ' ')}`,
    addReaction: 'Add reaction',
    reply: 'Reply',
    more: 'More actions',
    copyText: 'Copy text',
    copyLink: 'Copy link',
    edit: 'Edit',
    delete: 'Delete',
    textCopied: 'Text copied',
    linkCopied: 'Link copied',
    notCopied: 'The browser did not allow copying.',
    deleteTitle: 'Delete this message?',
    deleteMore: 'People who saw it will see that it is gone.',
    notDeleted: 'The message could not be deleted.',
    notEdited: 'The change could not be saved.',
    notReacted: 'The reaction could not be saved.',
  },

  reaction: {
    by: (names: string[], name: string) => `${list(names)} reacted with ${name.replaceAll('_', ' ')}`,
  },

  picker: {
    label: 'Pick a reaction',
    emojiLabel: 'Pick an emoji',
    search: 'Search emoji',
    frequent: 'Frequently used',
    all: 'All',
    nothing: 'No emoji has that name.',
    results: 'Found',
  },

  composer: {
    placeholder: (channel: string) => `Message ${channel}`,
    addFiles: 'Add images',
    emoji: 'Emoji',
    mention: 'Mention someone',
    formatting: 'Formatting',
    bold: 'Bold',
    italic: 'Italic',
    strike: 'Strikethrough',
    code: 'Code',
    send: 'Send',
    newLine: 'new line',
    replying: 'Replying to',
    cancelReply: 'Cancel reply',
    editing: 'Editing your message',
    cancelEdit: 'cancel',
    editLabel: 'Edit message',
    remove: (name: string) => `Remove ${name}`,
    onlyImages: 'Only images can be sent here.',
    tooLarge: (bytes: number, limit: number) =>
      `That file is ${size(bytes)}. The limit here is ${size(limit)}.`,
    tooLong: (length: number, limit: number) =>
      `${number(length)} characters. A message has room for ${number(limit)}.`,
    drop: (channel: string) => `Drop to add to ${channel}`,
    draftSaved: 'Draft saved on this device',
    people: (channel: string) => `People in ${channel}`,
    everyone: (count: number) => `notifies ${counted(count, 'person', 'people')}`,
    attached: 'Attached images',
  },

  typing: (names: Username[]): string => {
    if (names.length > 2) return 'Several people are typing'
    return names.length === 1 ? `${names[0]} is typing` : `${list(names)} are typing`
  },

  connection: {
    reconnecting: 'Reconnecting. You can keep writing; messages go out when we are back.',
    none: (host: string) => `No connection to ${host}.`,
    tryNow: 'Try now',
    manyTabs: 'bothy is open in many tabs. Close some to get live updates here.',
    newVersion: 'bothy was updated.',
    reload: 'Reload',
  },

  signedOut: {
    title: 'You were signed out',
    more: 'Sign in to continue. What you have written stays here.',
    signIn: 'Sign in',
  },

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

  people: {
    title: 'People',
    here: 'Here',
    away: 'Not here',
    close: 'Close people',
    message: (name: string) => `Message ${name}`,
  },

  newDm: {
    title: 'New message',
    field: 'To',
    placeholder: 'Type a name',
    nobody: 'No one has that name.',
    alone: 'You are the only one here so far.',
    start: 'Start',
    remove: (name: string) => `Remove ${name}`,
    people: 'People',
  },

  viewer: {
    label: 'Image viewer',
    of: (at: number, all: number) => `${at} of ${all}`,
    download: 'Download',
    next: 'Next image',
    previous: 'Previous image',
  },

  announce: {
    message: (name: string, text: string) => `${name}: ${text}`.slice(0, 140),
    many: (count: number) => counted(count, 'new message', 'new messages'),
    notSent: 'Your message was not sent.',
    lost: 'The connection is lost.',
  },

  tabs: { label: 'Sections', home: 'Home', mentions: 'Mentions', search: 'Search', you: 'You' },
  notLoaded: 'The list of channels could not be loaded.',
}
