/**
 * The table of all shortcuts (ui.md 7). `pressed.ts` compares keys with it, the sheet shows it, and a browser test
 * presses each. `ctrl` is ⌘ on macOS. None of these belongs to a browser: `RESERVED` in `shortcuts.test.ts`. Pure.
 */

export type Key =
  | 'ctrl'
  | 'shift'
  | 'alt'
  | 'enter'
  | 'esc'
  | 'tab'
  | 'delete'
  | 'backspace'
  | 'pageUp'
  | 'pageDown'
  | 'home'
  | 'end'
  | 'letter'
  | (string & {})

export interface Shortcut {
  id: ShortcutId
  /** Alternatives, each a chord. */
  keys: Key[][]
  /** A single letter, digit or sign without a modifier: can be turned off (WCAG 2.1.4). */
  single?: true
}

export type Place = 'anywhere' | 'messages' | 'composer' | 'calls'

export type ShortcutId = (typeof IDS)[number]

const IDS = [
  'jump',
  'search',
  'searchAnywhere',
  'activity',
  'newDirect',
  'details',
  'upload',
  'sheet',
  'help',
  'region',
  'regionBack',
  'neighbour',
  'unread',
  'back',
  'escape',
  'allRead',
  'rowMenu',
  'moveRow',
  'letter',
  'send',
  'sendAlways',
  'sendLater',
  'sendQuietly',
  'newLine',
  'editLast',
  'replyLast',
  'recall',
  'bold',
  'italic',
  'strike',
  'numbers',
  'bullets',
  'quote',
  'indent',
  'code',
  'link',
  'pastePlain',
  'accept',
  'move',
  'page',
  'ends',
  'latest',
  'reply',
  'thread',
  'edit',
  'react',
  'quick',
  'forward',
  'copyText',
  'copyLink',
  'markUnread',
  'save',
  'pin',
  'delete',
  'menu',
  'answer',
  'decline',
  'microphone',
  'camera',
] as const

export const SHORTCUTS: Record<Place, Shortcut[]> = {
  anywhere: [
    { id: 'jump', keys: [['ctrl', 'K']] },
    { id: 'search', keys: [['/']], single: true },
    { id: 'searchAnywhere', keys: [['ctrl', 'shift', 'F']] },
    { id: 'activity', keys: [['ctrl', 'shift', 'M']] },
    { id: 'newDirect', keys: [['ctrl', 'shift', 'K']] },
    { id: 'details', keys: [['ctrl', '.']] },
    { id: 'upload', keys: [['ctrl', 'U']] },
    { id: 'sheet', keys: [['ctrl', '/']] },
    { id: 'help', keys: [['?']], single: true },
    { id: 'region', keys: [['F6']] },
    { id: 'regionBack', keys: [['shift', 'F6']] },
    {
      id: 'neighbour',
      keys: [
        ['alt', '↑'],
        ['alt', '↓'],
      ],
    },
    {
      id: 'unread',
      keys: [
        ['alt', 'shift', '↑'],
        ['alt', 'shift', '↓'],
      ],
    },
    { id: 'back', keys: [['alt', '←']] },
    { id: 'escape', keys: [['esc']] },
    { id: 'allRead', keys: [['shift', 'esc']] },
    { id: 'rowMenu', keys: [['shift', 'F10']] },
    {
      id: 'moveRow',
      keys: [
        ['alt', 'shift', 'pageUp'],
        ['alt', 'shift', 'pageDown'],
      ],
    },
    { id: 'letter', keys: [['letter']] },
  ],
  composer: [
    // With "Ctrl+Enter sends" in the settings, Enter is another key of `newLine`.
    { id: 'send', keys: [['enter']] },
    { id: 'sendAlways', keys: [['ctrl', 'enter']] },
    { id: 'sendLater', keys: [['ctrl', 'shift', 'enter']] },
    { id: 'sendQuietly', keys: [['ctrl', 'alt', 'enter']] },
    { id: 'newLine', keys: [['shift', 'enter']] },
    { id: 'editLast', keys: [['↑']] },
    { id: 'replyLast', keys: [['shift', '↑']] },
    {
      id: 'recall',
      keys: [
        ['ctrl', '↑'],
        ['ctrl', '↓'],
      ],
    },
    { id: 'bold', keys: [['ctrl', 'B']] },
    { id: 'italic', keys: [['ctrl', 'I']] },
    { id: 'strike', keys: [['ctrl', 'shift', 'X']] },
    { id: 'numbers', keys: [['ctrl', 'shift', '7']] },
    { id: 'bullets', keys: [['ctrl', 'shift', '8']] },
    { id: 'quote', keys: [['ctrl', 'shift', '9']] },
    { id: 'code', keys: [['ctrl', 'shift', 'E']] },
    { id: 'link', keys: [['ctrl', 'K']] },
    { id: 'pastePlain', keys: [['ctrl', 'shift', 'V']] },
    { id: 'accept', keys: [['tab'], ['enter']] },
    // Where nothing is suggested.
    { id: 'indent', keys: [['tab'], ['shift', 'tab']] },
  ],
  messages: [
    { id: 'move', keys: [['↑'], ['↓'], ['J'], ['K']] },
    { id: 'page', keys: [['pageUp'], ['pageDown']] },
    { id: 'ends', keys: [['home'], ['end']] },
    { id: 'latest', keys: [['esc']] },
    { id: 'reply', keys: [['R']], single: true },
    { id: 'thread', keys: [['T']], single: true },
    { id: 'edit', keys: [['E']], single: true },
    { id: 'react', keys: [['A']], single: true },
    { id: 'quick', keys: [['1'], ['2'], ['3']], single: true },
    { id: 'forward', keys: [['shift', 'F']], single: true },
    { id: 'copyText', keys: [['C']], single: true },
    { id: 'copyLink', keys: [['L']], single: true },
    { id: 'markUnread', keys: [['U']], single: true },
    { id: 'save', keys: [['S']], single: true },
    { id: 'pin', keys: [['P']], single: true },
    { id: 'delete', keys: [['delete']] },
    { id: 'menu', keys: [['enter'], ['shift', 'F10']] },
  ],
  calls: [
    { id: 'answer', keys: [['alt', 'enter']] },
    { id: 'decline', keys: [['alt', 'backspace']] },
    { id: 'microphone', keys: [['ctrl', 'D']] },
    { id: 'camera', keys: [['ctrl', 'E']] },
  ],
}
