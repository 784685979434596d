/** The built-in commands, in the order in which they are listed. */
export const COMMANDS = [
  'join',
  'leave',
  'topic',
  'rename',
  'add',
  'archive',
  'mute',
  'unmute',
  'status',
  'away',
  'pause',
  'remind',
  'schedule',
  'goto',
  'search',
  'call',
  'shrug',
  'me',
  'help',
] as const
export type CommandName = (typeof COMMANDS)[number]

export const isCommand = (name: string): name is CommandName => COMMANDS.some(one => one === name)
