/**
 * Of several tabs of one person in one browser, one does what should be done once. A duty is taken up by the first tab
 * that stands for it, and by the next one when that is closed, crashes or is signed out.
 */
import { effect, type ReadonlySignal, signal, untracked } from '@preact/signals'
import type { Milliseconds } from '#shared/rules/units.ts'
import { session, viewer } from '../store/store.ts'

/** `tell`: notifications, and the presence of all tabs. `sound`: only tabs that were touched, for others may not. */
export type Duty = 'tell' | 'sound'

const ASKED_EVERY: Milliseconds = 2_000
const ANSWERED_WITHIN: Milliseconds = 1_000

const duties = new Map<Duty, ReadonlySignal<boolean>>()

/** Whether this tab is the one for a duty. Asking for it is standing for it. */
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
      // A tab without a session hears nothing that it could tell.
      if (session.value === 'ended') return
      // Locks are given out over https and on this machine only; elsewhere the tabs agree among themselves.
      const stop = navigator.locks ? waitForLock(name, lead) : agree(name, lead)
      return () => {
        stop()
        lead(false)
      }
    }),
  )
  return leading
}

/** The browser frees a lock with the tab that holds it, however that ends. */
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
 * The tab that has been there longest leads. It is asked again and again whether it is there, rather than left to say so:
 * browsers slow the clocks of hidden tabs down to a tick a minute, but not their answers.
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
