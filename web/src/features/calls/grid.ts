/** Layout of the stage (ui.md 5.10). Pure. */
import type { Participant } from '#shared/domain/calls.ts'
import type { Username } from '#shared/domain/units.ts'

/** Tiles at most: beyond it the last one shows the number of the others. */
const MOST = 9
const MOST_ON_PHONE = 6

export interface Grid {
  columns: number
  rows: number
  /** Number of people shown; `more` counts the others. */
  shown: number
  more: number
  /** On a phone an odd tile spans the row above the pairs. */
  firstIsWide: boolean
}

export function gridOf(people: number, isPhone: boolean): Grid {
  const most = isPhone ? MOST_ON_PHONE : MOST
  const more = people > most ? people - (most - 1) : 0
  const cells = Math.max(1, Math.min(people, most))
  const shown = cells - (more > 0 ? 1 : 0)
  const columns = isPhone ? (cells <= 2 ? 1 : 2) : cells === 1 ? 1 : cells <= 4 ? 2 : 3
  const firstIsWide = isPhone && cells > 2 && cells % 2 === 1
  const rows = Math.ceil((cells + (firstIsWide ? 1 : 0)) / columns)
  return { columns, rows, shown, more, firstIsWide }
}

/**
 * The participants and invited people in the order of their first invitation, then the viewer: an answer moves no tile.
 */
export function stageOrder<One extends Pick<Participant, 'username' | 'state'>>(
  people: readonly One[],
  self: Username,
  isRinging: (one: One) => boolean,
): Username[] {
  const isShown = (one: One) => one.state === 'accepted' || (one.state === 'pending' && isRinging(one))
  const others = people.filter(one => one.username !== self && isShown(one))
  return [...others.map(({ username }) => username), self]
}

/**
 * The people shown when there is no room for everybody: the viewer and the last speakers. They keep their order, so
 * that tiles do not jump at every cough.
 */
export function onStage(
  people: readonly Username[],
  self: Username,
  room: number,
  spoke: ReadonlyMap<Username, number>,
): Username[] {
  if (people.length <= room) return [...people]
  const others = people.filter(name => name !== self)
  const place = new Map(others.map((name, at) => [name, at]))
  const heard = [...others].sort(
    (a, b) => (spoke.get(b) ?? 0) - (spoke.get(a) ?? 0) || place.get(a)! - place.get(b)!,
  )
  const chosen = new Set(heard.slice(0, Math.max(0, room - 1)))
  return people.filter(name => name === self || chosen.has(name))
}

const RATES: [people: number, kbps: number][] = [
  [2, 1_500],
  [4, 700],
  [9, 350],
]

/** Camera bitrate in bit/s. A camera is sent to each of the others, which share the uplink. */
export function cameraBitrate(people: number): number {
  return (RATES.find(([most]) => people <= most)?.[1] ?? 180) * 1_000
}
