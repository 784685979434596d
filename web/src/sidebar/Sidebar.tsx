import type { ChannelId } from '#shared/rules/units.ts'
import { Avatar, shownName } from '../people/Avatar.tsx'
import { openStatusMenu } from '../people/status-menu.tsx'
import { followRoute, loadLists } from '../server/start.ts'
import { current } from '../store/channels.ts'
import { drafts } from '../store/drafts.ts'
import { isDm, nameOf, othersIn, plainName } from '../store/names.ts'
import { hashOf } from '../store/route.ts'
import { badgeOf } from '../store/selectors.ts'
import {
  channelUnreads,
  host,
  isPhone,
  mentions,
  panel,
  presenceOf,
  publicChannels,
  route,
  shownDms,
  started,
  viewer,
} from '../store/store.ts'
import { Icon, Logo } from '../ui/Icon.tsx'
import { MenuItems } from '../ui/Menu.tsx'
import { openPopover } from '../ui/Popover.tsx'
import { words } from '../words.ts'
import { closeConversation } from './close-conversation.ts'
import { NewDmDialog, openNewDm } from './NewDmDialog.tsx'
import { UnreadBadge } from './UnreadBadge.tsx'
import './Sidebar.css'

export function Sidebar() {
  return (
    <nav class="side" aria-label={words.sidebar.label} data-region="sidebar">
      <div class="side-top">
        <Logo />
        <div class="wordmark">
          {isPhone.value && route.value.channel === undefined ? (
            <h1>{words.product}</h1>
          ) : (
            <b>{words.product}</b>
          )}
          <span>{host}</span>
        </div>
        <button
          type="button"
          class="ib"
          aria-label={words.sidebar.newMessage}
          title={words.sidebar.newMessage}
          onClick={openNewDm}
        >
          <Icon name="compose" />
        </button>
      </div>
      <div class="side-scroll">
        <MentionsRow />
        <DraftsRow />
        <section class="sec" aria-label={words.sidebar.channels}>
          <div class="sec-head">
            <span>{words.sidebar.channels}</span>
          </div>
          {publicChannels.value.map(channel => (
            <PublicRow key={channel} channel={channel} />
          ))}
          {started.value === 'failed' && <Failed />}
        </section>
        <DirectMessages />
      </div>
      {isPhone.value ? <Tabs /> : <Me />}
      <NewDmDialog />
    </nav>
  )
}

function MentionsRow() {
  const count = mentions.value.length
  return (
    <button
      type="button"
      class={`row${count > 0 ? ' unread' : ''}${panel.value === 'mentions' ? ' active' : ''}`}
      aria-expanded={panel.value === 'mentions'}
      onClick={() => {
        panel.value = panel.value === 'mentions' ? undefined : 'mentions'
      }}
    >
      <Icon name="at" />
      <span class="lbl">{words.sidebar.mentions}</span>
      <UnreadBadge unread={0} mentions={count} />
    </button>
  )
}

/** Only while there are any. What was begun elsewhere is one press away. */
function DraftsRow() {
  const begun = [...drafts.value.keys()]
  if (begun.length === 0) return null
  const open = (event: Event) =>
    openPopover(
      event.currentTarget as HTMLElement,
      words.sidebar.drafts,
      close => (
        <MenuItems
          close={close}
          items={begun.map(channel => ({
            label: nameOf(channel),
            icon: isDm(channel) ? 'at' : 'hash',
            run: () => {
              location.hash = hashOf(channel)
            },
          }))}
        />
      ),
      { role: 'menu' },
    )
  return (
    <button type="button" class="row" aria-haspopup="menu" onClick={open}>
      <Icon name="pencil" />
      <span class="lbl">{words.sidebar.drafts}</span>
      <span class="cnt">{begun.length}</span>
    </button>
  )
}

function PublicRow({ channel }: { channel: ChannelId }) {
  const badge = badgeOf(channel, channelUnreads.value.get(channel) ?? 0, mentions.value)
  const isOpen = current.value?.id === channel
  return (
    <a
      class={`row${badge.unread > 0 || badge.mentions > 0 ? ' unread' : ''}${isOpen ? ' active' : ''}`}
      href={hashOf(channel)}
      aria-current={isOpen ? 'page' : undefined}
    >
      <Icon name="hash" />
      <span class="lbl">{channel}</span>
      <DraftMark channel={channel} />
      <UnreadBadge {...badge} />
    </a>
  )
}

function DirectMessages() {
  const listed = shownDms.value
  const open = current.value?.id
  // A conversation comes into being with its first message; until then it is in the list while it is open.
  const begun = open !== undefined && isDm(open) && !listed.some(dm => dm.channel === open)
  const rows = begun ? [{ channel: open, users: othersIn(open), unread: 0 }, ...listed] : listed
  return (
    <section class="sec" aria-label={words.sidebar.direct}>
      <div class="sec-head">
        <span>{words.sidebar.direct}</span>
        <button
          type="button"
          class="ib ib-24"
          aria-label={words.sidebar.newMessage}
          title={words.sidebar.newMessage}
          onClick={openNewDm}
        >
          <Icon name="plus" size={16} />
        </button>
      </div>
      {rows.map(dm => (
        <DirectRow
          key={dm.channel}
          channel={dm.channel}
          users={dm.users}
          unread={dm.unread}
          closable={!begun || dm.channel !== open}
        />
      ))}
    </section>
  )
}

interface DirectProps {
  channel: ChannelId
  users: string[]
  unread: number
  closable: boolean
}

function DirectRow({ channel, users, unread, closable }: DirectProps) {
  const badge = badgeOf(channel, unread, mentions.value)
  const isOpen = current.value?.id === channel
  const [first = viewer, second] = users
  return (
    <div class={`row${badge.unread > 0 ? ' unread' : ''}${isOpen ? ' active' : ''}`}>
      <a class="row-link" href={hashOf(channel)} aria-current={isOpen ? 'page' : undefined}>
        {second ? (
          <span class="av-pair">
            <Avatar name={first} size={14} />
            <Avatar name={second} size={14} />
          </span>
        ) : (
          <Avatar name={first} size={20} presence />
        )}
        <span class="lbl">{users.length > 0 ? users.map(shownName).join(', ') : viewer}</span>
        <DraftMark channel={channel} />
        <UnreadBadge {...badge} direct />
      </a>
      {closable && (
        <button
          type="button"
          class="ib ib-24 row-close"
          aria-label={words.sidebar.closeConversation(plainName(channel))}
          title={words.sidebar.closeConversation(plainName(channel))}
          onClick={() => closeConversation(channel)}
        >
          <Icon name="x" size={14} />
        </button>
      )}
    </div>
  )
}

function DraftMark({ channel }: { channel: ChannelId }) {
  if (current.value?.id === channel || !drafts.value.has(channel)) return null
  return (
    <span class="draft-mark" role="img" aria-label={words.sidebar.draft} title={words.sidebar.draft}>
      <Icon name="pencil" size={14} />
    </span>
  )
}

function Failed() {
  return (
    <div class="side-failed">
      <p>{words.notLoaded}</p>
      <button type="button" class="btn" onClick={async () => (await loadLists()) && followRoute()}>
        {words.tryAgain}
      </button>
    </div>
  )
}

function Me() {
  const state = words.presence[presenceOf(viewer)]
  return (
    <button type="button" class="me" aria-haspopup="menu" onClick={openStatusMenu}>
      <Avatar name={viewer} size={32} presence />
      <span class="me-txt">
        <b>{viewer}</b>
        <span>{state}</span>
        <span class="vh">{words.sidebar.myStatus}</span>
      </span>
      <Icon name="chev-down" size={16} />
    </button>
  )
}

function Tabs() {
  return (
    <div class="tabs" role="group" aria-label={words.tabs.label}>
      <a class="tab" href="#/" aria-current="page">
        <Icon name="home" size={20} />
        {words.tabs.home}
      </a>
      <button type="button" class="tab" onClick={() => (panel.value = 'mentions')}>
        <Icon name="at" size={20} />
        {words.tabs.mentions}
        {mentions.value.length > 0 && <span class="pill attn num">{mentions.value.length}</span>}
      </button>
      <button type="button" class="tab" onClick={() => (panel.value = 'search')}>
        <Icon name="search" size={20} />
        {words.tabs.search}
      </button>
      <button type="button" class="tab" aria-haspopup="menu" onClick={openStatusMenu}>
        <span class="tab-me">
          <Avatar name={viewer} size={20} presence />
        </span>
        {words.tabs.you}
      </button>
    </div>
  )
}
