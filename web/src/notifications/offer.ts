/** Once, after the first mention: whether to be told of them outside of the tab (ui.md 6.6). Never unasked by the page itself. */
import { effect, signal } from '@preact/signals'
import { showToast } from '../feedback/feedback.ts'
import { isFront } from '../server/tabs.ts'
import { prefer } from '../store/preferences.ts'
import { viewer } from '../store/store.ts'
import { words } from '../words.ts'
import { permissionNow } from './desktop.ts'

const KEY = `bothy notifications offered ${viewer}`

const isDue = signal(false)

export function startOffering() {
  effect(() => {
    // On a tab that nobody looks at it would be gone before it was seen.
    if (!isDue.value || !isFront.value || permissionNow() !== 'default' || wasMade()) return
    isDue.value = false
    noteMade()
    const { offer, turnOn } = words.telling
    showToast(offer, { icon: 'bell', action: { label: turnOn, run: () => void ask() } })
  })
}

export function offerSoon() {
  isDue.value = true
}

async function ask() {
  const answer = await Notification.requestPermission()
  if (answer === 'granted') prefer({ desktop: true })
  showToast(answer === 'granted' ? words.telling.on : words.telling.notOn, {
    icon: answer === 'granted' ? 'bell' : 'bell-off',
  })
}

/** Where nothing can be kept it would come again and again. */
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
