/** Shortcuts during a call, and while one rings (ui.md 7). */

import { NoMedia } from '../../common/media-devices.ts'
import { incoming } from '../../store/calls.ts'
import type { Call } from './call.ts'
import { showDeviceTrouble } from './device-trouble.ts'
import { answer, decline } from './start-call.ts'
import { ongoing } from './state.ts'

const isModal = () => document.querySelector('dialog[open]') !== null

export function onCallKey(event: KeyboardEvent) {
  const call = ongoing.peek()
  const isOurs = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey
  if (!call || !isOurs || event.isComposing || isModal()) return
  const key = event.key.toLowerCase()
  if (key !== 'd' && key !== 'e') return
  event.preventDefault()
  event.stopPropagation()
  if (event.repeat) return
  if (key === 'd') toggleMicrophone(call)
  else toggleCamera(call)
}

/** Also in a dialog: it covers the card, which can then only be reached by key. */
export function onRingKey(event: KeyboardEvent) {
  const [first] = incoming.peek()
  if (!first || !event.altKey || event.ctrlKey || event.metaKey || event.repeat) return
  if (event.key !== 'Enter' && event.key !== 'Backspace') return
  event.preventDefault()
  event.stopPropagation()
  if (event.key === 'Enter') void answer(first, false)
  else void decline(first)
}

/** Asks for a microphone if there is none yet. */
export function toggleMicrophone(call: Call) {
  if (call.local.microphone.peek()) return call.local.toggleMuted()
  attempt(() => call.local.openMicrophone())
}

export function toggleCamera(call: Call) {
  if (call.local.camera.peek()) return call.local.closeCamera()
  attempt(() => call.local.openCamera())
}

export function attempt(open: () => Promise<unknown>) {
  open().catch(error => {
    if (!(error instanceof NoMedia)) throw error
    showDeviceTrouble(error, () => attempt(open))
  })
}
