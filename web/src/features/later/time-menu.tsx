import { useEffect, useRef, useState } from 'preact/hooks'
import type { Seconds } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { fieldValue, type OfferedTime } from '../../store/time/remind-times.ts'
import { type MenuItem, MenuItems } from '../../ui/Menu.tsx'
import { openPopover } from '../../ui/Popover.tsx'

/** Entries for these times, and one to pick another. */
export function timeItems(
  anchor: HTMLElement,
  times: OfferedTime[],
  pick: (ts: Seconds) => void,
): MenuItem[] {
  return [
    ...times.map(({ name, ts }) => ({
      label: strings.later.times[name],
      detail: strings.time(ts),
      run: () => pick(ts),
    })),
    {
      label: strings.later.pickTime,
      apart: true,
      run: () => openTimeField(anchor, times.at(-1)!.ts, pick),
    },
  ]
}

export function openTimeMenu(anchor: HTMLElement, label: string, items: MenuItem[]) {
  openPopover(anchor, label, close => <MenuItems close={close} items={items} heading={label} />, {
    role: 'menu',
  })
}

/** Asks for a day and a time. */
function openTimeField(anchor: HTMLElement, first: Seconds, pick: (ts: Seconds) => void) {
  // After the menu is closed.
  queueMicrotask(() =>
    openPopover(anchor, strings.later.pickTime, close => (
      <TimeField
        first={first}
        pick={ts => {
          close()
          pick(ts)
        }}
      />
    )),
  )
}

function TimeField({ first, pick }: { first: Seconds; pick: (ts: Seconds) => void }) {
  const [value, setValue] = useState(fieldValue(first))
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => field.current?.focus(), [])
  const ts = new Date(value).getTime() / 1000
  const isPast = !(ts > Date.now() / 1000 + 60)
  return (
    <form
      class="time-field"
      onSubmit={event => {
        event.preventDefault()
        if (!isPast) pick(ts)
      }}
    >
      <label class="field">
        <span class="label">{strings.later.dayAndTime}</span>
        <input
          ref={field}
          class="input"
          type="datetime-local"
          value={value}
          min={fieldValue(Date.now() / 1000 + 120)}
          onInput={event => setValue(event.currentTarget.value)}
        />
      </label>
      {isPast && <p class="error">{strings.later.past}</p>}
      <button type="submit" class="button button-primary" disabled={isPast}>
        {strings.later.choose}
      </button>
    </form>
  )
}
