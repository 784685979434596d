/** The words of slash commands: durations, times and statuses. Pure but for the time zone of the device. */
import type { Milliseconds } from '#shared/domain/units.ts'

export interface Command {
  /** In lower case, without the slash. */
  name: string
  rest: string
}

/** The command of a text; undefined for text that begins with white space after the slash, and for `//`. */
export function commandIn(text: string): Command | undefined {
  const [, name, rest = ''] = /^\/([^\s/]\S*)(?:\s+([\s\S]*))?$/.exec(text.trimEnd()) ?? []
  return name === undefined ? undefined : { name: name.toLowerCase(), rest: rest.trim() }
}

const UNITS: Record<string, Milliseconds> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

/** `30m`, `1h`, `2d`; undefined for other text. */
export function durationOf(text: string): Milliseconds | undefined {
  const [, count, unit] = /^(\d{1,4})(m|h|d)(?:in|r|ays?)?$/i.exec(text.trim()) ?? []
  const length = count === undefined ? 0 : Number(count) * UNITS[unit!.toLowerCase()]!
  return length > 0 ? length : undefined
}

const CLOCK = /^(\d{1,2}):(\d{2})$/
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/
const MORNING = 9

/** The words for tomorrow in both languages. */
const TOMORROW = ['tomorrow', 'morgen']

/**
 * The time at the beginning of a text and what follows it: `20m`, `14:00` (today, else tomorrow), `tomorrow 9:00`,
 * `2026-03-01 14:00`. A day alone means nine o'clock.
 */
export function timeAtStart(text: string, now: Date): { at: Date; rest: string } | undefined {
  const [first = '', second = ''] = text.split(/\s+/)
  const after = (count: number) => text.replace(new RegExp(`^(?:\\S+\\s*){${count}}`), '')
  const length = durationOf(first)
  if (length !== undefined) return { at: new Date(now.getTime() + length), rest: after(1) }
  const clock = clockOf(first)
  if (clock) {
    const today = on(now, 0, clock)
    return { at: today > now ? today : on(now, 1, clock), rest: after(1) }
  }
  const day = TOMORROW.includes(first.toLowerCase()) ? on(now, 1, [0, 0]) : dayOf(first)
  if (!day) return undefined
  const hour = clockOf(second)
  return { at: on(day, 0, hour ?? [MORNING, 0]), rest: after(hour ? 2 : 1) }
}

function clockOf(text: string): [hours: number, minutes: number] | undefined {
  const [, hours = '24', minutes = '60'] = CLOCK.exec(text) ?? []
  return Number(hours) < 24 && Number(minutes) < 60 ? [Number(hours), Number(minutes)] : undefined
}

const on = (day: Date, later: number, [hours, minutes]: [number, number]) =>
  new Date(day.getFullYear(), day.getMonth(), day.getDate() + later, hours, minutes)

/** Midnight of `2026-03-01`; undefined for other text and for days that no month has. */
export function dayOf(text: string): Date | undefined {
  const [, year, month, day] = (DAY.exec(text.trim()) ?? []).map(Number)
  if (year === undefined || month === undefined || day === undefined || year < 1970) return undefined
  const date = new Date(year, month - 1, day)
  return date.getMonth() === month - 1 && date.getDate() === day ? date : undefined
}

const EMOJI_FIRST = /^(\p{RGI_Emoji})\s*/v
const NAME_FIRST = /^:([\p{L}\p{N}+][\p{L}\p{N}_+-]*):\s*/u

/** A leading emoji or `:name:`, and the text after it. */
export function statusOf(text: string): { emoji?: string; name?: string; text: string } {
  const emoji = EMOJI_FIRST.exec(text)
  if (emoji) return { emoji: emoji[1]!, text: text.slice(emoji[0].length).trim() }
  const named = NAME_FIRST.exec(text)
  if (named) return { name: named[1]!, text: text.slice(named[0].length).trim() }
  return { text: text.trim() }
}
