import { useEffect, useRef, useState } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { Avatar, PersonName } from '../../common/Avatar.tsx'
import { plainText } from '../../common/markup.ts'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/failure.ts'
import { replies } from '../../net/lazy-endpoints.ts'
import { openChannel, showMessage } from '../../net/open-channel.ts'
import { channelOf, current } from '../../store/channels.ts'
import { hashOf } from '../../store/route.ts'
import { isPhone, panel } from '../../store/store.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { ListEnd } from '../../ui/ListEnd.tsx'
import { repliesOf } from './open-replies.ts'
import './RepliesPanel.css'

/** The replies to one message, oldest first. Each leads to its place in the channel. */
export function RepliesPanel() {
  const of = repliesOf.value
  return of ? <Replies key={of.id} {...of} /> : null
}

function Replies({ channel, id }: { channel: ChannelId; id: number }) {
  const { items, hasFailed, more, isAtEnd } = useReplies(channel, id)
  const parent = channelOf(channel).findRow(id)
  const box = useRef<HTMLElement>(null)
  const isLoaded = items.length > 0
  useEffect(() => {
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector)
    ;(find('.replies-list .result') ?? find('.icon-button'))?.focus()
  }, [isLoaded])
  return (
    <aside class="panel" aria-label={strings.replies.title} data-region="panel" ref={box}>
      <div class="panel-head">
        <h2>{strings.replies.title}</h2>
        <IconButton
          icon="x"
          label={strings.replies.close}
          onClick={() => {
            panel.value = undefined
          }}
        />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the arrows move between the links in it */}
      <div class="panel-results" onKeyDown={onArrow}>
        {parent && (
          <div class="replies-parent">
            <Line row={parent} />
          </div>
        )}
        <div class="replies-list">
          {items.map(row => (
            <Line key={row.id} row={row} />
          ))}
        </div>
        {hasFailed ? (
          <div class="replies-failed">
            <p class="hint" role="status">
              {strings.replies.failed}
            </p>
            <button type="button" class="button" onClick={() => void more()}>
              {strings.tryAgain}
            </button>
          </div>
        ) : (
          !isAtEnd && <ListEnd key={items.length} more={() => void more()} />
        )}
      </div>
    </aside>
  )
}

/** Loads pages on demand, and what was added after the last page when the count of replies changes. */
function useReplies(channel: ChannelId, id: number) {
  const [items, setItems] = useState<MessagePayload[]>([])
  const [isAtEnd, setAtEnd] = useState(false)
  const [hasFailed, setFailed] = useState(false)
  const isRequesting = useRef(false)
  const newest = channelOf(channel).replyCounts.value.get(id)?.last_id

  const more = async () => {
    if (isRequesting.current) return
    isRequesting.current = true
    setFailed(false)
    try {
      const last = items.at(-1)
      const page = await replies(id, last && String(last.ts))
      const known = new Set(items.map(row => row.id))
      setItems([...items, ...page.items.filter(row => !known.has(row.id))])
      setAtEnd(page.next === null)
    } catch (error) {
      tolerateFailure(error)
      setFailed(true)
    } finally {
      isRequesting.current = false
    }
  }

  useEffect(() => {
    if (items.length === 0 || (isAtEnd && newest !== items.at(-1)?.id)) void more()
  }, [newest])
  const shown = items.filter(row => channelOf(channel).findRow(row.id)?.deleted !== 1)
  return { items: shown, isAtEnd, hasFailed, more }
}

function onArrow(event: KeyboardEvent) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.result')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  rows[Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), rows.length - 1)]?.focus()
}

function Line({ row }: { row: MessagePayload }) {
  return (
    <a
      class="result"
      href={hashOf(row.channel, row.id)}
      onClick={event => {
        if (isPhone.peek()) panel.value = undefined
        goTo(row, event)
      }}
    >
      <Avatar name={row.sender} size={24} />
      <div>
        <div class="result-head">
          <PersonName name={row.sender} />
          <time title={strings.date(row.ts)}>{strings.time(row.ts)}</time>
        </div>
        <div class="result-text replies-text" dir="auto">
          {plainText(row.content ?? '') || strings.list.image}
        </div>
      </div>
    </a>
  )
}

/** Handles a link to the current address, for which the browser fires no event. */
function goTo({ channel, id }: MessagePayload, event: MouseEvent) {
  if (location.hash !== hashOf(channel, id)) return
  event.preventDefault()
  if (current.peek()?.id === channel) void showMessage(channelOf(channel), id)
  else openChannel(channel, id)
}
