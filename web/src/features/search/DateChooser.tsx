import { useState } from 'preact/hooks'
import { filterToken } from '#shared/domain/search-query.ts'
import { isoDay, Month, midnight } from '../../common/Month.tsx'
import { strings } from '../../i18n/i18n.ts'
import { chipText } from './chip-text.ts'

interface Props {
  choose: (chip: string) => void
}

/** The usual spans of time, and a calendar for others. */
export function DateChooser({ choose }: Props) {
  const [isPicking, setPicking] = useState(false)
  if (isPicking) return <Calendar choose={choose} />
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the buttons in it
    <div class="search-dates" onKeyDown={onArrow}>
      {quickDates(new Date()).map(chip => (
        <button key={chip} type="button" class="option" onClick={() => choose(chip)}>
          {chipText(chip)}
        </button>
      ))}
      <button type="button" class="option" onClick={() => setPicking(true)}>
        {strings.search.pickDay}
      </button>
    </div>
  )
}

export const quickDates = (now: Date) => [
  filterToken('on', 'today'),
  filterToken('on', 'yesterday'),
  filterToken('after', '7d'),
  filterToken('on', isoDay(now).slice(0, 7)),
]

function onArrow(event: KeyboardEvent) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const buttons = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('button')]
  const at = buttons.indexOf(document.activeElement as HTMLElement)
  buttons[(at + (event.key === 'ArrowDown' ? 1 : -1) + buttons.length) % buttons.length]?.focus()
}

const WHEN = ['on', 'after', 'before'] as const
type When = (typeof WHEN)[number]

/** Days before, on or after which to search. */
function Calendar({ choose }: Props) {
  const [when, setWhen] = useState<When>('on')
  const [day, setDay] = useState(() => midnight(new Date()))
  const { search } = strings
  return (
    <div class="search-calendar">
      <div class="search-calendar-when" role="group" aria-label={search.when}>
        {WHEN.map(one => (
          <button
            key={one}
            type="button"
            class="button"
            aria-pressed={when === one}
            onClick={() => setWhen(one)}
          >
            {search.whenNames[one]}
          </button>
        ))}
      </div>
      <Month
        day={day}
        move={setDay}
        choose={chosen => choose(filterToken(when, isoDay(chosen)))}
        takesFocus
      />
    </div>
  )
}
