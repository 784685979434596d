/** Loaded after the first screen: presence, title and accent, and all notifications. */
import { effect } from '@preact/signals'
import { chime, unlock } from '../../common/chime.ts'
import { startPresence } from '../../net/people/presence.ts'
import { leads } from '../../net/tabs/leader.ts'
import { isTouched, onChimeAsked } from '../../net/tabs/tabs.ts'
import { preferred } from '../../store/preferences/preferences.ts'
import { followAccent } from './accent.ts'
import { startNotifyingCalls } from './notify-calls.ts'
import { startNotifyingMessages } from './notify-messages.ts'
import { startNotifyingReminders } from './notify-reminders.ts'
import { startOffering } from './offer.ts'
import { showBadges, showTitle } from './title-and-badge.ts'

/** Also runs without a server. */
export function startBeingHere() {
  showTitle()
  followAccent()
  startPresence()
}

/** Call once the server's lists are loaded. */
export function startNotifications() {
  showBadges()
  startOffering()
  startNotifyingMessages()
  startNotifyingCalls()
  startNotifyingReminders()
  sound()
}

/** Browsers allow sound only after a user gesture, so only such tabs stand for election. */
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
