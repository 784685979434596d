import { strings } from '../../i18n/i18n.ts'
import { deleteMessage } from '../../net/message-mutations.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { MessageQuote } from './MessageQuote.tsx'
import { deleting } from './message-actions.tsx'

export function DeleteDialog() {
  const row = deleting.value
  if (!row) return null
  const close = () => {
    deleting.value = undefined
  }
  return (
    <Dialog label={strings.deleting.title} onClose={close} narrow>
      <h2 class="dialog-title">{strings.deleting.title}</h2>
      <p class="dialog-text">{strings.deleting.more}</p>
      <MessageQuote row={row} />
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button
          type="button"
          class="button button-danger"
          autofocus
          onClick={() => {
            close()
            void deleteMessage(row)
          }}
        >
          {strings.delete}
        </button>
      </div>
    </Dialog>
  )
}
