import { PersonName } from '../../../common/Avatar.tsx'
import { OneLineOfRow } from '../../../common/OneLine.tsx'
import { strings } from '../../../i18n/i18n.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'

/** The message to which the composer replies. */
export function ReplyBar({ channel }: { channel: Channel }) {
  const id = channel.replyTo.value
  const row = id === undefined ? undefined : channel.findRow(id)
  if (!row) return null
  return (
    <div class="composer-context">
      <Icon name="reply" size={16} flip />
      <span>
        {strings.composer.replying} <PersonName name={row.sender} />
      </span>
      <span class="composer-context-text" dir="auto">
        <OneLineOfRow row={row} />
      </span>
      <IconButton
        icon="x"
        label={strings.composer.cancelReply}
        size={28}
        onClick={() => {
          channel.replyTo.value = undefined
        }}
      />
    </div>
  )
}
