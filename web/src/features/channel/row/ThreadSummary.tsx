import type { RepliesCount } from '#shared/domain/payloads/messages.ts'
import { Avatar } from '../../../common/Avatar.tsx'
import { strings } from '../../../i18n/i18n.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { openThread } from '../../threads/open-threads.ts'
import './ThreadSummary.css'

interface Props {
  channel: Channel
  id: number
  replies: RepliesCount
  /** New ones among them. */
  fresh: number
}

/** The number of replies under the root of a thread, of new ones, and the time of the last; a press opens the thread. */
export function ThreadSummary({ channel, id, replies, fresh }: Props) {
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
          <Avatar key={name} name={name} size={20} />
        ))}
      </span>
      <span class="thread-summary-count">{strings.replies.count(count)}</span>{' '}
      {fresh > 0 && <span class="thread-summary-new">{strings.replies.fresh(Math.min(fresh, count))}</span>}{' '}
      <span>{strings.replies.last(last_ts)}</span>
      <Icon name="chev-right" size={14} flip />
    </button>
  )
}
