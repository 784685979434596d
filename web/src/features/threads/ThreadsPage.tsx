import { useEffect, useRef, useState } from 'preact/hooks'
import type { FollowedThread } from '#shared/domain/payloads/threads.ts'
import { PageBack } from '../../common/PageBack.tsx'
import { PagesEnd, PagesStart } from '../../common/PagesBounds.tsx'
import { useCloseOnLeaving } from '../../common/use-close-on-leaving.ts'
import { strings } from '../../i18n/i18n.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { readThread } from '../../net/requests/lazy-endpoints.ts'
import { inbox, isPhone } from '../../store/store.ts'
import { leftThreads } from '../../store/threads/left-threads.ts'
import { noteThreadRead } from '../../store/threads/read-threads.ts'
import { Icon } from '../../ui/Icon.tsx'
import { leaveThread } from './leave-thread.ts'
import { besideThread, openBeside, openedThread } from './open-threads.ts'
import { allRead, readAllThreads, unreadOf } from './read-all.ts'
import { ThreadItem } from './ThreadItem.tsx'
import { useThreads } from './use-threads.ts'
import '../../ui/page.css'
import './ThreadsPage.css'

/** The threads that the viewer follows. Opening the page marks nothing read; a thread opens beside it. */
export function ThreadsPage() {
  const [own, setOwn] = useState(false)
  const page = useRef<HTMLElement>(null)
  const texts = strings.threads
  useCloseOnLeaving()
  useFocus(page)
  const threads = useThreads(own)
  const { canUndo = false, own: isOwnOnly = false } = allRead.value ?? {}
  const count = canUndo && !isOwnOnly ? 0 : inbox.value.threads
  return (
    <main
      class="panel page threads-page"
      aria-label={texts.list}
      data-region="panel"
      ref={page}
      // On a phone the thread covers it.
      inert={isPhone.value && besideThread.value !== undefined}
    >
      <div class="panel-head">
        <PageBack />
        <Icon name="thread" size={20} />
        <h1>{texts.list}</h1>
        {count > 0 && <span class="hint tabular-numbers">{texts.withNews(count)}</span>}
        <div class="page-choices" role="group" aria-label={texts.which}>
          {[false, true].map(one => (
            <button
              type="button"
              key={`${one}`}
              class={`page-choice${one === own ? ' is-on' : ''}`}
              aria-pressed={one === own}
              onClick={() => setOwn(one)}
            >
              {one ? texts.started : texts.followed}
            </button>
          ))}
        </div>
        <button
          type="button"
          class="button threads-all-read"
          onClick={() => readAllThreads(threads.items, own)}
        >
          <Icon name="checks" size={16} />
          <span>{texts.markAllRead}</span>
        </button>
      </div>
      <List {...threads} own={own} />
    </main>
  )
}

/** The first row at the start, and the row of a thread that was closed. */
function useFocus(page: { current: HTMLElement | null }) {
  const open = besideThread.value
  const before = useRef(open)
  useEffect(() => {
    const closed = before.current
    before.current = open
    if (closed && !open) page.current?.querySelector<HTMLElement>(`[data-thread="${closed.id}"]`)?.focus()
  }, [open])
  useEffect(
    () => () => {
      if (openedThread.peek()?.isBeside) openedThread.value = undefined
      leftThreads.value = new Set()
    },
    [],
  )
}

function List({
  own,
  items,
  news,
  others,
  all,
  newer,
  isLoaded,
  reload,
}: ReturnType<typeof useThreads> & { own: boolean }) {
  const box = useRef<HTMLDivElement>(null)
  const texts = strings.threads
  const isEmpty = isLoaded && items.length === 0
  const hasFailed = news.hasFailed || all.hasFailed
  useEffect(() => {
    const isElsewhere = besideThread.peek() || document.activeElement?.closest('.page-choices')
    if (!isLoaded || isElsewhere) return
    const first = box.current?.querySelector<HTMLElement>('.thread-item')
    ;(first ?? document.querySelector<HTMLElement>('.threads-page .page-choice'))?.focus()
  }, [isLoaded])
  const markRead = (one: FollowedThread) => {
    if (unreadOf(one) === 0) return
    for (const list of [news, all]) list.change(item => item.id === one.id, { unread: 0 })
    readThread(one.id, one.last?.id).catch(tolerateFailure)
    if (one.last) noteThreadRead(one.id, one.last.id)
  }
  const isListed = ({ id }: FollowedThread) => !leftThreads.value.has(id)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys act on the links in it
    <div
      class="panel-results"
      ref={box}
      onKeyDown={event => onListKey(event, id => items.filter(item => item.id === id).forEach(markRead))}
    >
      <div class="page-column">
        {newer > 0 && (
          <button type="button" class="threads-newer" onClick={reload}>
            {texts.newer(newer)}
          </button>
        )}
        <PagesStart {...news} />
        {news.items.filter(isListed).map(item => (
          <ThreadItem key={item.id} item={item} />
        ))}
        {!hasFailed && <PagesEnd {...news} />}
        {news.items.length > 0 && others.length > 0 && <hr class="threads-line" />}
        <PagesStart {...all} />
        {others.filter(isListed).map(item => (
          <ThreadItem key={item.id} item={item} />
        ))}
        {hasFailed ? (
          <Failed again={() => [news, all].map(list => list.hasFailed && list.again())} />
        ) : (
          <PagesEnd {...all} />
        )}
        {isEmpty && (
          <div class="empty-state">
            <Icon name="thread" size={24} />
            <b>{texts.noneTitle}</b>
            <p>{own ? texts.noneStarted : texts.none}</p>
          </div>
        )}
        {isLoaded && !isEmpty && (
          <p class="hint threads-hint">
            {texts.hint[0]} <kbd>F</kbd> {texts.hint[1]}
          </p>
        )}
      </div>
    </div>
  )
}

function Failed({ again }: { again: () => void }) {
  return (
    <div class="threads-failed">
      <p class="hint" role="status">
        {strings.threads.listFailed}
      </p>
      <button type="button" class="button" onClick={again}>
        {strings.tryAgain}
      </button>
    </div>
  )
}

/** Up and down move, right moves into the thread, E marks as read, F leaves it. */
function onListKey(event: KeyboardEvent, markRead: (id: number) => void) {
  if (event.ctrlKey || event.metaKey || event.altKey) return
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.thread-item')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  const row = rows[at]
  const to = { ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, Home: 0, End: rows.length - 1 }[
    event.key
  ]
  if (to !== undefined) rows[Math.min(Math.max(to, 0), rows.length - 1)]?.focus()
  else if (event.key === 'e' && row) markRead(Number(row.dataset['thread']))
  else if (event.key === 'f' && row) {
    ;(rows[at + 1] ?? rows[at - 1])?.focus()
    leaveThread(Number(row.dataset['thread']))
  } else if (event.key === 'ArrowRight' && row) moveInto(row)
  else return
  event.preventDefault()
}

function moveInto(row: HTMLElement) {
  const id = Number(row.dataset['thread'])
  if (besideThread.peek()?.id === id) document.querySelector<HTMLElement>('.thread-panel h2')?.focus()
  else openBeside(row.dataset['channel']!, id, 'heading')
}
