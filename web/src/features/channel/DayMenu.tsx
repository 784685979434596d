import { useId } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { showFrom } from '../../net/open-channel.ts'
import type { Channel } from '../../store/channels.ts'
import { dateIn, startOfDay } from '../../store/days.ts'
import { MenuItems } from '../../ui/Menu.tsx'
import './DayMenu.css'

export function DayMenu({ channel, close }: { channel: Channel; close: () => void }) {
  const id = useId()
  const to = (ts: number) => () => void showFrom(channel, ts)
  return (
    <>
      <MenuItems
        label={strings.days.label}
        close={close}
        items={[
          { label: strings.days.today, icon: 'calendar', run: to(startOfDay(0)) },
          { label: strings.days.yesterday, icon: 'calendar', run: to(startOfDay(1)) },
          { label: strings.days.lastWeek, icon: 'calendar', run: to(startOfDay(7)) },
          { label: strings.days.beginning, icon: 'chev-up', run: to(0) },
        ]}
      />
      <label class="day-menu-date" for={id}>
        <span>{strings.days.pick}</span>
        <input
          id={id}
          class="input"
          type="date"
          onChange={event => {
            const ts = dateIn(event.currentTarget.value)
            if (ts === undefined) return
            close()
            to(ts)()
          }}
        />
      </label>
    </>
  )
}
