import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { SidebarSectionPayload } from '#shared/domain/payloads/sidebar.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { strings } from '../../i18n/i18n.ts'
import { callElsewhere, ownCallChannel } from '../../store/calls.ts'
import { isChannelMuted, sections } from '../../store/sidebar/channel-choices.ts'
import { collapsed, toggleCollapsed } from '../../store/sidebar/collapsed.ts'
import { isPointerInside, type SidebarRow, sidebarLook, sidebarPlaces } from '../../store/sidebar/sidebar.ts'
import type { Place } from '../../store/sidebar/sidebar-places.ts'
import {
  host,
  inbox,
  isMac,
  isPage,
  isPhone,
  me,
  type Panel,
  panel,
  publicChannels,
  route,
  started,
  viewer,
  workspace,
  workspaceName,
} from '../../store/store.ts'
import { Icon, Logo } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { Lazy } from '../../ui/lazy.tsx'
import { useOneStop } from '../../ui/one-stop.ts'
import { part } from '../../ui/part.ts'
import { openBrowse, openNewChannel } from '../browse/open-browse.ts'
import { callsPart } from '../calls/open-calls.ts'
import { hasLater, laterPart } from '../later/open-later.ts'
import { openNewDm } from '../new-dm/open-new-dm.ts'
import { openSwitcher } from '../switcher/open-switcher.ts'
import { Me, openStatusMenu } from './Me.tsx'
import { rowOf } from './rows.tsx'
import { SidebarSection } from './SidebarSection.tsx'
import { UnreadEdges } from './UnreadEdges.tsx'
import './Sidebar.css'

export const channelsMenu = part<typeof import('./channels-menu.tsx')>()
export const rowMenus = part<typeof import('./row-menu-listeners.ts')>()
export const ownSections = part<typeof import('./own-sections.tsx')>()

interface Props {
  loadAgain: () => void
  /** Its navigation replaces the lists while it is open. */
  administration: ComponentChildren
}

export function Sidebar({ loadAgain, administration }: Props) {
  const region = useRef<HTMLElement>(null)
  useOneStop(region)
  return (
    <nav
      ref={region}
      class="sidebar"
      aria-label={administration ? strings.status.administration : strings.sidebar.label}
      data-region="sidebar"
    >
      <div class="sidebar-top">
        <WorkspaceLogo />
        <div class="wordmark">
          {isPhone.value && route.value.channel === undefined ? (
            <h1>{workspaceName}</h1>
          ) : (
            <b>{workspaceName}</b>
          )}
          <span>{host}</span>
        </div>
        {!administration && (
          <IconButton icon="compose" label={strings.sidebar.newMessage} onClick={openNewDm} />
        )}
      </div>
      {administration || <Lists loadAgain={loadAgain} />}
      {ownCallChannel.value && <Lazy of={callsPart} name="CallStrip" />}
      {callElsewhere.value && <Lazy of={callsPart} name="ElsewhereStrip" />}
      {isPhone.value ? <Tabs /> : <Me />}
    </nav>
  )
}

function WorkspaceLogo() {
  const logo = workspace.value?.logo
  return logo ? <img class="logo" src={logo} alt="" /> : <Logo />
}

/** A right click before the code of the menu is there opens it then. */
const early = {
  onContextMenu(event: MouseEvent) {
    if (event.shiftKey || !(event.target as Element).closest('[data-channel]')) return
    event.preventDefault()
    rowMenus.use(({ rowMenuListeners }) => rowMenuListeners.onContextMenu(event))
  },
}

function Lists({ loadAgain }: { loadAgain: () => void }) {
  const list = useRef<HTMLDivElement>(null)
  return (
    <>
      <button type="button" class="sidebar-jump" aria-keyshortcuts="Control+K Meta+K" onClick={openSwitcher}>
        <Icon name="search" size={16} />
        <span class="grow">{strings.sidebar.jump}</span>
        <span class="key-caps" aria-hidden="true">
          <kbd>{isMac ? '⌘' : strings.keys.ctrl}</kbd>
          <kbd>K</kbd>
        </span>
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a link in it that is followed by a key is clicked, too */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <div
        ref={list}
        class="sidebar-scroll"
        {...pointer}
        {...(rowMenus.arrived?.rowMenuListeners ?? early)}
        onClick={leavePage}
      >
        <UnreadEdges list={list}>
          <ActivityRow />
          <ThreadsRow />
          {hasLater.value && <Lazy of={laterPart} name="LaterRows" />}
          {[...sidebarPlaces.value].map(([place, rows]) => (
            <PlaceSection key={place} place={place} rows={rows}>
              {place === 'channels' && started.value === 'failed' && <Failed loadAgain={loadAgain} />}
              {place === 'channels' && hasNoChannel() && <BrowseButton />}
            </PlaceSection>
          ))}
        </UnreadEdges>
      </div>
    </>
  )
}

/** Rows keep their order under the pointer. */
const pointer = {
  onPointerEnter: () => {
    isPointerInside.value = true
  },
  onPointerLeave: () => {
    isPointerInside.value = false
  },
}

/** A link to the channel behind the page changes no route. */
function leavePage(event: MouseEvent) {
  const isLink = (event.target as Element).closest('a[href]') !== null
  if (isLink && isPage.peek() && !event.ctrlKey && !event.metaKey && !event.shiftKey) panel.value = undefined
}

/** Guests find only their own channels. */
const hasNoChannel = () =>
  started.value === 'ready' && publicChannels.value.length === 0 && me.value?.role !== 'guest'

function BrowseButton() {
  return (
    <button type="button" class="sidebar-row" onClick={openBrowse}>
      <Icon name="search" />
      <span class="sidebar-row-label">{strings.joining.browse}</span>
    </button>
  )
}

function openMenu(button: HTMLElement) {
  channelsMenu.use(module => module.openChannelsMenu(button))
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

/** The number of threads with something new, never in the colour of mentions: those are counted in their channels. */
function ThreadsRow() {
  const count = inbox.value.threads
  const isShown = panel.value === 'threads'
  return (
    <button
      type="button"
      class={`sidebar-row${count > 0 ? ' is-unread' : ''}${isShown ? ' is-active' : ''}`}
      aria-expanded={isShown}
      onClick={() => {
        panel.value = isShown ? undefined : 'threads'
      }}
    >
      <Icon name="thread" />
      <span class="sidebar-row-label">{strings.sidebar.threads}</span>
      {count > 0 && <span class="unread-count">{count}</span>}
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

interface PlaceProps {
  place: Place
  rows: SidebarRow[]
  children?: ComponentChildren
}

/** A collapsed place still shows unread channels and the open one. */
function PlaceSection({ place, rows, children }: PlaceProps) {
  const texts = strings.sidebar
  const own = sections.value.find(({ id }) => id === place)
  if (place === 'favourites' && rows.length === 0) return null
  const isCollapsed = own?.collapsed ?? collapsed.value.has(`${place}`)
  const isShort = sidebarLook.value.hide_read
  const shown = rows.map(row => ({ ...rowOf(row), isUnread: row.unread > 0 }))
  return (
    <SidebarSection
      place={place}
      title={own?.name ?? texts[place as Exclude<Place, number>]}
      isCollapsed={isCollapsed}
      toggle={() =>
        own ? ownSections.use(module => module.toggleSection(own)) : toggleCollapsed(`${place}`)
      }
      {...(own && { count: countOf(rows) })}
      button={own ? menuOf(own) : BUTTONS[place]?.()}
      rows={shown
        .filter(({ keep, isUnread }) => keep || (!isCollapsed && (isUnread || !isShort)))
        .map(({ row }) => row)}
    >
      {children}
      {rows.length === 0 && !isCollapsed && started.value === 'ready' && (own || place === 'direct') && (
        <p class="sidebar-none">{own ? texts.emptySection : texts.noDms}</p>
      )}
    </SidebarSection>
  )
}

const countOf = (rows: SidebarRow[]) =>
  rows.reduce((sum, row) => sum + (isChannelMuted(row.channel) ? 0 : row.unread), 0)

const BUTTONS: Partial<Record<Place, () => SectionButton | undefined>> = {
  channels: () => ({ label: strings.joining.add, run: openMenu, isMenu: true }),
  private: () =>
    // Nothing is offered before it is known that the person may have it.
    (me.value?.role ?? 'guest') === 'guest'
      ? undefined
      : {
          label: strings.sidebar.newPrivate,
          run: () => openNewChannel({ isPrivate: true }),
        },
  direct: () => ({ label: strings.sidebar.newMessage, run: openNewDm }),
}

const menuOf = (own: SidebarSectionPayload): SectionButton => ({
  label: strings.sidebar.sectionMenu(own.name),
  icon: 'more',
  isMenu: true,
  run: button => ownSections.use(module => module.openSectionMenu(button, own)),
})

type SectionButton = NonNullable<Parameters<typeof SidebarSection>[0]['button']>

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
