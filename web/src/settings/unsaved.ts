/** A page with changes that are not saved is not left without asking (ui.md 5.9). */
import { signal } from '@preact/signals'
import { settingsPage } from './open-settings.ts'

export const isUnsaved = signal(false)
/** What was about to happen when we asked. */
export const asking = signal<(() => void) | undefined>(undefined)

export function leaveFor(next: () => void) {
  if (isUnsaved.peek()) asking.value = next
  else next()
}

export function closeSettings() {
  leaveFor(() => {
    settingsPage.value = undefined
  })
}
