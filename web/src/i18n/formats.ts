/** Numbers, plurals, lists and times as a language writes them. Pure but for the time zone of the machine. */
import { signal } from '@preact/signals'
import type { Seconds } from '#shared/domain/units.ts'

const DAY = 86_400_000

/** Whether an hour after noon is 13: chosen on this device (store/preferences/preferences.ts). Texts that show a time subscribe to it. */
export const hours = signal<'h23' | 'h12'>('h23')

/**
 * The clock that a language goes by: as the machine has it or as the browser speaks it (`en-US`, `de-AT`), if that is the
 * language; else as the language is written. A machine set to English does not make German say "12:08 PM".
 */
export function usualHours(
  language: string,
  machine = new Intl.DateTimeFormat(undefined, { hour: 'numeric' }).resolvedOptions(),
  spoken: readonly string[] = globalThis.navigator?.languages ?? [],
): 'h23' | 'h12' {
  const isIt = (tag: string) => tag.split('-')[0] === language
  const twelve = isIt(machine.locale)
    ? machine.hour12
    : new Intl.DateTimeFormat(spoken.find(isIt) ?? LOCALES[language] ?? language, {
        hour: 'numeric',
      }).resolvedOptions().hour12
  return twelve ? 'h12' : 'h23'
}

/** As the dates are written. */
const LOCALES: Record<string, string> = { en: 'en-GB', de: 'de-DE' }

export interface Formats {
  /** 1 message, 1,200 messages. */
  counted: (count: number, one: string, other: string) => string
  number: (value: number) => string
  list: (names: string[]) => string
  /** 09:31, or 9:31 am */
  time: (ts: Seconds) => string
  /** Today, Yesterday, Tuesday 18 November, with the year when it is not this one. */
  date: (ts: Seconds, now?: Date) => string
  /** 09:31, yesterday, Monday, 18 Nov: after "since". */
  since: (ts: Seconds, now?: Date) => string
  /** Tuesday, 18 November 2025, 09:31:07: for tooltips. */
  fullTime: (ts: Seconds) => string
  shortDay: (date: Date) => string
  /** 3 Nov 2025 */
  shortDayOfYear: (date: Date) => string
  /** November 2026 */
  month: (date: Date) => string
  /** Mo */
  weekday: (date: Date) => string
  /** 31 MB, 4.5 MB, 12 KB: of 1,024. */
  size: (bytes: number) => string
}

export function formats(locale: string, days: { today: string; yesterday: string }): Formats {
  // Each costs milliseconds to make, and the first screen needs few of them.
  const plural = once(() => new Intl.PluralRules(locale))
  const clocks = {
    h23: once(
      () => new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    ),
    h12: once(
      () => new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', hourCycle: 'h12' }),
    ),
  }
  const parts = { weekday: 'long', day: 'numeric', month: 'long' } as const
  const day = once(() => new Intl.DateTimeFormat(locale, parts))
  const dayOfYear = once(() => new Intl.DateTimeFormat(locale, { ...parts, year: 'numeric' }))
  const shortDay = once(() => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short' }))
  const shortDayOfYear = once(
    () => new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', year: 'numeric' }),
  )
  const month = once(() => new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric' }))
  const weekday = once(() => new Intl.DateTimeFormat(locale, { weekday: 'short' }))
  const longWeekday = once(() => new Intl.DateTimeFormat(locale, { weekday: 'long' }))
  const seconds = {
    h23: once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h23' })),
    h12: once(() => new Intl.DateTimeFormat(locale, { timeStyle: 'medium', hourCycle: 'h12' })),
  }
  const number = once(() => new Intl.NumberFormat(locale))
  const list = once(() => new Intl.ListFormat(locale, { type: 'conjunction' }))

  return {
    counted: (count, one, other) =>
      `${number().format(count)} ${plural().select(count) === 'one' ? one : other}`,
    number: value => number().format(value),
    list: names => list().format(names),
    time: ts => clocks[hours.value]().format(ts * 1000),
    date(ts, now = new Date()) {
      const then = new Date(ts * 1000)
      const ago = Math.round((midnight(now) - midnight(then)) / DAY)
      if (ago === 0) return days.today
      if (ago === 1) return days.yesterday
      return (then.getFullYear() === now.getFullYear() ? day : dayOfYear)().format(then)
    },
    since(ts, now = new Date()) {
      const then = new Date(ts * 1000)
      const ago = Math.round((midnight(now) - midnight(then)) / DAY)
      if (ago === 0) return clocks[hours.value]().format(then)
      if (ago === 1) return days.yesterday.toLowerCase()
      return (ago < 7 ? longWeekday : shortDay)().format(then)
    },
    fullTime: ts => `${dayOfYear().format(ts * 1000)}, ${seconds[hours.value]().format(ts * 1000)}`,
    shortDay: date => shortDay().format(date),
    shortDayOfYear: date => shortDayOfYear().format(date),
    month: date => month().format(date),
    weekday: date => weekday().format(date).slice(0, 2),
    size(bytes) {
      const megabytes = bytes / (1024 * 1024)
      if (megabytes < 1) return `${number().format(Math.max(1, Math.round(bytes / 1024)))} KB`
      return `${number().format(megabytes < 10 ? Number(megabytes.toFixed(1)) : Math.round(megabytes))} MB`
    },
  }
}

/** 41 s, 2 min 08 s, 1 h 05 min */
export function duration(seconds: Seconds): string {
  const whole = Math.max(1, Math.ceil(seconds))
  const two = (value: number) => String(value).padStart(2, '0')
  if (whole < 60) return `${whole} s`
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`
}

/** 09:31; Yesterday, 09:31; Monday; 18 Nov; 18 Nov 2025: the time at the end of a row, in the formats of a language. */
export const listedIn =
  ({ time, date, since, shortDayOfYear }: Formats) =>
  (ts: Seconds, now = new Date()): string => {
    const isOn = (day: Date) => new Date(ts * 1000).toDateString() === day.toDateString()
    if (isOn(now)) return time(ts)
    const yesterday = new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1)
    if (isOn(yesterday)) return `${date(ts, now)}, ${time(ts)}`
    const then = new Date(ts * 1000)
    const isOfYear = then.getFullYear() === now.getFullYear() || now.getTime() - ts * 1000 < 6 * DAY
    return isOfYear ? since(ts, now) : shortDayOfYear(then)
  }

function once<T>(make: () => T): () => T {
  let made: T | undefined
  return () => {
    made ??= make()
    return made
  }
}

const midnight = (of: Date) => new Date(of.getFullYear(), of.getMonth(), of.getDate()).getTime()
