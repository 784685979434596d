import type { MessagePayload, RepliesCount } from '#shared/domain/payloads.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { openReplies } from '../replies/open-replies.ts'
import './RepliesButton.css'

interface Props {
  channel: Channel
  row: MessagePayload
  replies: RepliesCount
}

/** The number of replies under a message; a press lists them. */
export function RepliesButton({ channel, row, replies }: Props) {
  return (
    <button
      type="button"
      class="replies-button"
      tabIndex={-1}
      aria-label={strings.replies.show(replies.count, replies.people)}
      onClick={() => openReplies(channel.id, row.id)}
    >
      <span class="avatar-pile" aria-hidden="true">
        {replies.people.map(name => (
          <Avatar key={name} name={name} size={16} />
        ))}
      </span>
      {strings.replies.count(replies.count)}
    </button>
  )
}
