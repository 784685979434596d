/** A month of days; weeks begin on Monday. Tab reaches the chosen day, the arrows move to the others. */
import { useLayoutEffect, useRef } from 'preact/hooks'
import { strings } from '../i18n/i18n.ts'
import { IconButton } from '../ui/IconButton.tsx'
import './Month.css'

interface Props {
  day: Date
  move: (day: Date) => void
  choose: (day: Date) => void
  /** Says more of a day, such as a count. */
  about?: (day: Date) => string | undefined
  /** True for days that are drawn in grey; they can be chosen all the same. */
  isQuiet?: (day: Date) => boolean
  /** The chosen day takes the focus when the month appears. */
  takesFocus?: boolean
}

/** For the whole date, without Today and Yesterday. */
const ANOTHER_YEAR = new Date(0)

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }

export function Month({ day, move, choose, about, isQuiet, takesFocus = false }: Props) {
  const days = useRef<HTMLDivElement>(null)
  const isByKey = useRef(takesFocus)
  // Before the next key: Enter must press the day that the arrow has reached.
  useLayoutEffect(() => {
    if (isByKey.current) days.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
    isByKey.current = false
  }, [day])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    const onward = getComputedStyle(days.current!).direction === 'rtl' && Math.abs(step ?? 0) === 1 ? -1 : 1
    const next =
      step !== undefined
        ? plusDays(day, onward * step)
        : event.key === 'PageUp' || event.key === 'PageDown'
          ? plusMonths(day, event.key === 'PageUp' ? -1 : 1)
          : undefined
    if (!next) return
    event.preventDefault()
    event.stopPropagation()
    isByKey.current = true
    move(next)
  }
  const { search } = strings
  return (
    <div class="month">
      <div class="month-head">
        <IconButton
          icon="chev-left"
          flip
          label={search.monthBefore}
          size={28}
          onClick={() => move(plusMonths(day, -1))}
        />
        <b aria-live="polite">{search.monthOf(day)}</b>
        <IconButton
          icon="chev-right"
          flip
          label={search.monthAfter}
          size={28}
          onClick={() => move(plusMonths(day, 1))}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the buttons in it */}
      <div class="month-days" ref={days} onKeyDown={onKeyDown}>
        {weekOf(new Date(2024, 0, 1)).map(one => (
          <span key={one.getDay()} aria-hidden="true">
            {search.weekday(one)}
          </span>
        ))}
        {monthOf(day).map(one => {
          const isQuietOne = one.getMonth() !== day.getMonth() || isQuiet?.(one)
          const date = strings.date(one.getTime() / 1000, ANOTHER_YEAR)
          return (
            <button
              key={isoDay(one)}
              type="button"
              tabIndex={isoDay(one) === isoDay(day) ? 0 : -1}
              class={isQuietOne ? 'is-quiet' : undefined}
              aria-label={[date, about?.(one)].filter(Boolean).join(', ')}
              aria-current={isoDay(one) === isoDay(new Date()) ? 'date' : undefined}
              onClick={() => choose(one)}
            >
              {one.getDate()}
            </button>
          )
        })}
      </div>
    </div>
  )
}

export const midnight = (at: Date) => new Date(at.getFullYear(), at.getMonth(), at.getDate())

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
