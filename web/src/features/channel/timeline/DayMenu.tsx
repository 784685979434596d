import { useEffect, useState } from 'preact/hooks'
import type { ChannelDaysPayload } from '#shared/domain/payloads/channels.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { isoDay, Month, midnight } from '../../../common/Month.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { showFrom } from '../../../net/channels/open-channel.ts'
import { tolerateFailure } from '../../../net/requests/failure.ts'
import { channelDays } from '../../../net/requests/lazy-endpoints.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { startOfDay } from '../../../store/time/days.ts'
import { MenuItems } from '../../../ui/Menu.tsx'
import './DayMenu.css'

export function DayMenu({ channel, close }: { channel: Channel; close: () => void }) {
  const [day, setDay] = useState(() => midnight(new Date()))
  const counts = useCounts(channel, isoDay(day).slice(0, 7))
  const countOn = (one: Date) =>
    counts && one.getMonth() === day.getMonth() ? (counts[one.getDate()] ?? 0) : undefined
  const to = (ts: number) => () => void showFrom(channel, ts)
  return (
    <>
      <MenuItems
        label={strings.days.label}
        close={close}
        items={[
          { label: strings.dayMenu.today, icon: 'calendar', run: to(startOfDay(0)) },
          { label: strings.dayMenu.yesterday, icon: 'calendar', run: to(startOfDay(1)) },
          { label: strings.dayMenu.lastWeek, icon: 'calendar', run: to(startOfDay(7)) },
          { label: strings.dayMenu.beginning, icon: 'chev-up', run: to(0) },
        ]}
      />
      <div class="day-menu-month" role="group" aria-label={strings.dayMenu.pick}>
        <Month
          day={day}
          move={setDay}
          choose={one => {
            close()
            to(one.getTime() / 1_000)()
          }}
          about={one => {
            const count = countOn(one)
            return count === undefined ? undefined : strings.dayMenu.messages(count)
          }}
          isQuiet={one => countOn(one) === 0}
        />
      </div>
    </>
  )
}

/** A month that is only passed with a held key is not read. */
const READ_AFTER: Milliseconds = 200

/** Messages by day of a month (`2026-03`); undefined until they are there. Without them every day can be chosen. */
function useCounts(channel: Channel, month: string): ChannelDaysPayload['days'] | undefined {
  const [counts, setCounts] = useState<{ month: string; days: ChannelDaysPayload['days'] } | undefined>()
  useEffect(() => {
    const over = new AbortController()
    const read = () =>
      channelDays(channel.id, month, over.signal)
        .then(({ days }) => over.signal.aborted || setCounts({ month, days }))
        .catch(tolerateFailure)
    const timer = setTimeout(read, READ_AFTER)
    return () => {
      clearTimeout(timer)
      over.abort()
    }
  }, [channel, month])
  return counts?.month === month ? counts.days : undefined
}
