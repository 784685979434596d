/** Asks before leaving a settings page with unsaved changes (ui.md 5.9). */
import { signal } from '@preact/signals'
import { settingsPage } from './open-settings.ts'

export const isUnsaved = signal(false)
/** The action to continue with after the question. */
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
