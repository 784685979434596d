/**
 * Active, idle or hidden (ui.md 6.7). The leading tab reports the liveliest state of all tabs of this browser every
 * half minute, under an id of the browser: the next leader overwrites it, so a crashed tab does not count.
 */
import { effect } from '@preact/signals'
import type { PresenceState } from '#shared/domain/payloads/people.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { persisted } from '../../store/device/persisted.ts'
import { openedAt } from '../../store/first-screen.ts'
import { session, viewer } from '../../store/store.ts'
import { tolerateFailure } from '../requests/failure.ts'
import * as endpoints from '../requests/lazy-endpoints.ts'
import { leads } from '../tabs/leader.ts'
import { presenceOfAll } from '../tabs/tab-state.ts'
import { setActivity, startTabs, tabs } from '../tabs/tabs.ts'

const HEARTBEAT: Milliseconds = 30_000
const IDLE_AFTER: Milliseconds = 5 * 60_000
const LOOKED_EVERY: Milliseconds = 5_000
/** A page that is closed is hidden first: a report of that could arrive after the one of its end. */
const HIDES_AFTER: Milliseconds = 1_000

const INPUT = ['keydown', 'pointermove', 'pointerdown', 'wheel', 'touchstart']

const browser = nameOfBrowser()
let lastInput = openedAt

export function startPresence() {
  startTabs()
  for (const name of INPUT) addEventListener(name, onInput, { passive: true, capture: true })
  document.addEventListener('visibilitychange', onInput)
  addEventListener('pageshow', event => event.persisted && onInput())
  // Timers stop while a machine sleeps, the clock does not.
  setInterval(look, LOOKED_EVERY)
  look()
  const leading = leads('notify')
  const reportNow = () => leading.peek() && void reportLatest(presenceOfAll(tabs.peek()))
  effect(() => {
    const state = presenceOfAll(tabs.value)
    clearTimeout(hiding)
    if (!leading.value || state === latest) return
    if (state === 'hidden') hiding = setTimeout(() => void reportLatest(state), HIDES_AFTER)
    else void reportLatest(state)
  })
  setInterval(reportNow, HEARTBEAT)
  // The next leading tab corrects the state.
  addEventListener('pagehide', () => leading.peek() && reportOnLeave())
  addEventListener('pageshow', event => event.persisted && reportNow())
}

function onInput() {
  lastInput = Date.now()
  look()
}

function look() {
  setActivity(document.hidden ? 'hidden' : Date.now() - lastInput > IDLE_AFTER ? 'idle' : 'active')
}

let latest: PresenceState | undefined
let hiding: ReturnType<typeof setTimeout> | undefined
let isReporting = false

/** At most one report in flight, so that reports arrive in order. */
async function reportLatest(state: PresenceState) {
  latest = state
  if (isReporting) return
  isReporting = true
  for (let sent: PresenceState | undefined; sent !== latest && session.peek() !== 'ended'; ) {
    sent = latest
    await report(sent)
  }
  isReporting = false
}

function reportOnLeave() {
  clearTimeout(hiding)
  const others = tabs.peek().slice(1)
  if (session.peek() !== 'ended') void report(others.length > 0 ? presenceOfAll(others) : 'offline', true)
}

async function report(state: PresenceState, atTheEnd = false) {
  try {
    await endpoints.presence(state, browser, atTheEnd)
  } catch (error) {
    // The next report replaces a lost one.
    tolerateFailure(error)
  }
}

/** Without storage, each tab counts for itself. */
function nameOfBrowser(): string {
  const made = crypto.getRandomValues(new Uint32Array(2)).join('')
  const entry = persisted(`bothy browser ${viewer}`)
  const kept = entry.read()
  if (kept) return kept
  entry.write(made)
  return made
}
