import { useRef } from 'preact/hooks'
import { Avatar } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { callElsewhere, ownCallChannel } from '../../store/calls.ts'
import { current } from '../../store/channels.ts'
import { isClosed } from '../../store/closed-channels.ts'
import { collapsed } from '../../store/collapsed.ts'
import { isDm, othersIn } from '../../store/names.ts'
import {
  host,
  inbox,
  isMac,
  isPhone,
  type Panel,
  panel,
  privateChannels,
  publicChannels,
  route,
  shownDms,
  started,
  viewer,
} from '../../store/store.ts'
import { Icon, Logo } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Lazy, withModule } from '../../ui/lazy.tsx'
import { useOneStop } from '../../ui/one-stop.ts'
import { CallStrip, ElsewhereStrip } from '../calls/open-calls.ts'
import { openNewDm } from '../new-dm/open-new-dm.ts'
import { openPrivateChannelDialog } from '../private-channels/open-private-channels.ts'
import { openSwitcher } from '../switcher/open-switcher.ts'
import { DraftsRow } from './DraftsRow.tsx'
import { Me } from './Me.tsx'
import { rowMenuListeners } from './row-menu-listeners.ts'
import { directRow, privateRow, publicRow } from './rows.tsx'
import { SidebarSection } from './SidebarSection.tsx'
import { openStatusMenu } from './status-menu.tsx'
import './Sidebar.css'

export function Sidebar({ loadAgain }: { loadAgain: () => void }) {
  const region = useRef<HTMLElement>(null)
  useOneStop(region)
  return (
    <nav ref={region} class="sidebar" aria-label={strings.sidebar.label} data-region="sidebar">
      <div class="sidebar-top">
        <Logo />
        <div class="wordmark">
          {isPhone.value && route.value.channel === undefined ? (
            <h1>{strings.product}</h1>
          ) : (
            <b>{strings.product}</b>
          )}
          <span>{host}</span>
        </div>
        <IconButton icon="compose" label={strings.sidebar.newMessage} onClick={openNewDm} />
      </div>
      <button type="button" class="sidebar-jump" aria-keyshortcuts="Control+K Meta+K" onClick={openSwitcher}>
        <Icon name="search" size={16} />
        <span class="grow">{strings.sidebar.jump}</span>
        <span class="key-caps" aria-hidden="true">
          <kbd>{isMac ? '⌘' : strings.keys.ctrl}</kbd>
          <kbd>K</kbd>
        </span>
      </button>
      <div class="sidebar-scroll" {...rowMenuListeners}>
        <ActivityRow />
        <DraftsRow />
        <SidebarSection
          section="channels"
          title={strings.sidebar.channels}
          add={{ label: strings.joining.add, run: openMenu, isMenu: true }}
          rows={publicChannels.value.map(publicRow)}
        >
          {started.value === 'failed' && <Failed loadAgain={loadAgain} />}
        </SidebarSection>
        <SidebarSection
          section="private"
          title={strings.sidebar.private}
          add={{
            label: strings.sidebar.newPrivate,
            run: () => openPrivateChannelDialog({ kind: 'create' }),
          }}
          rows={privateChannels.value.map(privateRow)}
        />
        <DirectMessages />
      </div>
      {ownCallChannel.value && <Lazy of={CallStrip} />}
      {callElsewhere.value && <Lazy of={ElsewhereStrip} />}
      {isPhone.value ? <Tabs /> : <Me />}
    </nav>
  )
}

function openMenu(button: HTMLElement) {
  withModule(
    () => import('./channels-menu.tsx'),
    module => module.openChannelsMenu(button),
  )
}

function ActivityRow() {
  const count = inbox.value.unread
  return (
    <button
      type="button"
      class={`sidebar-row${count > 0 ? ' is-unread' : ''}${panel.value === 'mentions' ? ' is-shown' : ''}`}
      aria-expanded={panel.value === 'mentions'}
      onClick={() => {
        panel.value = panel.value === 'mentions' ? undefined : 'mentions'
      }}
    >
      <Icon name="bell" />
      <span class="sidebar-row-label">{strings.sidebar.activity}</span>
      <ActivityBadge count={count} />
    </button>
  )
}

function ActivityBadge({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <>
      <span class="unread-badge is-mention tabular-numbers" aria-hidden="true">
        {count > 99 ? '99+' : count}
      </span>
      <span class="visually-hidden">{strings.activity.unreadItems(count)}</span>
    </>
  )
}

function DirectMessages() {
  const listed = shownDms.value
  const channel = current.value
  const open = channel && !isClosed(channel) ? channel.id : undefined
  // A conversation is stored with its first message; until then it is listed while open.
  const begun = open !== undefined && isDm(open) && !listed.some(dm => dm.channel === open)
  const rows = begun ? [{ channel: open, users: othersIn(open), unread: 0 }, ...listed] : listed
  return (
    <SidebarSection
      section="direct"
      title={strings.sidebar.direct}
      add={{ label: strings.sidebar.newMessage, run: openNewDm }}
      rows={rows.map(dm => directRow({ ...dm, closable: !begun || dm.channel !== open }))}
    >
      {rows.length === 0 && started.value === 'ready' && !collapsed.value.has('direct') && (
        <p class="sidebar-none">{strings.sidebar.noDms}</p>
      )}
    </SidebarSection>
  )
}

function Failed({ loadAgain }: { loadAgain: () => void }) {
  return (
    <div class="sidebar-failed">
      <p>{strings.notLoaded}</p>
      <button type="button" class="button" onClick={loadAgain}>
        {strings.tryAgain}
      </button>
    </div>
  )
}

function Tabs() {
  const isOpen = (tab: Panel | undefined) => (panel.value === tab ? 'page' : undefined)
  const toLists = (event: Event) => {
    if (!panel.peek()) return
    // Closing the panel leads back to the lists, in the history too.
    event.preventDefault()
    panel.value = undefined
  }
  return (
    <div class="tab-bar" role="group" aria-label={strings.tabs.label}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to the lists; from a panel, the history does */}
      <a class="tab-bar-tab" href="#/" aria-current={isOpen(undefined)} onClick={toLists}>
        <Icon name="home" size={20} />
        {strings.tabs.home}
      </a>
      <button
        type="button"
        class="tab-bar-tab"
        aria-current={isOpen('mentions')}
        onClick={() => (panel.value = 'mentions')}
      >
        <Icon name="bell" size={20} />
        {strings.tabs.activity}
        <ActivityBadge count={inbox.value.unread} />
      </button>
      <button
        type="button"
        class="tab-bar-tab"
        aria-current={isOpen('search')}
        onClick={() => (panel.value = 'search')}
      >
        <Icon name="search" size={20} />
        {strings.tabs.search}
      </button>
      <button type="button" class="tab-bar-tab" aria-haspopup="menu" onClick={openStatusMenu}>
        <span class="tab-bar-me">
          <Avatar name={viewer} size={20} presence />
        </span>
        {strings.tabs.you}
      </button>
    </div>
  )
}
