/** How high each row was when it was last in the page, so that the rows that are not leave as much room (ui.md 6.4). */
import { imageSizeOf } from '#shared/rules/uploads.ts'
import { boxOf } from '../cards/picture.ts'
import { type Item, isRowItem, rowsOf, type ShownRow } from '../store/items.ts'

/** The oldest go first. */
const MOST = 20_000
/** Margins, paddings and the name of a row that begins a group; what surrounds pictures. */
const HEAD = 36
const AROUND_PICTURES = 10
const TILES = 124
const LINE = 22
const LETTER = 7.2
const MARGIN = 60
const LINE_OF_ITS_OWN = 38

/** By the key of the row, in a list of this width and size of text. Channels that are opened again find theirs. */
const known = new Map<string, number>()

export function heightOf(item: Item, layout: string, width: number): number {
  return known.get(nameOf(item.key, layout)) ?? guess(item, width)
}

export function noteHeight(key: string, layout: string, height: number) {
  const name = nameOf(key, layout)
  if (known.size >= MOST && !known.has(name)) known.delete(known.keys().next().value!)
  known.set(name, height)
}

const nameOf = (key: string, layout: string) => `${layout} ${key}`

function guess(item: Item, width: number): number {
  if (!isRowItem(item)) return LINE_OF_ITS_OWN
  if (item.kind !== 'message') return LINE + HEAD
  const { row } = item.shown
  const across = Math.max(10, (width - MARGIN) / LETTER)
  const lines = (row.content ?? '')
    .split('\n')
    .reduce((sum, line) => sum + Math.ceil(line.length / across), 0)
  const above = (item.first ? HEAD : 4) + (row.reply_to_id === null ? 0 : LINE)
  const reactions = rowsOf(item).some(one => one.row.reactions) ? 30 : 0
  return above + lines * LINE + picturesOf(item.images) + reactions
}

function picturesOf(images: ShownRow[]): number {
  const first = images[0]?.row.filename
  if (!first) return 0
  return AROUND_PICTURES + (images.length === 1 ? boxOf(imageSizeOf(first)).height : TILES)
}
