/** Active, idle or hidden, told every half minute; and that one is typing. */
import type { PresenceState } from '#shared/rules/payloads.ts'
import type { ChannelId } from '#shared/rules/units.ts'
import * as endpoints from './endpoints.ts'

const HEARTBEAT = 30_000
const IDLE_AFTER = 5 * 60_000
const TYPING_EVERY = 3_000

const tab = Math.random().toString(36).slice(2, 12)
let lastInput = Date.now()
let told: PresenceState | undefined

export function startPresence() {
  for (const name of ['keydown', 'pointermove', 'pointerdown', 'wheel', 'touchstart']) {
    addEventListener(name, onInput, { passive: true, capture: true })
  }
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) lastInput = Date.now()
    tell()
  })
  addEventListener('pagehide', () => void endpoints.presence('hidden', tab, true).catch(ignoreFailure))
  addEventListener('pageshow', event => event.persisted && tell())
  setInterval(tell, HEARTBEAT)
  tell()
}

function onInput() {
  lastInput = Date.now()
  if (told === 'idle') tell()
}

function tell() {
  told = stateNow()
  endpoints.presence(told, tab).catch(ignoreFailure)
}

function stateNow(): PresenceState {
  if (document.hidden) return 'hidden'
  return Date.now() - lastInput > IDLE_AFTER ? 'idle' : 'active'
}

let lastTyping = { channel: '', at: 0 }

export function reportTyping(channel: ChannelId) {
  const now = Date.now()
  if (lastTyping.channel === channel && now - lastTyping.at < TYPING_EVERY) return
  lastTyping = { channel, at: now }
  endpoints.typing(channel).catch(ignoreFailure)
}

/** Sending ends typing on the server: what is typed next is news again. */
export function forgetTyping() {
  lastTyping = { channel: '', at: 0 }
}

/** A report that is lost is followed by another. */
function ignoreFailure(error: unknown) {
  if (!(error instanceof endpoints.Failure)) throw error
}
