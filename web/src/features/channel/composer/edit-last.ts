import { effect } from '@preact/signals'
import { composerField } from '../../../common/composer-field.ts'
import { type Channel, current } from '../../../store/channels/channels.ts'
import { edit } from '../message-actions.tsx'
import { isOwnText, rowsIn } from './own-texts.ts'

/**
 * ArrowUp in an empty composer: edits the viewer's newest text. A text that is being sent opens once it is stored, never
 * the one before it. Returns false if there is none.
 */
export function editLast(channel: Channel): boolean {
  const last = rowsIn(channel.items.peek()).findLast(isOwnText)
  if (last?.pending) editOnceThere(channel, last.key)
  else if (last) edit(last.row)
  return last !== undefined
}

/** Opens the editor once the message is stored, unless the viewer has moved on. */
function editOnceThere(channel: Channel, key: string) {
  const stop = effect(() => {
    const found = rowsIn(channel.items.value).find(one => one.key === key)
    if (found?.pending && isOwnText(found)) return
    // Deferred: `stop` is not assigned yet on the first run, and the code below writes signals that this effect reads.
    queueMicrotask(() => {
      stop()
      const field = composerField()
      const isWaiting = field?.value === '' && document.activeElement === field
      if (found && !found.pending && isWaiting && current.peek() === channel) edit(found.row)
    })
  })
}
