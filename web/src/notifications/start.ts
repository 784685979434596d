/** What is fetched after the first screen: who is here, and everything that tells of what is new elsewhere. */
import { effect } from '@preact/signals'
import { leads } from '../server/leader.ts'
import { startPresence } from '../server/presence.ts'
import { isTouched, onChimeAsked } from '../server/tabs.ts'
import { preferred } from '../store/preferences.ts'
import { chime, unlock } from './chime.ts'
import { showMarks, showTitle } from './marks.ts'
import { startOffering } from './offer.ts'
import { startTelling } from './tell.ts'
import { startTellingCalls } from './tell-calls.ts'

/** Also without a server. */
export function startBeingHere() {
  showTitle()
  startPresence()
}

/** Once the lists are there as the server has them. */
export function startNotifications() {
  showMarks()
  startOffering()
  startTelling()
  startTellingCalls()
  sound()
}

/** Only a tab that was touched may sound, so only such a one stands for it. */
function sound() {
  effect(() => {
    if (!isTouched.value) return
    unlock()
    leads('sound')
  })
  onChimeAsked(() => {
    if (isTouched.peek() && leads('sound').peek())
      void chime(preferred.volume.peek(), preferred.speaker.peek())
  })
}
