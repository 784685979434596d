/** The open page of the administration, and the dialogs that belong to it. All are loaded on demand. */
import { signal } from '@preact/signals'
import { panel } from '../../store/store.ts'
import { part } from '../../ui/part.ts'
import { readyEntry } from './ready-entry.ts'

/** As in the address; an unknown page is the first one (admin-pages.ts). */
export const adminPage = signal('people')

export function openAdministration(page = adminPage.peek()) {
  adminPage.value = page
  panel.value = 'admin'
}

/** True if the card of the owner was put away on this device. */
export const isReadyNoted = () => typeof readyEntry().read() === 'string'

export const readyChanges = part<typeof import('./ready-changes.ts')>()
/** A check of “Ready for the office?” needs a look that did not when the card was put away on this device. */
export const hasReadyTurned = async () => (await readyChanges.load()).hasTurned()
export const noteReadyChecks = async () => (await readyChanges.load()).noteChecks()

export const isInviteOpen = signal(false)

/** Set while the password is asked for. Called with false if the person gives up. */
export const passwordAsked = signal<((given: boolean) => void) | undefined>(undefined)
