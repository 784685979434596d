import type { Seconds, Username } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { counted, number, list, time, size } = english

export const channel = {
  header: {
    back: (unread: number) => (unread > 0 ? `Back to the list, ${unread} unread` : 'Back to the list'),
    people: (all: number, here: number) => `${counted(all, 'person', 'people')}, ${number(here)} here`,
    count: (all: number) => counted(all, 'person', 'people'),
    details: 'Details of this channel',
    favourite: 'Favourite',
    notify: 'Notifications of this channel',
    topic: 'Topic',
    addTopic: 'Add a topic',
    editTopic: (topic: string) => `Topic: ${topic}. Edit`,
    guests: 'Includes guests',
    search: 'Search messages',
  },

  list: {
    label: (channel: string) => `Messages in ${channel}`,
    loading: 'Loading messages',
    failed: (channel: string) => `Could not load ${channel}`,
    notHere: (channel: string) => `${channel} is not on this device yet`,
    notHereMore: 'It loads by itself when the connection is back. Your drafts are safe.',
    failedMore: 'The server did not respond as it should. Your drafts are safe.',
    forbidden: 'You cannot read this conversation',
    noAccount: (names: string[]) => `There is no account named ${list(names)}`,
    noAccountMore: 'Check the address, or write to somebody else.',
    noChannel: (name: string) => `There is no channel named ${name}`,
    noChannelMore: 'Check the address, or choose a channel from the list.',
    notMember: 'This private channel is not open to you',
    notMemberMore: 'It does not exist, or one of its members has to add you.',
    start: (channel: string) => `This is the start of ${channel}`,
    startWith: (names: string) => `This is the start of your conversation with ${names}`,
    startPublic: 'Everyone on this server can read and write here. Say what it is for.',
    startDirect: 'Only the people named above can read what is written here.',
    latest: 'Latest',
    newer: (count: number) => counted(count, 'newer message', 'newer messages'),
    newHere: 'New messages start here.',
    deleted: 'Message deleted',
    deletedMany: (count: number) => counted(count, 'message deleted', 'messages deleted'),
    removedBy: (name: string) => `Removed by ${name}`,
    showMore: 'Show more',
    showLess: 'Show less',
    edited: '(edited)',
    editedAt: (ts: Seconds) => `Edited at ${time(ts)}`,
    image: 'Image',
    imageFrom: (name: string) => `Image from ${name}`,
    imageAndMore: (name: string, count: number) => `Image from ${name}, +${count} more`,
    imageFailed: (name: string) => `Image from ${name} could not be loaded. Press to try again.`,
    play: 'Play',
    pause: 'Pause',
    images: (count: number) => counted(count, 'image', 'images'),
    files: (count: number) => counted(count, 'file', 'files'),
    more: (count: number) => `+${count}`,
    reactions: (count: number) => counted(count, 'reaction', 'reactions'),
    replyTo: (name: string) => `Reply to ${name}`,
    sending: 'Sending…',
    notSent: 'Not sent.',
    notSentOld: 'Not sent: it was written more than a day ago.',
    waiting: 'Will be sent when the connection is back',
    gone: 'That message is not here any more.',
    noOlder: (channel: string) => `More messages of ${channel} could not be loaded. Scroll on to try again.`,
  },

  refused: {
    notAPicture: (name: string) => `Not sent: ${name} cannot be opened as a picture.`,
    empty: 'Not sent: it has no text.',
    tooLong: (most: number) => `Not sent: a message has room for ${number(most)} characters. Shorten it.`,
    tooLarge: (name: string, megabytes: number) =>
      `Not sent: ${name} is too large. The limit here is ${number(megabytes)} MB.`,
    noRoom: (name: string) =>
      `Not sent: this server has no room for ${name}. Tell the person who runs it, then try again.`,
    quota: (megabytes: number) =>
      `Not sent: a person can send ${number(megabytes)} MB of files in 24 hours. Try again later.`,
    notAllowed: (name: string) => `Not sent: only images can be sent here, and ${name} is none.`,
    forbidden: (channel: string) => `Not sent: you can no longer write in ${channel}.`,
    noAccount: (name: string) => `Not sent: there is no account named ${name}.`,
    tooManyPeople: (most: number) =>
      `Not sent: a conversation has at most ${number(most)} people. Make a private channel instead.`,
    other: 'Not sent: the server did not accept it.',
  },

  seen: {
    by: (count: number, of: number) => `Seen by ${number(count)} of ${number(of)}`,
    short: (count: number) => `Seen by ${number(count)}`,
    label: (names: string[], count: number) =>
      count > names.length
        ? `Seen by ${list([...names, counted(count - names.length, 'other', 'others')])}`
        : `Seen by ${list(names)}`,
    unknown: 'Seen by…',
    nobody: 'Nobody has read it yet.',
    failed: 'The readers of this message could not be loaded. Try again in a moment.',
  },

  actions: {
    label: 'Message actions',
    react: (name: string) => `React with ${name.replaceAll('_', ' ')}`,
    addReaction: 'Add reaction',
    reply: 'Reply',
    thread: 'Open thread',
    more: 'More actions',
    copyText: 'Copy text',
    copyLink: 'Copy link',
    markUnread: 'Mark as unread',
    save: 'Save for later',
    showParent: 'Show what it answers',
    edit: 'Edit',
    delete: 'Delete',
    textCopied: 'Text copied',
    linkCopied: 'Link copied',
    notCopied: (text: string) =>
      `The browser did not allow copying “${text}”. Select it and copy it with the keyboard.`,
    notDeleted: 'The message could not be deleted. Try again.',
    notEdited: 'The change could not be saved.',
    editAgain: 'Edit again',
    notReacted: 'The reaction could not be saved. Try again.',
  },

  reaction: {
    title: 'Reactions',
    none: 'The reactions were removed.',
    count: (count: number, name: string) =>
      `${counted(count, 'person', 'people')} reacted with ${name.replaceAll('_', ' ')}`,
    by: (names: string[], name: string, others = 0) =>
      `${list(others > 0 ? [...names, counted(others, 'other', 'others')] : names)} reacted with ${name.replaceAll('_', ' ')}`,
  },

  picker: {
    label: 'Pick a reaction',
    emojiLabel: 'Pick an emoji',
  },

  composer: {
    placeholder: (channel: string) => `Message ${channel}`,
    addFiles: 'Add files',
    emoji: 'Emoji',
    mention: 'Mention someone',
    formatting: 'Formatting',
    formats: {
      bold: 'Bold',
      italic: 'Italic',
      strike: 'Strikethrough',
      link: 'Link',
      quote: 'Quote',
      bullets: 'List',
      numbers: 'Numbered list',
      code: 'Code',
      codeBlock: 'Code block',
    },
    formatAs: (name: string, example: string) => `${name}: ${example}`,
    group: (name: string, count: number) => `${name} · ${counted(count, 'person', 'people')}`,
    sends: 'send',
    send: 'Send',
    newLine: 'new line',
    replying: 'Replying to',
    cancelReply: 'Cancel reply',
    editing: 'Editing your message',
    editLabel: 'Edit message',
    remove: (name: string) => `Remove ${name}`,
    onlyImages: (names: string[]) =>
      `Only images can be sent here: ${list(names)} cannot. Send a link instead.`,
    notAPicture: (name: string) => `${name} cannot be opened as a picture.`,
    tooLarge: (name: string, bytes: number, limit: number) =>
      `${name} is ${size(bytes)}. The limit here is ${size(limit)}. Make it smaller, or send a link.`,
    tooLong: (length: number, limit: number) =>
      `${counted(length - limit, 'character', 'characters')} too many. A message has room for ${number(limit)}.`,
    asFile: 'Attach as a file',
    textFile: 'message.txt',
    drop: (channel: string) => `Drop to add to ${channel}`,
    draftSaved: 'Draft saved on this device',
    people: (channel: string) => `People in ${channel}`,
    everyone: (count: number) => `notifies ${counted(count, 'person', 'people')}`,
    attached: 'Attached files',
    folders: (names: string[]) => `Folders cannot be sent: ${list(names)}. Send the files, or an archive.`,
    size,
    sentOf: (sent: number, total: number) => `${size(sent)} of ${size(total)}`,
    uploadWaits: 'Waits',
    uploading: (name: string) => `Uploading ${name}`,
    cancelUpload: (name: string) => `Cancel the upload of ${name}`,
  },

  typing: (names: Username[]): string => {
    if (names.length > 2) return 'Several people are typing'
    return names.length === 1 ? `${names[0]} is typing` : `${list(names)} are typing`
  },

  systemMessage: {
    welcome: (who: string, workspace: string) => `Welcome to ${workspace}, ${who}! Say hello.`,
    joined: (who: string) => `${who} joined`,
    joinedMany: (names: string[], others: number) =>
      `${list(others > 0 ? [...names, counted(others, 'other', 'others')] : names)} joined`,
    showAll: 'Show all',
    showFewer: 'Show fewer',
    names: list,
    added: (who: string, what: string) => `${who} added ${what}`,
    removed: (who: string, what: string) => `${who} removed ${what}`,
    plain: (who: string, act: string) => `${who} ${act.slice(0, -1)}`,
    renamed: (who: string, what: string) => `${who} renamed the channel to “${what}”`,
    topic: (who: string, what: string) => `${who} set the topic: ${what}`,
    call: (minutes: number) => `Call, ${number(minutes)} min.`,
    missed: (who: string) => `Missed call from ${who}.`,
    unanswered: () => 'Nobody answered your call.',
  },
  startCall: {
    voice: 'Start a voice call',
    video: 'Start a video call',
    share: 'Share your screen',
    notLoaded: 'Calls could not be loaded. Reload the page, then try again.',
    goingOn: (names: string[]) =>
      names.length === 1 ? `${names[0]} is in a call here.` : `${list(names)} are in a call.`,
  },
}
