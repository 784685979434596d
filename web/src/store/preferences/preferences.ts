/**
 * Preferences of this person on this device (ui.md 5.9), shared by all tabs. Read with `preferred.showCards.value`,
 * which renders again only when that value changes; change with `prefer({ … })`. Values and defaults:
 * `preference-values.ts`. `i18n/i18n.ts` keeps the language.
 */
import { computed, effect, type ReadonlySignal, signal } from '@preact/signals'
import { hours, usualHours } from '../../i18n/formats.ts'
import { pageLanguage } from '../../i18n/i18n.ts'
import { persisted } from '../device/persisted.ts'
import { viewer } from '../store.ts'
import {
  DEFAULTS,
  isMutedAt,
  type Preferences,
  readPreferences,
  writtenPreferences,
} from './preference-values.ts'

/** `theme.js` reads the same key before the first paint. */
const entry = persisted(`bothy preferences ${viewer}`)

const preferences = signal<Preferences>(readPreferences(entry.read() ?? null))

export const preferred = Object.fromEntries(
  Object.keys(DEFAULTS).map(name => [name, computed(() => preferences.value[name as keyof Preferences])]),
) as { [K in keyof Preferences]: ReadonlySignal<Preferences[K]> }

/** A snapshot, for code that acts and does not render. */
export const choicesNow = () => preferences.peek()

export function prefer(change: Partial<Preferences>) {
  // Another tab may have changed another value. Without storage, this tab's own state counts.
  const kept = entry.read()
  show({ ...(kept ? readPreferences(kept) : preferences.peek()), ...change })
  entry.write(writtenPreferences(preferences.peek()))
}

entry.onChange(() => show(readPreferences(entry.read() ?? null)))
addEventListener('pageshow', event => {
  if (event.persisted) show(readPreferences(entry.read() ?? null))
})

/** `theme.js` applies theme, sizes and motion to the page, before the first paint and after a change. */
function show(next: Preferences) {
  preferences.value = next
  dispatchEvent(new CustomEvent('bothy-preferences', { detail: next }))
}

const mutedNow = signal(isMutedAt(preferences.peek().mutedUntil, Date.now()))
/** Muted: badges only, no sounds and no system notifications (ui.md 6.6). */
export const isMuted: ReadonlySignal<boolean> = mutedNow

/** Timers stop while a machine sleeps, so the clock is checked at intervals. */
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

const usual = usualHours(pageLanguage())
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
