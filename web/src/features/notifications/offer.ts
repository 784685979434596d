/** Offers desktop notifications once, after the first mention (ui.md 6.6). Never requests the permission unasked. */
import { effect, signal } from '@preact/signals'
import { strings } from '../../i18n/i18n.ts'
import { isFront } from '../../net/tabs.ts'
import { prefer } from '../../store/preferences.ts'
import { viewer } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import { permissionNow } from './desktop.ts'

const KEY = `bothy notifications offered ${viewer}`

const isDue = signal(false)

export function startOffering() {
  effect(() => {
    // In an unfocused tab the toast would disappear unseen.
    if (!isDue.value || !isFront.value || permissionNow() !== 'default' || wasMade()) return
    isDue.value = false
    noteMade()
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
function wasMade(): boolean {
  try {
    return localStorage.getItem(KEY) !== null
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    return true
  }
}

function noteMade() {
  try {
    localStorage.setItem(KEY, '1')
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}
