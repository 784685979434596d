import type { RepliesCount } from '#shared/domain/payloads.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { openThread } from '../threads/open-threads.ts'
import './ThreadSummary.css'

interface Props {
  channel: Channel
  id: number
  replies: RepliesCount
}

/** The number of replies under the root of a thread and the time of the last one; a press opens the thread. */
export function ThreadSummary({ channel, id, replies }: Props) {
  const { count, people, last_ts } = replies
  return (
    <button
      type="button"
      class="thread-summary"
      tabIndex={-1}
      title={strings.replies.show(count, people)}
      onClick={() => openThread(channel.id, id)}
    >
      <span class="avatar-pile" aria-hidden="true">
        {people.map(name => (
          <Avatar key={name} name={name} size={16} />
        ))}
      </span>
      {strings.replies.count(count)} <span class="thread-summary-time">{strings.replies.last(last_ts)}</span>
    </button>
  )
}
