import type { Seconds } from '#shared/domain/units.ts'
import { english } from './formats.ts'

const { counted, date, time } = english

/** Days of a channel and earlier versions of texts. */
export const finding = {
  dayMenu: {
    today: 'Today',
    yesterday: 'Yesterday',
    lastWeek: 'A week ago',
    beginning: 'The beginning',
    pick: 'Pick a date',
    messages: (count: number) => (count === 0 ? 'no messages' : counted(count, 'message', 'messages')),
  },

  versions: {
    label: 'Versions of this message',
    writtenAt: (ts: Seconds) => `${date(ts)}, ${time(ts)}`,
    present: 'Now',
    added: 'Added:',
    removed: 'Removed:',
    onlyThis: 'No earlier version is kept.',
    notLoaded: 'The versions could not be loaded.',
    hint: 'Others can read the earlier text under “(edited)”. To hide something, delete the message.',
  },

  commands: {
    label: 'Commands',
    unknown: (name: string) => `There is no /${name}. Send it as a message?`,
    send: 'Send as a message',
    backToText: 'Back to the text',
    accept: 'accept',
    asText: 'write it as text',
    usage: (name: string, input: string) => `Write /${name} ${input}`,
    notAllowed: (channel: string) => `You may not do this in ${channel}.`,
    notDone: 'That did not work. Try again.',
    notInDms: 'This is not possible in a direct message.',
    noCallHere: 'Calls are possible with people, in direct messages and private channels.',
    noChannel: (name: string) => `There is no channel named ${name}.`,
    noPerson: (name: string) => `${name} cannot be added: there is no such person, or they may not come in.`,
    noEmoji: (name: string) => `There is no emoji named ${name}.`,
    paused: (ts: Seconds) => `Notifications of this device are paused until ${time(ts)}.`,
    reminding: (ts: Seconds, words: string) => `A reminder comes: ${date(ts)}, ${time(ts)}. ${words}`,
    all: {
      join: { input: '#channel', about: 'Join a channel' },
      leave: { input: '', about: 'Leave this conversation' },
      topic: { input: 'text', about: 'Set the topic' },
      rename: { input: 'name', about: 'Rename this channel' },
      add: { input: '@person', about: 'Add a person' },
      archive: { input: '', about: 'Archive this channel' },
      mute: { input: '1h', about: 'Mute this conversation' },
      unmute: { input: '', about: 'Unmute this conversation' },
      status: { input: ':emoji: text', about: 'Set or clear your status' },
      away: { input: '', about: 'Appear as away' },
      pause: { input: '30m', about: 'Pause notifications here' },
      remind: { input: '20m', about: 'Remind me of a message' },
      schedule: { input: '14:00 text', about: 'Send a text later' },
      goto: { input: '2026-03-01', about: 'Jump to a day' },
      search: { input: 'words', about: 'Search messages' },
      call: { input: '', about: 'Call the people here' },
      shrug: { input: 'text', about: 'Add a shrug' },
      me: { input: 'text', about: 'Say what you do' },
      help: { input: '', about: 'Show all commands' },
    },
  },

  ownEmoji: {
    ours: 'Ours',
    add: 'Add an emoji',
    back: 'Back to the emoji',
    name: 'Name',
    picture: 'Picture: PNG, GIF, WebP or JPEG of at most 512 KB',
    submit: 'Add',
    list: 'Emoji that you can remove',
    remove: (name: string) => `Remove :${name}:`,
    badName: 'A name has 2 to 32 of a to z, 0 to 9, _, + and -.',
    needsPicture: 'Choose a picture.',
    refused: {
      conflict: 'That name is taken, or there are too many emoji.',
      invalid: 'That file is not a picture that can be used.',
      too_large: 'The picture is too large: at most 512 KB.',
      unavailable: 'The server cannot prepare pictures at the moment. Try again later.',
      other: 'It did not work. Try again.',
    },
  },
}
