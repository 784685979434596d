import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { Avatar, PersonName } from '../../../common/Avatar.tsx'
import { OneLineOfRow } from '../../../common/OneLine.tsx'
import { strings } from '../../../i18n/i18n.ts'

/** The message that a dialog or sheet is about, which the dialog may cover. */
export function MessageQuote({ row }: { row: MessagePayload }) {
  return (
    <div class="dialog-quote">
      <Avatar name={row.sender} size={24} />
      <div>
        <PersonName name={row.sender} /> <span class="hint">{strings.time(row.ts)}</span>
        <p>
          <OneLineOfRow row={row} />
        </p>
      </div>
    </div>
  )
}
