import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { FollowedThread } from '#shared/domain/payloads/threads.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { OneLineOfRow } from '../../common/OneLine.tsx'
import { placeWords } from '../../common/place-words.ts'
import { UnreadBadge } from '../../common/UnreadBadge.tsx'
import { strings } from '../../i18n/i18n.ts'
import { threadAddress } from '../../store/route.ts'
import { shownMentions } from '../../store/sidebar/channel-choices.ts'
import { besideThread, openBeside } from './open-threads.ts'
import { unreadOf } from './read-all.ts'

/** A thread of the list: its root, its newest reply, and what is new of it. */
export function ThreadItem({ item }: { item: FollowedThread }) {
  const { id, channel, root, replies, last } = item
  // An older server does not send them: the newest reply alone.
  const named = item.mentioned ?? (last ? [last.id] : [])
  const texts = strings.threads
  const unread = unreadOf(item)
  const isOpen = besideThread.value?.id === id
  const ts = last?.ts ?? item.last_ts
  return (
    <a
      class={`thread-item${unread > 0 ? ' is-unread' : ''}${isOpen ? ' is-open' : ''}`}
      href={threadAddress(channel, id)}
      data-thread={id}
      data-channel={channel}
      aria-current={isOpen ? 'true' : undefined}
      aria-keyshortcuts="E F ArrowRight"
      onClick={event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        openBeside(channel, id)
      }}
    >
      <Avatar name={root?.sender ?? last?.sender ?? ''} size={28} />
      <div>
        <div class="thread-item-head">
          {root && <PersonName name={root.sender} />}
          <span class="thread-item-place">{placeWords(channel)}</span>
        </div>
        <div class="thread-item-text" dir="auto">
          {root ? <ShownText row={root} /> : texts.gone}
        </div>
        {last && (
          <div class="thread-item-last" dir="auto">
            <Avatar name={last.sender} size={20} />
            <PersonName name={last.sender} />
            <span>
              <ShownText row={last} />
            </span>
          </div>
        )}
      </div>
      <div class="thread-item-end">
        <time title={strings.fullTime(ts)}>{texts.time(ts)}</time>
        {unread > 0 ? (
          <UnreadBadge
            unread={unread}
            mentions={shownMentions.value.filter(mention => named.includes(mention.id)).length}
            direct
          />
        ) : (
          texts.replies(replies)
        )}
      </div>
    </a>
  )
}

const ShownText = ({ row }: { row: MessagePayload }) =>
  row.deleted === 1 ? <>{strings.threads.deleted}</> : <OneLineOfRow row={row} />
