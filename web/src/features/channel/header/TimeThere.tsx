import { useEffect, useState } from 'preact/hooks'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import { lateTimeIn } from '../../../common/time-there.ts'
import { strings } from '../../../i18n/i18n.ts'
import { personOf } from '../../../store/people/people.ts'

const MINUTE: Milliseconds = 60_000

/** In the header of a conversation of two: the clock of the other person outside of their office hours. */
export function TimeThere({ name }: { name: Username }) {
  const [, tick] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => tick(count => count + 1), MINUTE)
    return () => clearInterval(timer)
  }, [])
  const zone = personOf(name)?.timezone
  const time = zone && lateTimeIn(zone)
  if (!time) return null
  return (
    <span class="channel-header-state tabular-numbers" title={strings.profileCard.localTime(time, zone)}>
      {strings.profileCard.there(time)}
    </span>
  )
}
