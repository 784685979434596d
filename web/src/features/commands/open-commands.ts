/** Slash commands of the composer, which follow the first screen (interface 11.8). */
import { part } from '../../ui/part.ts'
import type { CommandPlace } from './run-command.ts'

export type { CommandPlace }

export const commandBar = part<typeof import('./CommandBar.tsx')>()
/** Without the list, commands run all the same. */
export const commandList = part<typeof import('./command-list.ts')>()
export const commandRunner = part<typeof import('./run-command.ts')>()

/** If the code cannot be loaded, the text is in the composer again, and a retry only loads. */
export function runCommand(text: string, place: CommandPlace) {
  commandRunner.load().then(
    module => void module.runCommand(text, place),
    () => {
      place.restore()
      commandRunner.use(() => {})
    },
  )
}
