/** How high each row was when it was last in the page, so that the rows that are not leave as much room (ui.md 6.4). */
import { type Item, isRowItem, rowsOf } from '../store/items.ts'

/** The oldest go first. */
const MOST = 20_000
const HEAD = 34
const PICTURE = 220
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
  return above + lines * LINE + (item.images.length > 0 ? PICTURE : 0) + reactions
}
