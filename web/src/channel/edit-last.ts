import { effect } from '@preact/signals'
import { type Channel, current } from '../store/channels.ts'
import { isRowItem, rowsOf, type ShownRow } from '../store/items.ts'
import { viewer } from '../store/store.ts'
import { composerField } from './insert.ts'
import { edit } from './message-actions.tsx'

/**
 * What ArrowUp in an empty composer means: the newest of one's own texts. One that is still on its way is opened as soon as it has
 * arrived; never the one before it, which nobody means. Answers whether there is one.
 */
export function editLast(channel: Channel): boolean {
  const last = rowsIn(channel.items.peek()).findLast(isOwnText)
  if (last?.pending) editOnceThere(channel, last.key)
  else if (last) edit(last.row)
  return last !== undefined
}

/** Unless something else has been begun in the meantime. */
function editOnceThere(channel: Channel, key: string) {
  const stop = effect(() => {
    const found = rowsIn(channel.items.value).find(one => one.key === key)
    if (found?.pending && isOwnText(found)) return
    // Not from within: it has no name yet, and what follows changes what is looked at here.
    queueMicrotask(() => {
      stop()
      const field = composerField()
      const isWaiting = field?.value === '' && document.activeElement === field
      if (found && !found.pending && isWaiting && current.peek() === channel) edit(found.row)
    })
  })
}

const rowsIn = (items: Channel['items']['value']) => items.filter(isRowItem).flatMap(rowsOf)

/** What was not sent has buttons of its own. */
const isOwnText = ({ row, pending }: ShownRow) =>
  row.sender === viewer && row.filename === null && row.deleted === 0 && pending?.state !== 'failed'
