/**
 * Of several tabs of one person, one does what should be done once: ring, pop up a notification. A duty is taken up by
 * the first tab that asks for it, and by the next one when that is closed.
 */
import { type ReadonlySignal, signal } from '@preact/signals'
import type { Milliseconds } from '#shared/rules/units.ts'
import { viewer } from '../store/store.ts'

const TOLD_EVERY: Milliseconds = 1_000
const GONE_AFTER: Milliseconds = 3_500

const duties = new Map<string, ReadonlySignal<boolean>>()

/** Whether this tab is the one for a duty. Asking for it is standing for it. */
export function leads(duty: string): ReadonlySignal<boolean> {
  const known = duties.get(duty)
  if (known) return known
  const leading = signal(false)
  duties.set(duty, leading)
  const name = `bothy ${duty} ${viewer}`
  const lead = (is: boolean) => {
    leading.value = is
  }
  // Locks are given out over https and on this machine only; elsewhere the tabs agree among themselves.
  if (navigator.locks) void navigator.locks.request(name, () => holding(lead))
  else agree(name, lead)
  return leading
}

/** Held until the tab is gone. */
function holding(lead: (is: boolean) => void): Promise<never> {
  lead(true)
  return new Promise(() => {})
}

/** The tab that has been there longest leads; a tab that has said nothing for a while is gone. */
function agree(name: string, lead: (is: boolean) => void) {
  const own = { since: Date.now(), id: Math.random() }
  const heard = new Map<number, { since: number; at: number }>()
  const channel = new BroadcastChannel(name)
  channel.addEventListener('message', ({ data }: MessageEvent<typeof own>) => {
    heard.set(data.id, { since: data.since, at: Date.now() })
    decide()
  })
  const decide = () => {
    const before = [...heard].filter(
      ([id, tab]) =>
        Date.now() - tab.at < GONE_AFTER &&
        (tab.since < own.since || (tab.since === own.since && id < own.id)),
    )
    lead(before.length === 0)
  }
  const speak = () => channel.postMessage(own)
  speak()
  // Whoever is there already answers within a beat; until then nobody new leads.
  setTimeout(decide, 2 * TOLD_EVERY)
  setInterval(() => {
    speak()
    if (Date.now() - own.since > 2 * TOLD_EVERY) decide()
  }, TOLD_EVERY)
}
