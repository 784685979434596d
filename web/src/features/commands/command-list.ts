import { COMMANDS } from '#shared/domain/built-in-commands.ts'
import { strings } from '../../i18n/i18n.ts'

/** The commands that begin with the typed text. */
export const commandsFor = (typed: string) =>
  COMMANDS.filter(name => name.startsWith(typed.toLowerCase())).map(name => ({
    name,
    ...strings.commands.all[name],
  }))
