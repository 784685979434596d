/**
 * What this person chose on this device (ui.md 5.9): kept per person, at once in all tabs.
 * Read one with `preferred.showCards.value`, which draws again only when that one changes; change with `prefer({ … })`.
 * The values and what they mean: `preference-values.ts`. The language is kept by `words.ts`.
 */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { hours, usualHours } from '../words/formats.ts'
import { preferredLanguage } from '../words.ts'
import {
  DEFAULTS,
  isMutedAt,
  type Preferences,
  readPreferences,
  writtenPreferences,
} from './preference-values.ts'
import { viewer } from './store.ts'

/** `theme.js` reads the same key before the first paint. */
const KEY = `bothy preferences ${viewer}`

const preferences = signal<Preferences>(readPreferences(stored()))

export const preferred = Object.fromEntries(
  Object.keys(DEFAULTS).map(name => [name, computed(() => preferences.value[name as keyof Preferences])]),
) as { [K in keyof Preferences]: ReadonlySignal<Preferences[K]> }

/** All of it as it stands, for what acts and does not draw. */
export const choicesNow = () => preferences.peek()

export function prefer(change: Partial<Preferences>) {
  // Another tab may have chosen something else a moment ago. Where nothing can be kept, this tab remembers.
  const kept = stored()
  show({ ...(kept === null ? preferences.peek() : readPreferences(kept)), ...change })
  try {
    localStorage.setItem(KEY, writtenPreferences(preferences.peek()))
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
  }
}

addEventListener('storage', event => {
  if (event.key === null || event.key === KEY) show(readPreferences(stored()))
})
addEventListener('pageshow', event => {
  if (event.persisted) show(readPreferences(stored()))
})

/** `theme.js` puts the theme, sizes and motion on the page, before the first paint and after a change. */
function show(next: Preferences) {
  preferences.value = next
  dispatchEvent(new CustomEvent('bothy-preferences', { detail: next }))
}

const mutedNow = signal(isMutedAt(preferences.peek().mutedUntil, Date.now()))
/** Muted: badges only, no sound and nothing of the system (ui.md 6.6). */
export const isMuted: ReadonlySignal<boolean> = mutedNow

/** A machine may sleep while a timer runs, so the clock is looked at again and again. */
const LOOK_AGAIN = 30_000

effect(() => {
  const until = preferred.mutedUntil.value
  mutedNow.value = isMutedAt(until, Date.now())
  if (typeof until !== 'number' || !mutedNow.peek()) return
  let timer: ReturnType<typeof setTimeout> | undefined
  const look = () => {
    mutedNow.value = isMutedAt(until, Date.now())
    if (mutedNow.peek()) timer = setTimeout(look, Math.min(LOOK_AGAIN, until - Date.now()))
  }
  look()
  return () => clearTimeout(timer)
})

const usual = usualHours(preferredLanguage())
effect(() => {
  const clock = preferred.clock.value
  hours.value = clock === 'system' ? usual : clock === '12' ? 'h12' : 'h23'
})

const systemIsStill = matchMedia('(prefers-reduced-motion: reduce)')
const still = signal(systemIsStill.matches)
systemIsStill.addEventListener('change', () => {
  still.value = systemIsStill.matches
})
export const reducedMotion = computed(() => still.value || preferred.motion.value === 'reduce')

function stored(): string | null {
  try {
    return localStorage.getItem(KEY)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    return null
  }
}
