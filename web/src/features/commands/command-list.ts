import { COMMANDS } from '#shared/domain/built-in-commands.ts'
import { strings } from '../../i18n/i18n.ts'
import { ownCommands, refreshCommands } from './own-commands.ts'

/** The commands that begin with the typed text: the built-in ones, then those of the workspace. */
export function commandsFor(typed: string) {
  void refreshCommands()
  const wanted = typed.toLowerCase()
  const builtIn = COMMANDS.map(name => ({ name: name as string, ...strings.commands.all[name] }))
  const own = ownCommands.value.map(({ name, usage, description }) => ({
    name,
    input: usage ?? '',
    about: description ?? '',
  }))
  return [...builtIn, ...own].filter(({ name }) => name.startsWith(wanted))
}
