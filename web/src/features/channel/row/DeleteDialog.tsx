import { useState } from 'preact/hooks'
import { strings } from '../../../i18n/i18n.ts'
import { deleteMessage, moderate } from '../../../net/messages/message-mutations.ts'
import { displayed } from '../../../store/people/people.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { deleting } from '../deleting.ts'
import { canDelete } from '../message-actions.tsx'
import { MessageQuote } from './MessageQuote.tsx'

const LONGEST_REASON = 200

/** Asks before an own message is deleted, or one of somebody else is removed, which may have a reason. */
export function DeleteDialog() {
  const row = deleting.value
  const [reason, setReason] = useState('')
  if (!row) return null
  const isOwn = canDelete(row)
  const say = strings.deleting
  const close = () => {
    deleting.value = undefined
  }
  const run = () => {
    close()
    void (isOwn ? deleteMessage(row) : moderate(row, reason.trim()))
  }
  const title = isOwn ? say.title : say.removeTitle(displayed(row.sender))
  return (
    <Dialog label={title} onClose={close} narrow>
      <h2 class="dialog-title">{title}</h2>
      <p class="dialog-text">{isOwn ? say.more : say.removeMore}</p>
      <MessageQuote row={row} />
      {!isOwn && (
        <div class="field">
          <label for="removal-reason">{say.reason}</label>
          <div class="input">
            <input
              id="removal-reason"
              value={reason}
              maxLength={LONGEST_REASON}
              autocomplete="off"
              autofocus
              onInput={event => setReason(event.currentTarget.value)}
              onKeyDown={event => event.key === 'Enter' && !event.isComposing && run()}
            />
          </div>
        </div>
      )}
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button type="button" class="button button-danger" autofocus={isOwn} onClick={run}>
          {isOwn ? strings.delete : say.confirmRemoval}
        </button>
      </div>
    </Dialog>
  )
}
