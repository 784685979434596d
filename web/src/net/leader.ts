/**
 * Leader election among the tabs of a person in a browser. The first tab that asks leads; the next one takes over when
 * it is closed, crashes or is signed out.
 */
import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import type { Milliseconds } from '#shared/domain/units.ts'
import { session, viewer } from '../store/store.ts'

/** `tell`: notifications, and the presence of all tabs. `sound`: only tabs with a user gesture, as browsers demand. */
export type Duty = 'tell' | 'sound'

const ASKED_EVERY: Milliseconds = 2_000
const ANSWERED_WITHIN: Milliseconds = 1_000

const duties = new Map<Duty, ReadonlySignal<boolean>>()

/** True while this tab leads. The first call also enters the election. */
export function leads(duty: Duty): ReadonlySignal<boolean> {
  const known = duties.get(duty)
  if (known) return known
  const leading = signal(false)
  duties.set(duty, leading)
  const name = `bothy ${duty} ${viewer}`
  const lead = (is: boolean) => {
    leading.value = is
  }
  untracked(() =>
    effect(() => {
      // A tab without a session receives nothing to report.
      if (session.value === 'ended') return
      // Web Locks need https or localhost; elsewhere the tabs elect by messages.
      const stop = navigator.locks ? waitForLock(name, lead) : agree(name, lead)
      return () => {
        stop()
        lead(false)
      }
    }),
  )
  return leading
}

/** The browser releases the lock when the tab ends, also after a crash. */
function waitForLock(name: string, lead: (is: boolean) => void): () => void {
  const waiting = new AbortController()
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  navigator.locks
    .request(name, { signal: waiting.signal }, () => {
      lead(true)
      return held
    })
    .catch(error => {
      if (!(error instanceof DOMException)) throw error
    })
  return () => {
    waiting.abort()
    release()
  }
}

interface Said {
  what: 'who?' | 'me' | 'gone'
  since: Milliseconds
  id: number
}

/**
 * The oldest tab leads. Others ping it instead of waiting for heartbeats: browsers throttle the timers of hidden tabs
 * to one a minute, but not their message handlers.
 */
function agree(name: string, lead: (is: boolean) => void): () => void {
  const own = { since: Date.now(), id: Math.random() }
  const channel = new BroadcastChannel(name)
  const say = (what: Said['what']) => channel.postMessage({ what, ...own } satisfies Said)
  let answered = false
  let patience: ReturnType<typeof setTimeout> | undefined
  const ask = () => {
    clearTimeout(patience)
    answered = false
    say('who?')
    patience = setTimeout(() => {
      if (!answered) lead(true)
    }, ANSWERED_WITHIN)
  }
  channel.addEventListener('message', ({ data }: MessageEvent<Said>) => {
    if (data.what === 'gone') return ask()
    if (isBefore(data, own)) {
      answered = true
      lead(false)
    } else if (data.what === 'who?') {
      say('me')
    }
  })
  const timer = setInterval(ask, ASKED_EVERY)
  const leave = () => say('gone')
  addEventListener('pagehide', leave)
  ask()
  return () => {
    leave()
    clearInterval(timer)
    clearTimeout(patience)
    removeEventListener('pagehide', leave)
    channel.close()
  }
}

const isBefore = (one: Said, other: { since: number; id: number }) =>
  one.since < other.since || (one.since === other.since && one.id < other.id)
