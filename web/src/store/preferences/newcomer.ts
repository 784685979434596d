/** The first steps of somebody who has just signed up by an invitation, on this device (ui.md 5.4). */
import { signal } from '@preact/signals'
import { persisted } from '../device/persisted.ts'
import { viewer } from '../store.ts'

const kept = persisted(`bothy newcomer ${viewer}`)

/** Until the bar of welcome is closed. */
export const isNewcomer = signal(kept.read() === '1')

/** Chromium's offer to install the client; not in the types of TypeScript. */
export interface InstallOffer extends Event {
  prompt: () => Promise<{ outcome: 'accepted' | 'dismissed' }>
}
export const installOffer = signal<InstallOffer | undefined>(undefined)

/** Called before the address is read: sign-up leads to `/?joined`. */
export function noteNewcomer() {
  if (location.search === '?joined') {
    kept.write('1')
    isNewcomer.value = true
    history.replaceState(history.state, '', location.pathname + location.hash)
  }
  // The event comes once, early; only the bar uses it.
  if (isNewcomer.peek())
    addEventListener('beforeinstallprompt', event => {
      event.preventDefault()
      installOffer.value = event as InstallOffer
    })
}

export function endWelcome() {
  kept.remove()
  isNewcomer.value = false
}
