import { useEffect, useRef, useState } from 'preact/hooks'
import type { InboxItem, InboxKind } from '#shared/domain/payloads/inbox.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { OneLine } from '../../common/OneLine.tsx'
import { PagesEnd, PagesStart } from '../../common/PagesBounds.tsx'
import { strings } from '../../i18n/i18n.ts'
import { openChannel, showMessage } from '../../net/channels/open-channel.ts'
import { tolerateFailure } from '../../net/requests/failure.ts'
import { readInboxItems, readInboxUpTo } from '../../net/requests/lazy-endpoints.ts'
import { type ActivityRow, activityRows, itemOfRow } from '../../store/activity.ts'
import { channelOf, current } from '../../store/channels/channels.ts'
import { nameOf } from '../../store/channels/names.ts'
import { displayed } from '../../store/people/people.ts'
import { hashOf } from '../../store/route.ts'
import { inbox, isPhone, panel } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { openScheduled } from '../later/open-later.ts'
import { useActivity } from './use-activity.ts'
import './ActivityPanel.css'

const TABS = ['all', 'mention', 'reply', 'reaction'] as const
type Tab = (typeof TABS)[number]

/** Mentions of the viewer, replies and reactions to their messages, newest first. Opening it marks nothing read. */
export function ActivityPanel() {
  const [tab, setTab] = useState<Tab>('all')
  const box = useRef<HTMLElement>(null)
  useEffect(() => {
    const find = (selector: string) => box.current?.querySelector<HTMLElement>(selector)
    ;(find('.result') ?? find('.panel-tab[aria-selected="true"]'))?.focus()
  }, [])
  const { unread } = inbox.value
  return (
    <aside class="panel" aria-label={strings.activity.title} data-region="panel" ref={box}>
      <div class="panel-head">
        <h2>{strings.activity.title}</h2>
        {unread > 0 && <span class="hint tabular-numbers">{strings.activity.unread(unread)}</span>}
        <IconButton icon="checks" label={strings.activity.markAllRead} onClick={markAllRead} />
        <IconButton
          icon="x"
          label={strings.activity.close}
          onClick={() => {
            panel.value = undefined
          }}
        />
      </div>
      <Tabs tab={tab} setTab={setTab} />
      <Items key={tab} tab={tab} />
    </aside>
  )
}

function Tabs({ tab, setTab }: { tab: Tab; setTab: (tab: Tab) => void }) {
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = TABS[(TABS.indexOf(tab) + step + TABS.length) % TABS.length]!
    setTab(next)
    document.getElementById(`activity-tab-${next}`)?.focus()
  }
  return (
    <div class="panel-tabs" role="tablist" aria-label={strings.activity.kinds} onKeyDown={onKeyDown}>
      {TABS.map(name => (
        <button
          type="button"
          key={name}
          id={`activity-tab-${name}`}
          class="panel-tab"
          role="tab"
          aria-selected={name === tab}
          aria-controls="activity-items"
          tabIndex={name === tab ? 0 : -1}
          onClick={() => setTab(name)}
        >
          {strings.activity.tabs[name]}
        </button>
      ))}
    </div>
  )
}

function Items({ tab }: { tab: Tab }) {
  const kind: InboxKind | undefined = tab === 'all' ? undefined : tab
  const pages = useActivity(kind)
  const { items, next, hasFailed, again } = pages
  const list = useRef<HTMLDivElement>(null)
  const wasEmpty = useRef(items.length === 0)
  // The first item, if it arrives after the panel and the focus is still where the panel has put it.
  useEffect(() => {
    if (!wasEmpty.current || items.length === 0) return
    wasEmpty.current = false
    if (document.activeElement?.id === 'activity-tab-all')
      list.current?.querySelector<HTMLElement>('.result')?.focus()
  }, [items.length])
  return (
    <div
      ref={list}
      class="panel-results"
      id="activity-items"
      role="tabpanel"
      aria-labelledby={`activity-tab-${tab}`}
      onKeyDown={onArrow}
    >
      <PagesStart {...pages} />
      {activityRows(items).map(row => (
        <ItemRow key={keyOf(row)} row={row} />
      ))}
      {hasFailed ? (
        <div class="activity-failed">
          <p class="hint" role="status">
            {strings.activity.failed}
          </p>
          <button type="button" class="button" onClick={again}>
            {strings.tryAgain}
          </button>
        </div>
      ) : (
        <PagesEnd {...pages} />
      )}
      {items.length === 0 && next === null && (
        <div class="empty-state">
          <Icon name="bell" size={24} />
          <p>{strings.activity.none[tab]}</p>
        </div>
      )}
    </div>
  )
}

function onArrow(event: KeyboardEvent) {
  if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return
  event.preventDefault()
  const rows = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('.result')]
  const at = rows.indexOf(document.activeElement as HTMLElement)
  rows[Math.min(Math.max(at + (event.key === 'ArrowDown' ? 1 : -1), 0), rows.length - 1)]?.focus()
}

const ICONS = {
  mention: 'at',
  reply: 'reply',
  reaction: 'react',
  added: 'user-plus',
  reminder: 'clock',
  failed: 'alert',
  command: 'plug',
} as const

/** A thread keeps its element when a reply comes. */
const keyOf = ({ items: [{ id, kind, root_id: root }] }: ActivityRow) =>
  kind === 'reply' && root !== null ? `thread ${root}` : id

/** A text of a bot that answers no command comes as a `command` without one. */
const didOf = ({ kind, command }: InboxItem) => (kind === 'command' && command === undefined ? 'alone' : kind)

function ItemRow({ row }: { row: ActivityRow }) {
  const item = itemOfRow(row)
  const { kind, channel, message_id: id, actors, count, content, is_file, ts, read, why } = item
  const names = actors.map(displayed)
  return (
    <a
      class={`result activity-item${read ? '' : ' is-unread'}`}
      href={hashOf(channel, id ?? undefined)}
      onClick={event => {
        if (!read) markRead(row.items.flatMap(one => (one.read ? [] : one.id)))
        if (isPhone.peek()) panel.value = undefined
        if (kind !== 'failed') return goTo(item, event)
        event.preventDefault()
        openScheduled()
      }}
    >
      <Avatar name={actors[0] ?? ''} size={24} />
      <div>
        <div class="result-head">
          <Icon name={ICONS[kind]} size={14} />
          <b class="activity-who">{strings.activity.did[didOf(item)](names, count)}</b>
          {row.items.length > 1 && (
            <span class="hint tabular-numbers">{strings.replies.count(row.items.length)}</span>
          )}
          <span class="result-place">{strings.activity.in(nameOf(channel))}</span>
          <time title={strings.date(ts)}>{strings.time(ts)}</time>
        </div>
        {why && <p class="hint">{strings.scheduled.why[why]}</p>}
        <div class={`result-text${kind === 'command' ? ' is-whole' : ''}`} dir="auto">
          {is_file ? content || strings.list.image : <OneLine text={content} />}
        </div>
      </div>
      {!read && <span class="visually-hidden">{strings.activity.isUnread}</span>}
    </a>
  )
}

/** Ids in a request. */
const MOST_IDS = 200

/** The stream shows the change. */
function markRead(ids: string[]) {
  readInboxItems(ids.slice(0, MOST_IDS)).catch(tolerateFailure)
}

function markAllRead() {
  const newest = inbox.peek().items[0]
  if (newest) readInboxUpTo(newest.ts).catch(tolerateFailure)
}

/** Handles a link to the current address, for which the browser fires no event. */
function goTo({ channel, message_id: id }: InboxItem, event: MouseEvent) {
  if (id === null || location.hash !== hashOf(channel, id)) return
  event.preventDefault()
  if (current.peek()?.id === channel) void showMessage(channelOf(channel), id)
  else openChannel(channel, id)
}
