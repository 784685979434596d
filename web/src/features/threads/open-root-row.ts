import { composerField } from '../../common/composer-field.ts'
import { isPhone } from '../../store/store.ts'
import { besideThread, closeThread, openedThread } from './open-threads.ts'

/** Closes the thread. Beside its channel a focus in it returns to the row of the root if that is in view. */
export function closeToRootRow() {
  const isBeside = besideThread.peek() !== undefined
  const wasInside = document.activeElement?.closest('.thread-panel')
  const row = document.querySelector<HTMLElement>(`#messages [data-message-id="${openedThread.peek()?.id}"]`)
  closeThread()
  if (wasInside && !isBeside && !isPhone.peek()) (row && isInView(row) ? row : composerField())?.focus()
}

/** Else the focus would scroll the list away from its end. */
function isInView(row: HTMLElement): boolean {
  const { top, bottom } = row.closest('#messages')!.getBoundingClientRect()
  const { y } = row.getBoundingClientRect()
  return y >= top && y < bottom
}
