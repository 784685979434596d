import type { Channel } from '../../../store/channels/channels.ts'
import { isRowItem, rowsOf, type ShownRow } from '../../../store/messages/items.ts'
import { viewer } from '../../../store/store.ts'

/** The loaded rows of a channel, those being sent included. */
export const rowsIn = (items: Channel['items']['value']) => items.filter(isRowItem).flatMap(rowsOf)

/** Excludes failed messages, which have buttons of their own. */
export const isOwnText = ({ row, pending }: ShownRow) =>
  row.sender === viewer && row.filename === null && row.deleted === 0 && pending?.state !== 'failed'

/**
 * The text before (`-1`) or after (`1`) the shown one among the texts that the viewer has sent here; empty after the
 * newest. Undefined if the shown text is none of them, or has none before it.
 */
export function recalled(channel: Channel, shown: string, step: -1 | 1): string | undefined {
  const texts = rowsIn(channel.items.peek())
    .filter(isOwnText)
    // Forms send line breaks as CR LF.
    .map(({ row }) => (row.content ?? '').replaceAll('\r\n', '\n'))
  const distinct = [...new Set(texts.reverse())].reverse()
  const at = shown === '' ? distinct.length : distinct.lastIndexOf(shown)
  if (at < 0 || (shown === '' && step === 1)) return undefined
  return at + step === distinct.length ? '' : distinct[at + step]
}

/** The newest message that can be replied to. */
export function lastMessage(channel: Channel): ShownRow | undefined {
  return channel.items
    .peek()
    .filter(item => item.kind === 'message')
    .flatMap(rowsOf)
    .findLast(({ row, pending }) => !pending && row.deleted === 0)
}
