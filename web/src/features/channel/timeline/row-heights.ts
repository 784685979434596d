/** Last measured height of each row, for the spacers in place of unmounted rows (ui.md 6.4). */
import { imageSizeOf } from '#shared/domain/uploads.ts'
import { type Item, isRowItem, rowsOf, type ShownRow } from '../../../store/messages/items.ts'
import { boxOf, isPicture } from '../cards/picture.ts'
import { linesShown } from '../row/long-texts.ts'

/** Rows per layout; the oldest are dropped. */
const MOST = 10_000
const MOST_LAYOUTS = 4
/** Estimates in px: margins, paddings and the name of a group's first row; the space around pictures. */
const HEAD = 36
const AROUND_PICTURES = 10
const TILES = 124
const FILE_CARD = 66
const LINE = 22
const LETTER = 7.2
const MARGIN = 60
const LINE_OF_ITS_OWN = 38

/** Heights by width and text size, then by row key. Reopened channels reuse them. */
const layouts = new Map<string, Map<string, number>>()

export function heightsIn(layout: string): Map<string, number> {
  // A new layout starts with the heights of the last one, which are nearer than estimates: too low a spacer could
  // bring the end of the list into view, and then no row can keep its place.
  const known = layouts.get(layout) ?? new Map([...layouts.values()].at(-1) ?? [])
  // Keeps the map in order of last use.
  layouts.delete(layout)
  layouts.set(layout, known)
  if (layouts.size > MOST_LAYOUTS) layouts.delete(layouts.keys().next().value!)
  return known
}

export function heightOf(item: Item, known: Map<string, number>, width: number): number {
  return known.get(item.key) ?? estimate(item, width)
}

export function noteHeight(key: string, known: Map<string, number>, height: number) {
  if (known.size >= MOST && !known.has(key)) known.delete(known.keys().next().value!)
  known.set(key, height)
}

function estimate(item: Item, width: number): number {
  if (!isRowItem(item)) return LINE_OF_ITS_OWN
  if (item.kind !== 'message') return LINE + HEAD
  const { row } = item.shown
  const across = Math.max(10, (width - MARGIN) / LETTER)
  const lines = (row.content ?? '')
    .split('\n')
    .reduce((sum, line) => sum + Math.ceil(line.length / across), 0)
  const above = (item.first ? HEAD : 4) + (row.reply_to_id === null || item.sameParent ? 0 : LINE)
  const reactions = rowsOf(item).some(one => one.row.reactions) ? 30 : 0
  return above + linesShown(lines) * LINE + picturesOf(item.images) + reactions
}

function picturesOf(images: ShownRow[]): number {
  const pictures = images.filter(one => isPicture(one.row))
  const first = pictures[0]?.row.filename
  const files = (images.length - pictures.length) * FILE_CARD
  if (!first) return files
  return files + AROUND_PICTURES + (pictures.length === 1 ? boxOf(imageSizeOf(first)).height : TILES)
}
