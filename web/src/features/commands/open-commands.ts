/** Slash commands of the composer, loaded with the first slash (interface 10.33). */
import { signal } from '@preact/signals'
import { lazyComponent, withModule } from '../../ui/lazy.tsx'
import type { Asked } from './CommandBar.tsx'
import type { CommandPlace } from './run-command.ts'

export type { CommandPlace }

export const CommandBar = lazyComponent<Asked>(() =>
  import('./CommandBar.tsx').then(module => module.CommandBar),
)

export const commandList = signal<typeof import('./command-list.ts') | undefined>(undefined)

/** Without a list, commands run all the same. */
export function loadCommands() {
  if (commandList.peek()) return
  import('./command-list.ts').then(
    module => {
      commandList.value = module
    },
    () => {},
  )
}

/** After a failure to load, the text is in the composer again, and a retry only loads. */
export function runCommand(text: string, place: CommandPlace) {
  let isRestored = false
  withModule(
    () =>
      import('./run-command.ts').catch(failure => {
        if (!isRestored) place.restore()
        isRestored = true
        throw failure
      }),
    module => {
      if (!isRestored) void module.runCommand(text, place)
    },
  )
}
