/** Every word that the client says, in English. `de.ts` has the same shape. */
import type { Seconds, Username } from '#shared/domain/units.ts'
import { formats } from './formats.ts'

/** Shared with the words of the settings, which are fetched with them. */
export const english = formats('en-GB', {
  today: 'Today',
  yesterday: 'Yesterday',
})
const { counted, number, list, time, date, size } = english

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
    notSent: 'Message not sent',
    myStatus: 'Status and sign out',
    private: 'Private',
    newPrivate: 'New private channel',
    jump: 'Jump to…',
    noDms: 'Nobody yet. Start with the plus.',
  },

  presence: { active: 'Active', idle: 'Idle', hidden: 'Away', offline: 'Offline' },
  status: {
    auto: 'Automatic',
    active: 'Active',
    idle: 'Idle',
    offline: 'Appear offline',
    signOut: 'Sign out',
    settings: 'Settings',
    title: 'Status',
  },

  header: {
    back: (unread: number) => (unread > 0 ? `Back to the list, ${unread} unread` : 'Back to the list'),
    people: (all: number, here: number) => `${counted(all, 'person', 'people')}, ${number(here)} here`,
    count: (all: number) => counted(all, 'person', 'people'),
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
    startWith: (names: string) => `This is the start of your conversation with ${names}`,
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
    imageFailed: 'Could not be loaded.',
    imageRetry: (name: string) => `Image from ${name} could not be loaded. Try again`,
    play: 'Play',
    pause: 'Pause',
    images: (count: number) => counted(count, 'image', 'images'),
    files: (count: number) => counted(count, 'file', 'files'),
    more: (count: number) => `+${count}`,
    reactions: (count: number) => counted(count, 'reaction', 'reactions'),
    replyTo: (name: string) => `Reply to ${name}`,
    sending: 'Sending…',
    notSent: 'Not sent.',
    notSentBecause: (reason: string) => `Not sent: ${reason}.`,
    notSentOld: 'Not sent: it was written more than a day ago.',
    waiting: 'Goes out when the connection is back',
    gone: 'That message is not here any more.',
    noOlder: 'Older messages could not be loaded.',
  },

  cards: {
    fence: 'Code',
  },

  seen: {
    by: (count: number, of: number) => `Seen by ${number(count)} of ${number(of)}`,
    short: (count: number) => `Seen by ${number(count)}`,
    label: (names: string[], count: number) =>
      count > names.length
        ? `Seen by ${list([...names, counted(count - names.length, 'other', 'others')])}`
        : `Seen by ${list(names)}`,
    unknown: 'Seen by…',
  },

  actions: {
    label: 'Message actions',
    react: (name: string) => `React with ${name.replaceAll('_', ' ')}`,
    addReaction: 'Add reaction',
    reply: 'Reply',
    more: 'More actions',
    copyText: 'Copy text',
    copyLink: 'Copy link',
    showParent: 'Show what it answers',
    edit: 'Edit',
    delete: 'Delete',
    textCopied: 'Text copied',
    linkCopied: 'Link copied',
    notCopied: 'The browser did not allow copying.',
    notDeleted: 'The message could not be deleted.',
    notEdited: 'The change could not be saved.',
    editAgain: 'Edit again',
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
    uploading: (name: string) => `Uploading ${name}`,
    cancelUpload: (name: string) => `Cancel the upload of ${name}`,
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

  privateChannel: {
    unknown: 'Private channel',
    skipped: (names: string[]) => `Nobody here is called ${list(names)}.`,
    lost: (name: string) => `You are no longer in ${name}.`,
    left: (name: string) => `You left ${name}.`,
    notLeft: 'Leaving did not work. Try again.',
    start: 'Only the people of this channel can read what is written here.',
    sinceJoined: 'You see messages from when you joined.',
  },

  notice: {
    added: (who: string, whom: string) => `${who} added ${whom}`,
    left: (who: string) => `${who} left the channel`,
    renamed: (who: string, name: string) => `${who} renamed the channel to “${name}”`,
  },

  profile: {
    label: (name: string) => `Profile of ${name}`,
    open: (name: string) => `Profile of ${name}`,
    now: { active: 'Active now', idle: 'Idle', hidden: 'Away', offline: 'Offline' },
    message: 'Message',
    call: 'Call',
    mention: 'Mention in the composer',
    alsoIn: (channels: string[]) => `Also in ${list(channels)}`,
    edit: 'Edit profile',
    gone: 'This account does not exist any more.',
    since: (date: string) => `Here since ${date}`,
  },

  keyboard: {
    keys: {
      ctrl: 'Ctrl',
      shift: 'Shift',
      alt: 'Alt',
      enter: 'Enter',
      esc: 'Esc',
      tab: 'Tab',
      delete: 'Delete',
      backspace: 'Backspace',
      pageUp: 'Page Up',
      pageDown: 'Page Down',
      home: 'Home',
      end: 'End',
    },
  },

  calls: {
    voice: 'Start a voice call',
    video: 'Start a video call',
    share: 'Share your screen',
    notLoaded: 'Calls could not be loaded. Reload the page, then try again.',
  },

  mute: {
    hour: 'Mute for an hour',
    tomorrow: 'Until tomorrow',
    forever: 'Until turned on again',
    unmute: 'Turn on again',
    on: 'Notifications on',
    muted: 'Muted',
    mutedUntil: (ts: Seconds) => `Muted until ${time(ts)}`,
    menu: 'Notifications',
    settings: 'Notifications',
  },

  farewell: {
    title: 'Your account is deleted',
    more: 'You are signed out on all devices.',
    toStart: 'To the sign-in page',
  },

  announce: {
    message: (name: string, text: string) => Array.from(`${name}: ${text}`).slice(0, 140).join(''),
    many: (count: number) => counted(count, 'new message', 'new messages'),
    uploaded: 'Your image is there.',
    notSent: 'Your message was not sent.',
    lost: 'The connection is lost.',
  },

  tabs: { label: 'Sections', home: 'Home', mentions: 'Mentions', search: 'Search', you: 'You' },
  notLoaded: 'The list of channels could not be loaded.',
}
