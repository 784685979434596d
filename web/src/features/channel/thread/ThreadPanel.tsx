import type { RefObject } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { strings } from '../../../i18n/i18n.ts'
import { type Channel, channelOf, current, shownRow } from '../../../store/channels/channels.ts'
import { nameOf } from '../../../store/channels/names.ts'
import {
  type Item,
  isRowItem,
  itemsOf,
  type RowItem,
  rowsOf,
  type ShownRow,
} from '../../../store/messages/items.ts'
import { isPage, isPhone, viewer } from '../../../store/store.ts'
import { placeIn, repliesOfOthers, type Thread } from '../../../store/threads/thread-rows.ts'
import { threadDraft } from '../../../store/writing/drafts.ts'
import { besideThread, closeThread, openedThread } from '../../threads/open-threads.ts'
import { Composer } from '../composer/Composer.tsx'
import { DropTarget } from '../composer/DropTarget.tsx'
import { MessageRow } from '../row/MessageRow.tsx'
import type { RowProps } from '../row/row-props.ts'
import { ThreadHead } from './ThreadHead.tsx'
import { onThreadKey, showMenuOf } from './thread-keys.ts'
import { useShownReply } from './use-shown-reply.ts'
import { useThread } from './use-thread.ts'
import { withoutQuote } from './without-quote.ts'
import './ThreadPanel.css'

/** A thread of the open channel, with a composer of its own. */
export function ThreadPanel() {
  const of = openedThread.value
  const isOpen = of !== undefined && current.value?.id === of.channel
  const wasOpen = useRef(false)
  useEffect(() => {
    if (isOpen) wasOpen.current = true
    // Another channel was opened.
    else if (wasOpen.current || !of) closeThread()
  }, [isOpen])
  return isOpen ? <OpenThread key={of.id} channel={channelOf(of.channel)} id={of.id} /> : null
}

function OpenThread({ channel, id }: { channel: Channel; id: number }) {
  const { thread, hasFailed, unreadAfter, load, older, follow, read } = useThread(channel, id)
  const heading = useRef<HTMLHeadingElement>(null)
  const say = strings.threads
  const place = nameOf(channel.id)
  const mayReply = channel.info.value?.may.includes('post') ?? true
  useEffect(() => {
    const { at, isBeside } = openedThread.peek() ?? {}
    // The page beside keeps the focus in its list, except on a phone, where the thread covers it.
    const isWanted = isBeside ? isPhone.peek() || at === 'heading' : !isPhone.peek() && at !== 'composer'
    if (isWanted) heading.current?.focus()
  }, [])
  return (
    <aside
      class="panel thread-panel"
      aria-label={say.label(place)}
      data-region={besideThread.value ? 'beside' : 'panel'}
      onKeyDown={event => onThreadKey(event, channel, thread, () => void follow(!thread?.following))}
    >
      <ThreadHead
        channel={channel}
        thread={thread}
        heading={heading}
        follow={following => void follow(following)}
      />
      {thread ? (
        <DropTarget place={mayReply ? threadDraft(thread.id, channel.id) : undefined} hint={say.drop}>
          <Rows
            channel={channel}
            thread={thread}
            unreadAfter={unreadAfter}
            older={older}
            newest={load}
            read={read}
          />
          {mayReply && <ThreadComposer channel={channel} thread={thread} name={place} />}
        </DropTarget>
      ) : (
        <div class="panel-results">
          {hasFailed && (
            <div class="thread-failed">
              <p class="hint" role="status">
                {say.failed}
              </p>
              <button type="button" class="button" onClick={() => void load()}>
                {strings.tryAgain}
              </button>
            </div>
          )}
        </div>
      )}
    </aside>
  )
}

function ThreadComposer({ channel, thread, name }: { channel: Channel; thread: Thread; name: string }) {
  const box = useRef<HTMLDivElement>(null)
  const isWanted = openedThread.value?.at === 'composer'
  useEffect(() => {
    if (isWanted) box.current?.querySelector('textarea')?.focus()
  }, [openedThread.value])
  return (
    <div class="thread-composer" ref={box}>
      <Composer channel={channel} thread={placeIn(thread)} autofocus={false} />
      <p class="hint">{strings.threads.inChannel(name)}</p>
    </div>
  )
}

interface Props {
  channel: Channel
  thread: Thread
  unreadAfter: number | undefined
  older: () => Promise<void>
  newest: () => Promise<void>
  read: () => void
}

/** Distance in px from the end within which the end counts as in view. */
const END_WITHIN = 40

const isAtEnd = (list: Pick<HTMLElement, 'scrollTop' | 'clientHeight' | 'scrollHeight'>) =>
  list.scrollHeight - list.scrollTop - list.clientHeight < END_WITHIN

/** Keeps the end in view while `atEnd`, whatever grows. */
function useKeepEnd(box: RefObject<HTMLElement | null>, atEnd: RefObject<boolean>) {
  const kept = useRef(0)
  useLayoutEffect(() => {
    const list = box.current!
    // The event of a scroll comes after it; meanwhile a row under the pointer may be rendered.
    if (list.scrollTop < kept.current && !isAtEnd(list)) atEnd.current = false
    if (atEnd.current) list.scrollTop = list.scrollHeight
    kept.current = list.scrollTop
  })
}

function Rows({ channel, thread, unreadAfter, older, newest, read }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const atEnd = useRef(true)
  const [active, setActive] = useState<string | undefined>(undefined)
  const [stop, setStop] = useState<string | undefined>(undefined)
  const replies = itemsOf(shownRows(channel, thread), viewer, unreadAfter)
  const root = thread.root && itemsOf([withUpdates(channel, thread.root)], viewer).find(isRowItem)
  const rows = [...(root ? [root] : []), ...replies.filter(isRowItem)]
  const last = rows.at(-1)
  const flash = useShownReply(box, atEnd, thread, older)
  const stopAt = rows.some(item => item.key === stop) ? stop : last?.key
  const propsOf = (item: RowItem) => ({
    channel,
    item,
    before: '',
    readers: undefined,
    replies: undefined,
    newReplies: 0,
    isOpened: false,
    memberCount: 0,
    hover: undefined,
    isActive: !isPhone.value && item.key === active,
    stop: item.key === stopAt,
    flash: rowsOf(item).some(one => one.row.id === flash),
    editing: isEdited(channel, rowsOf(item)[0]!.row.id),
  })
  useKeepEnd(box, atEnd)
  useEffect(() => {
    const readEnd = () => {
      if (atEnd.current) read()
    }
    readEnd()
    document.addEventListener('visibilitychange', readEnd)
    return () => document.removeEventListener('visibilitychange', readEnd)
  }, [last?.key])
  const keyAt = (event: Event) => (event.target as Element).closest<HTMLElement>('article')?.dataset['key']
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: delegated listeners of the rows in it
    <div
      ref={box}
      class="thread-rows"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        atEnd.current = isAtEnd({ scrollTop, clientHeight, scrollHeight })
        if (atEnd.current) read()
      }}
      onPointerOver={event => event.pointerType === 'mouse' && setActive(keyAt(event))}
      onPointerLeave={() => setActive(undefined)}
      onFocusIn={event => {
        const key = keyAt(event)
        if (key === undefined) return
        setStop(key)
        setActive(key)
      }}
      onContextMenu={event => showMenuOf(event, channel, thread)}
    >
      {root ? (
        <MessageRow key={root.key} {...propsOf(root)} />
      ) : (
        <p class="hint thread-no-root">{strings.threads.noRoot}</p>
      )}
      <p class="thread-count">{strings.threads.replies(countOf(thread))}</p>
      {thread.more && (
        <button type="button" class="button thread-older" onClick={() => void older()}>
          {strings.threads.older}
        </button>
      )}
      {replies.length > 0 && (
        // A feed contains articles only.
        <div role="feed" aria-label={strings.threads.replies(countOf(thread))}>
          {replies.map(item => (
            <Line key={item.key} item={item} fresh={freshCount(thread, unreadAfter)} propsOf={propsOf} />
          ))}
        </div>
      )}
      {thread.isCut && (
        <button
          type="button"
          class="button thread-older"
          onClick={() => {
            atEnd.current = true
            void newest()
          }}
        >
          {strings.threads.newest}
        </button>
      )}
    </div>
  )
}

/** A row that the channel shows is edited there, unless a page covers it. */
const isEdited = (channel: Channel, id: number) =>
  channel.editing.value === id && (isPage.value || !channel.findRow(id))

interface LineProps {
  item: Item
  fresh: number
  propsOf: (item: RowItem) => RowProps
}

function Line({ item, fresh, propsOf }: LineProps) {
  if (isRowItem(item)) return <MessageRow {...propsOf(item)} />
  // Dates stand beside the times.
  if (item.kind === 'day') return null
  return <div class="new-messages-line">{strings.threads.fresh(fresh)}</div>
}

/** Stored replies with changes under way, then those that wait to be stored. */
function shownRows(channel: Channel, thread: Thread): ShownRow[] {
  const ids = new Set(thread.rows.map(row => row.id))
  const waiting = channel.pending.value
    .filter(one => one.replyTo === thread.id || ids.has(one.replyTo ?? 0))
    .filter(one => one.id === undefined || !ids.has(one.id))
  return [
    ...thread.rows.map(row => withUpdates(channel, withoutQuote(row, thread.id))),
    ...waiting.map(one => ({ key: one.key, row: withoutQuote(one.row, thread.id), pending: one })),
  ]
}

const withUpdates = (channel: Channel, row: Thread['rows'][number]) =>
  shownRow(row, channel.optimisticUpdates.value.get(row.id), undefined)

/** The server's number where the root has it: older replies may not be loaded. */
function countOf({ root, rows, more, isCut }: Thread): number {
  const loaded = rows.filter(row => row.deleted === 0 && row.extra?.part === undefined).length
  return more || isCut ? Math.max(loaded, root?.extra?.replies?.count ?? 0) : loaded
}

const freshCount = ({ rows }: Thread, after: number | undefined) =>
  repliesOfOthers(rows, viewer).filter(row => row.ts > (after ?? 0)).length
