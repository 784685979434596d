/** For how long it is quiet, and how that is said (ui.md 5.2, 5.9). */
import { tomorrowMorning } from '../store/preference-values.ts'
import { prefer, preferred } from '../store/preferences.ts'
import { words } from '../words.ts'

const HOUR = 3_600_000

export const muteForAnHour = () => prefer({ mutedUntil: Date.now() + HOUR })
export const muteUntilTomorrow = () => prefer({ mutedUntil: tomorrowMorning(new Date()) })
export const muteForever = () => prefer({ mutedUntil: 'forever' })
export const unmute = () => prefer({ mutedUntil: null })

/** Muted until 15:00. To be asked only while it is. */
export function mutedWords(): string {
  const until = preferred.mutedUntil.value
  if (typeof until !== 'number') return words.mute.muted
  return words.mute.mutedUntil(until / 1000)
}
