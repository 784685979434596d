/** Offers desktop notifications once, after the first mention (ui.md 6.6). Never requests the permission unasked. */
import { effect, signal } from '@preact/signals'
import { strings } from '../../i18n/i18n.ts'
import { isFront } from '../../net/tabs/tabs.ts'
import { persisted } from '../../store/device/persisted.ts'
import { prefer } from '../../store/preferences/preferences.ts'
import { viewer } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import { permissionNow } from './desktop.ts'

const offered = persisted(`bothy notifications-offered ${viewer}`)

const isDue = signal(false)

export function startOffering() {
  effect(() => {
    // In an unfocused tab the toast would disappear unseen.
    if (!isDue.value || !isFront.value || permissionNow() !== 'default' || wasMade()) return
    isDue.value = false
    offered.write('1')
    const { offer, turnOn } = strings.telling
    showToast(offer, { icon: 'bell', action: { label: turnOn, run: () => void ask() } })
  })
}

export function offerSoon() {
  isDue.value = true
}

async function ask() {
  const answer = await Notification.requestPermission()
  if (answer === 'granted') prefer({ desktop: true })
  showToast(answer === 'granted' ? strings.telling.on : strings.telling.notOn, {
    icon: answer === 'granted' ? 'bell' : 'bell-off',
  })
}

/** True without storage, or the offer would be repeated forever. */
const wasMade = () => offered.read() !== null
