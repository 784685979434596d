import { useState } from 'preact/hooks'
import { FormDialog } from '../../../common/FormDialog.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { deleteMessage, moderate } from '../../../net/messages/message-mutations.ts'
import { displayed } from '../../../store/people/people.ts'
import { Field } from '../../../ui/Field.tsx'
import { deleting } from '../deleting.ts'
import { canDelete } from '../message-actions.tsx'
import { MessageQuote } from './MessageQuote.tsx'

const LONGEST_REASON = 200

const close = () => {
  deleting.value = undefined
}

/** Asks before an own message is deleted, or one of somebody else is removed, which may have a reason. */
export function DeleteDialog() {
  const row = deleting.value
  const [reason, setReason] = useState('')
  if (!row) return null
  const isOwn = canDelete(row)
  const texts = strings.deleting
  const run = () => {
    close()
    void (isOwn ? deleteMessage(row) : moderate(row, reason.trim()))
  }
  return (
    <FormDialog
      title={isOwn ? texts.title : texts.removeTitle(displayed(row.sender))}
      close={close}
      form={run}
      label={isOwn ? strings.delete : texts.confirmRemoval}
      danger
      narrow
      ready={isOwn}
    >
      <p class="dialog-text">{isOwn ? texts.more : texts.removeMore}</p>
      <MessageQuote row={row} />
      {!isOwn && (
        <Field name="reason" label={texts.reason} value={reason} maxLength={LONGEST_REASON} set={setReason} />
      )}
    </FormDialog>
  )
}
