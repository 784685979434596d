import type { ChannelId } from '#shared/domain/units.ts'
import { Avatar } from '../../common/Avatar.tsx'
import { closeConversation } from '../../common/close-conversation.ts'
import { PersonTag, StatusMark } from '../../common/StatusMark.tsx'
import { UnreadBadge } from '../../common/UnreadBadge.tsx'
import { strings } from '../../i18n/i18n.ts'
import { callIn } from '../../store/calls.ts'
import { notSent } from '../../store/channels/channel-pending.ts'
import { current } from '../../store/channels/channels.ts'
import { badgeOf } from '../../store/messages/selectors.ts'
import { displayed } from '../../store/people/people.ts'
import { hashOf } from '../../store/route.ts'
import { channelIcon, isChannelMuted, shownMentions } from '../../store/sidebar/channel-choices.ts'
import type { SidebarRow } from '../../store/sidebar/sidebar.ts'
import { isPage, viewer } from '../../store/store.ts'
import { draftChannels } from '../../store/writing/drafts.ts'
import { Icon } from '../../ui/Icon.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { passFocus } from '../../ui/pass-focus.ts'
import { titleIfCut } from '../../ui/title-if-cut.ts'
import { CallMark } from './CallMark.tsx'
import './rows.css'

/** A line of a section; `keep` shows it while the section is folded. */
export interface SectionRow {
  key: string
  keep: boolean
  row: preact.ComponentChildren
}

export function rowOf(row: SidebarRow): SectionRow {
  return row.usual === 'direct' ? directRow(row) : channelRow(row)
}

function channelRow({ channel, unread, name }: SidebarRow): SectionRow {
  const { badge, isOpen, isUnread, look } = stateOf(channel, unread)
  const row = (
    <a
      key={channel}
      class={look}
      data-channel={channel}
      href={hashOf(channel)}
      aria-current={isOpen ? 'page' : undefined}
      onPointerEnter={titleIfCut}
    >
      <Icon name={channelIcon(channel)} />
      <span class="sidebar-row-label">
        <bdi>{name}</bdi>
      </span>
      <OwnMarks channel={channel} />
      <CallMark channel={channel} />
      <UnreadBadge {...badge} />
    </a>
  )
  return {
    key: channel,
    keep: isUnread || isOpen || notSent.value.has(channel) || callIn(channel) !== undefined,
    row,
  }
}

function directRow({ channel, users = [], unread, isBegun, name }: SidebarRow): SectionRow {
  const { badge, isOpen, isUnread, isMuted, look } = stateOf(channel, unread)
  const [first = viewer, second] = users
  const close = strings.sidebar.closeConversation(name)
  const row = (
    <div key={channel} class={look} data-channel={channel} onPointerEnter={titleIfCut}>
      <a class="sidebar-row-link" href={hashOf(channel)} aria-current={isOpen ? 'page' : undefined}>
        {second ? (
          <span class="avatar-pair">
            <Avatar name={first} size={14} />
            <Avatar name={second} size={14} />
          </span>
        ) : (
          <Avatar name={first} size={20} presence />
        )}
        <span class="sidebar-row-label">
          <bdi>{name || displayed(viewer)}</bdi>
        </span>
        {!second && <PersonTag name={first} />}
        {!second && <StatusMark name={first} />}
        <OwnMarks channel={channel} />
        <CallMark channel={channel} person={second ? undefined : first} />
        <UnreadBadge {...badge} direct={!isMuted} />
      </a>
      {!isBegun && (
        <IconButton
          icon="x"
          label={close}
          size={24}
          class="sidebar-row-close"
          onClick={event => {
            const { nextElementSibling, previousElementSibling } =
              event.currentTarget.closest('.sidebar-row')!
            const beside = nextElementSibling ?? previousElementSibling
            passFocus(event.currentTarget, beside?.querySelector('a, h2 button'))
            closeConversation(channel)
          }}
        />
      )}
    </div>
  )
  return {
    key: channel,
    keep: isUnread || isOpen || notSent.value.has(channel) || callIn(channel) !== undefined,
    row,
  }
}

/** A muted channel is not bold; only mentions by name stand out. */
function stateOf(channel: ChannelId, unread: number) {
  const badge = badgeOf(channel, unread, shownMentions.value)
  const isOpen = current.value?.id === channel
  const isMuted = isChannelMuted(channel)
  const isUnread = (badge.unread > 0 && !isMuted) || badge.mentions > 0
  const look = [
    'sidebar-row',
    isUnread && 'is-unread',
    isMuted && 'is-muted',
    isOpen && !isPage.value && 'is-active',
  ]
  return { badge, isOpen, isUnread, isMuted, look: look.filter(Boolean).join(' ') }
}

/** Marks a muted channel, and one with an unsent message, else with a draft. */
function OwnMarks({ channel }: { channel: ChannelId }) {
  return (
    <>
      {isChannelMuted(channel) && (
        <span class="sidebar-row-own-mark" role="img" aria-label={strings.sidebar.isMuted}>
          <Icon name="bell-off" size={14} />
        </span>
      )}
      <UnsentMark channel={channel} />
    </>
  )
}

function UnsentMark({ channel }: { channel: ChannelId }) {
  if (current.value?.id === channel) return null
  const failed = notSent.value.has(channel)
  if (!failed && !draftChannels.value.has(channel)) return null
  const label = failed ? strings.sidebar.notSent : strings.sidebar.draft
  return (
    <span
      class={failed ? 'sidebar-row-own-mark is-failed' : 'sidebar-row-own-mark'}
      role="img"
      aria-label={label}
      title={label}
    >
      <Icon name={failed ? 'alert' : 'pencil'} size={14} />
    </span>
  )
}
