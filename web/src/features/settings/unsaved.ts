/** Asks before leaving a settings page with unsaved changes (ui.md 5.9). */
import { signal } from '@preact/signals'
import { STAYS } from '../../ui/layers.ts'
import { settingsPage } from './open-settings.ts'

export const isUnsaved = signal(false)
/** The action to continue with after the question. */
export const asking = signal<(() => void) | undefined>(undefined)

/** Returns `STAYS` while the question is open. */
export function leaveFor(next: () => void) {
  if (!isUnsaved.peek()) return next()
  asking.value = next
  return STAYS
}

export function closeSettings() {
  return leaveFor(() => {
    settingsPage.value = undefined
  })
}

export function showSettingsList() {
  return leaveFor(() => {
    settingsPage.value = 'list'
  })
}
