import { Avatar, PersonName } from '../people/Avatar.tsx'
import { deleteMessage } from '../server/changes.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { words } from '../words.ts'
import { deleting } from './message-actions.tsx'
import { snippet } from './ReplyQuote.tsx'

export function DeleteDialog() {
  const row = deleting.value
  if (!row) return null
  const close = () => {
    deleting.value = undefined
  }
  return (
    <Dialog label={words.deleting.title} onClose={close} narrow>
      <h2 class="dlg-title">{words.deleting.title}</h2>
      <p class="dlg-more">{words.deleting.more}</p>
      <div class="dlg-quote">
        <Avatar name={row.sender} size={24} />
        <div>
          <PersonName name={row.sender} /> <span class="hint">{words.time(row.ts)}</span>
          <p>{snippet(row)}</p>
        </div>
      </div>
      <div class="dlg-foot">
        <button type="button" class="btn" onClick={close}>
          {words.cancel}
        </button>
        <button
          type="button"
          class="btn btn-danger"
          autofocus
          onClick={() => {
            close()
            void deleteMessage(row)
          }}
        >
          {words.delete}
        </button>
      </div>
    </Dialog>
  )
}
