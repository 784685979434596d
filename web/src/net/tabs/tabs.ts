/**
 * State shared among the tabs of a person in a browser: what each shows, and whether it is in use. Visible tabs send
 * heartbeats, for they may crash; hidden ones are throttled by browsers, and count for nothing once they are silent.
 */
import { computed, effect, signal } from '@preact/signals'
import type { PresenceState } from '#shared/domain/payloads/people.ts'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import { ownCallChannel } from '../../store/calls.ts'
import { current } from '../../store/channels/channels.ts'
import { isCovered, override, session, viewer } from '../../store/store.ts'
import { tabChannel } from './tab-channel.ts'
import { isFresh, type TabState } from './tab-state.ts'

const HEARTBEAT: Milliseconds = 3_000

type Message =
  | { what: 'here'; tab: string; state: TabState; asks: boolean }
  | { what: 'gone'; tab: string }
  | { what: 'override'; value: typeof override.value }
  | { what: 'chime' }

const id = crypto.getRandomValues(new Uint32Array(2)).join('')
const channel = tabChannel<Message>(`bothy tabs ${viewer}`)
const others = signal(new Map<string, { state: TabState; at: Milliseconds }>())

export const isFront = signal(isInFront())
const activity = signal<PresenceState>('active')
export const isTouched = signal(navigator.userActivation?.hasBeenActive ?? false)

const inView = computed(() => (isCovered.value ? undefined : current.value))

const own = computed<TabState>(() => ({
  presence: activity.value,
  front: isFront.value && session.value === 'open' ? (inView.value?.id ?? '') : undefined,
  inCall: ownCallChannel.value !== undefined,
  canSound: isTouched.value,
}))

/** This tab and all other live tabs. */
export const tabs = computed<TabState[]>(() => [
  own.value,
  ...[...others.value.values()].map(one => one.state),
])

/** Channels open in visible tabs; empty where none is open in them. */
export const inFront = computed<ReadonlySet<ChannelId>>(
  () => new Set(tabs.value.flatMap(one => (one.front === undefined ? [] : [one.front]))),
)

let onChime = () => {}

export function startTabs() {
  look()
  touched()
  for (const name of ['focus', 'blur', 'pageshow']) addEventListener(name, look)
  document.addEventListener('visibilitychange', look)
  for (const name of ['keydown', 'pointerdown', 'touchend'])
    addEventListener(name, touched, { capture: true })
  channel.listen(receive)
  addEventListener('pagehide', () => channel.post({ what: 'gone', tab: id }))
  addEventListener('pageshow', event => event.persisted && postState(true))
  effect(() => {
    void own.value
    postState(false)
  })
  postState(true)
  setInterval(() => {
    look()
    forgetTheSilent()
    const { front, presence, inCall } = own.peek()
    if (front !== undefined || presence !== 'hidden' || inCall) postState(false)
  }, HEARTBEAT)
  shareOverride()
}

export function setActivity(state: PresenceState) {
  activity.value = state
}

/** Played by the tab that may sound. */
export function askForChime() {
  onChime()
  channel.post({ what: 'chime' })
}

export function onChimeAsked(listener: () => void) {
  onChime = listener
}

function receive(message: Message) {
  switch (message.what) {
    case 'here': {
      others.value = new Map(others.peek()).set(message.tab, { state: message.state, at: Date.now() })
      if (message.asks) postState(false)
      return
    }
    case 'gone':
      return forget([message.tab])
    case 'override':
      override.value = message.value
      return
    case 'chime':
      return onChime()
  }
}

const postState = (asks: boolean) => channel.post({ what: 'here', tab: id, state: own.peek(), asks })

function forgetTheSilent() {
  const now = Date.now()
  forget([...others.peek()].filter(([, { state, at }]) => !isFresh(state, at, now)).map(([tab]) => tab))
}

function forget(gone: string[]) {
  if (!gone.some(tab => others.peek().has(tab))) return
  others.value = new Map([...others.peek()].filter(([tab]) => !gone.includes(tab)))
}

/** A status chosen in one tab is checked in the menus of all. */
function shareOverride() {
  let first = true
  effect(() => {
    const { value } = override
    if (!first) channel.post({ what: 'override', value })
    first = false
  })
}

function look() {
  isFront.value = isInFront()
}

function touched() {
  isTouched.value = navigator.userActivation?.hasBeenActive ?? true
}

function isInFront() {
  return !document.hidden && document.hasFocus()
}
