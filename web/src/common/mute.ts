/** Durations of muting and their labels (ui.md 5.2, 5.9). */
import type { Milliseconds } from '#shared/domain/units.ts'
import { strings } from '../i18n/i18n.ts'
import { tomorrowMorning } from '../store/preferences/preference-values.ts'
import { prefer, preferred } from '../store/preferences/preferences.ts'

const HOUR = 3_600_000

export const muteFor = (length: Milliseconds) => prefer({ mutedUntil: Date.now() + length })
export const muteForAnHour = () => muteFor(HOUR)
export const muteUntilTomorrow = () => prefer({ mutedUntil: tomorrowMorning(new Date()) })
export const muteForever = () => prefer({ mutedUntil: 'forever' })
export const unmute = () => prefer({ mutedUntil: null })

/** "Muted until 15:00". Call only while muted. */
export function mutedLabel(): string {
  const until = preferred.mutedUntil.value
  if (typeof until !== 'number') return strings.mute.muted
  return strings.mute.mutedUntil(until / 1000)
}
