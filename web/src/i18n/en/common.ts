import { english } from './formats.ts'

const { counted, number, time, date, fullTime } = english

export const common = {
  date,
  fullTime,
  time,
  product: 'bothy',
  systemName: 'bothy',
  you: 'you',
  back: 'Back',
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

  pages: {
    full: (most: number) => `${number(most)} are shown at a time.`,
    goOn: 'Show the next ones',
    toStart: 'Back to the start of the list',
  },

  connection: {
    reconnecting: 'Reconnecting. You can keep writing; messages go out when we are back.',
    none: (host: string) => `No connection to ${host}.`,
    notConnected: 'Not connected',
    tryNow: 'Try now',
    manyTabs: 'bothy is open in many tabs. Close some to get live updates here.',
    newVersion: 'bothy was updated.',
    reload: 'Reload',
  },

  broken: {
    title: 'Something broke here',
    more: 'Reload the page to go on. Your drafts are safe on this device.',
    row: 'This message cannot be shown.',
    part: 'This part of bothy could not be loaded.',
  },

  signedOut: {
    title: 'You were signed out',
    more: 'Sign in to continue. What you have written stays here.',
    signIn: 'Sign in',
  },

  farewell: {
    title: 'Your account is deleted',
    more: 'You are signed out on all devices.',
    toStart: 'To the sign-in page',
  },

  announce: {
    message: (name: string, text: string) => Array.from(`${name}: ${text}`).slice(0, 140).join(''),
    many: (count: number) => counted(count, 'new message', 'new messages'),
    uploaded: 'Your file is uploaded.',
    notSent: 'Your message was not sent.',
    lost: 'The connection is lost.',
  },

  tabs: { label: 'Sections', home: 'Home', activity: 'Activity', search: 'Search', you: 'You' },
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
}
