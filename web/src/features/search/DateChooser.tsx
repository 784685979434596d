import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { filterToken } from '#shared/domain/search-query.ts'
import { strings } from '../../i18n/i18n.ts'
import { IconButton } from '../../ui/IconButton.tsx'
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

/** For the whole date, without Today and Yesterday. */
const ANOTHER_YEAR = new Date(0)

const WHEN = ['on', 'after', 'before'] as const
type When = (typeof WHEN)[number]

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

/** A month of days; weeks begin on Monday. Tab reaches the chosen day, the arrows move to the others. */
function Calendar({ choose }: Props) {
  const [when, setWhen] = useState<When>('on')
  const [day, setDay] = useState(() => midnight(new Date()))
  const days = useRef<HTMLDivElement>(null)
  const isByKey = useRef(true)
  // Before the next key: Enter must press the day that the arrow has reached.
  useLayoutEffect(() => {
    if (isByKey.current) days.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    isByKey.current = false
  }, [day])
  const onKeyDown = (event: KeyboardEvent) => {
    const next =
      event.key in STEPS
        ? plusDays(day, STEPS[event.key]!)
        : event.key === 'PageUp' || event.key === 'PageDown'
          ? plusMonths(day, event.key === 'PageUp' ? -1 : 1)
          : undefined
    if (!next) return
    event.preventDefault()
    isByKey.current = true
    setDay(next)
  }
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
      <div class="search-calendar-month">
        <IconButton
          icon="chev-left"
          flip
          label={search.monthBefore}
          size={28}
          onClick={() => setDay(plusMonths(day, -1))}
        />
        <b aria-live="polite">{search.monthOf(day)}</b>
        <IconButton
          icon="chev-right"
          flip
          label={search.monthAfter}
          size={28}
          onClick={() => setDay(plusMonths(day, 1))}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the buttons in it */}
      <div class="search-calendar-days" ref={days} onKeyDown={onKeyDown}>
        {weekOf(new Date(2024, 0, 1)).map(one => (
          <span key={one.getDay()} aria-hidden="true">
            {search.weekday(one)}
          </span>
        ))}
        {monthOf(day).map(one => (
          <button
            key={isoDay(one)}
            type="button"
            tabIndex={isoDay(one) === isoDay(day) ? 0 : -1}
            class={one.getMonth() === day.getMonth() ? undefined : 'is-outside'}
            aria-label={strings.date(one.getTime() / 1000, ANOTHER_YEAR)}
            aria-current={isoDay(one) === isoDay(new Date()) ? 'date' : undefined}
            onClick={() => choose(filterToken(when, isoDay(one)))}
          >
            {one.getDate()}
          </button>
        ))}
      </div>
    </div>
  )
}

const midnight = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate())

const plusDays = (day: Date, count: number) =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + count)

/** The same day of another month, or its last one. */
function plusMonths(day: Date, count: number): Date {
  const last = new Date(day.getFullYear(), day.getMonth() + count + 1, 0)
  return new Date(last.getFullYear(), last.getMonth(), Math.min(day.getDate(), last.getDate()))
}

const weekOf = (monday: Date) => Array.from({ length: 7 }, (_, at) => plusDays(monday, at))

/** Whole weeks around a month. */
function monthOf(day: Date): Date[] {
  const first = new Date(day.getFullYear(), day.getMonth(), 1)
  const monday = plusDays(first, -((first.getDay() + 6) % 7))
  const length = new Date(day.getFullYear(), day.getMonth() + 1, 0).getDate()
  const weeks = Math.ceil((((first.getDay() + 6) % 7) + length) / 7)
  return Array.from({ length: weeks }, (_, week) => weekOf(plusDays(monday, 7 * week))).flat()
}

export function isoDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
