import { useEffect, useRef, useState } from 'preact/hooks'
import type { FollowedThread, MessagePayload } from '#shared/domain/payloads.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { plainText } from '../../common/markup.ts'
import { UnreadBadge } from '../../common/UnreadBadge.tsx'
import { usePages } from '../../common/use-pages.ts'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { followedThreads, readThread } from '../../net/lazy-endpoints.ts'
import { current } from '../../store/channels.ts'
import { nameOf } from '../../store/names.ts'
import { threadAddress } from '../../store/route.ts'
import { inbox, panel } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListEnd } from '../../ui/ListEnd.tsx'
import { openThread } from './open-threads.ts'
import { readAllThreads } from './read-all.ts'
import './ThreadsPanel.css'

/** ms after a change of the inbox before the list is requested again. */
const SETTLE = 1_000

/** The threads that the viewer follows, newest reply first. Opening the list marks nothing read. */
export function ThreadsPanel() {
  const [unreadOnly, setUnreadOnly] = useState(false)
  const box = useRef<HTMLElement>(null)
  const say = strings.threads
  // Its newest item changes with each reply.
  const newest = `${inbox.value.threads} ${inbox.value.items[0]?.id}`
  const { items, next, hasFailed, more, change, again } = usePages<FollowedThread>(
    [unreadOnly, newest],
    (cursor, signal) => followedThreads(unreadOnly, cursor, signal),
    { settle: SETTLE },
  )
  const isLoaded = items.length > 0
  useEffect(() => {
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector)
    ;(find('.result') ?? find('.icon-button'))?.focus()
  }, [isLoaded])
  const markRead = (one: FollowedThread) => {
    if (one.unread === 0) return
    change(item => item.id === one.id, { unread: 0 })
    readThread(one.id, one.last?.id).catch(tolerateFailure)
  }
  const markAllRead = async () => {
    items.forEach(markRead)
    if (typeof next === 'string' && !(await readAllThreads())) showToast(say.notAllRead, { icon: 'alert' })
    if (typeof next === 'string') again()
  }
  return (
    <aside class="panel" aria-label={say.list} data-region="panel" ref={box}>
      <div class="panel-head">
        <h2>{say.list}</h2>
        <IconButton
          icon="unread"
          label={say.onlyUnread}
          aria-pressed={unreadOnly}
          onClick={() => setUnreadOnly(!unreadOnly)}
        />
        <IconButton icon="checks" label={say.markAllRead} onClick={() => void markAllRead()} />
        <IconButton
          icon="x"
          label={say.closeList}
          onClick={() => {
            panel.value = undefined
          }}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys act on the links in it */}
      <div
        class="panel-results"
        onKeyDown={event => onListKey(event, id => items.filter(item => item.id === id).forEach(markRead))}
      >
        {items.map(item => (
          <ThreadItem key={item.id} item={item} />
        ))}
        {hasFailed ? (
          <div class="threads-failed">
            <p class="hint" role="status">
              {say.listFailed}
            </p>
            <button type="button" class="button" onClick={again}>
              {strings.tryAgain}
            </button>
          </div>
        ) : (
          typeof next === 'string' && <ListEnd key={items.length} more={() => void more()} />
        )}
        {items.length === 0 && next === null && (
          <div class="empty-state">
            <Icon name="message" size={24} />
            <p>{unreadOnly ? say.noneUnread : say.none}</p>
          </div>
        )}
      </div>
    </aside>
  )
}

/** Arrows move, E marks as read. */
function onListKey(event: KeyboardEvent, markRead: (id: number) => void) {
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.result')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
  if (event.key === 'e' && at >= 0) markRead(Number(rows[at]?.dataset['thread']))
  else if (step !== undefined) rows[Math.min(Math.max(at + step, 0), rows.length - 1)]?.focus()
  else return
  event.preventDefault()
}

function ThreadItem({ item }: { item: FollowedThread }) {
  const { id, channel, root, replies, last, last_ts, unread } = item
  const say = strings.threads
  return (
    <a
      class={`result thread-item${unread > 0 ? ' is-unread' : ''}`}
      href={threadAddress(channel, id)}
      data-thread={id}
      onClick={event => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || current.peek()?.id !== channel) return
        event.preventDefault()
        openThread(channel, id)
      }}
    >
      <Avatar name={root?.sender ?? last?.sender ?? ''} size={24} />
      <div>
        <div class="result-head">
          {root && <PersonName name={root.sender} />}
          <span class="result-place">{say.in(nameOf(channel))}</span>
          <time title={strings.fullTime(last_ts)}>{say.time(last_ts)}</time>
        </div>
        <div class="result-text" dir="auto">
          {root ? textOf(root) : say.gone}
        </div>
        {last && (
          <div class="thread-item-last" dir="auto">
            <Avatar name={last.sender} size={16} />
            <PersonName name={last.sender} />
            <span>{textOf(last)}</span>
          </div>
        )}
        <div class="thread-item-count">
          {unread > 0 ? <UnreadBadge unread={unread} mentions={0} direct /> : say.replies(replies)}
        </div>
      </div>
    </a>
  )
}

function textOf({ content, deleted }: MessagePayload) {
  if (deleted === 1) return strings.threads.deleted
  return plainText(content ?? '') || strings.list.image
}
