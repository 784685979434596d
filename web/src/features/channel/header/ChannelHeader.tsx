import { useEffect, useRef } from 'preact/hooks'
import { Avatar, PersonName, PresenceDot } from '../../../common/Avatar.tsx'
import { closeConversation } from '../../../common/close-conversation.ts'
import { presenceText } from '../../../common/presence-text.ts'
import { PersonTag, StatusMark } from '../../../common/StatusMark.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { isCallable } from '../../../store/calls.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { isClosed } from '../../../store/channels/closed-channels.ts'
import { isDm, isPrivate, othersIn, plainName } from '../../../store/channels/names.ts'
import { botsIn } from '../../../store/channels/people-in.ts'
import { peopleVersion, personOf } from '../../../store/people/people.ts'
import { hashOf } from '../../../store/route.ts'
import { channelIcon } from '../../../store/sidebar/channel-choices.ts'
import {
  activeAmong,
  channelUnreads,
  isMac,
  isPhone,
  panel,
  privateChannels,
  route,
  shownDms,
  viewer,
} from '../../../store/store.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { part } from '../../../ui/part.ts'
import { detailsTab, toggleDetails } from '../../details/open-details.ts'
import { laterPart } from '../../later/open-later.ts'
import { CallButtons } from './CallButtons.tsx'
import { HeaderChoices } from './HeaderChoices.tsx'
import './ChannelHeader.css'

export const timeThere = part<typeof import('./TimeThere.tsx')>()
export const headerTopic = part<typeof import('./HeaderTopic.tsx')>()

export function ChannelHeader({ channel }: { channel: Channel }) {
  const closed = isClosed(channel)
  const direct = isDm(channel.id) && !closed
  const Topic = channel.info.value && !isPhone.value ? headerTopic.get('HeaderTopic') : undefined
  const Pins = !closed && channel.info.value?.pins ? laterPart.get('PinsButton') : undefined
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    goAlong(heading.current)
    return () =>
      requestAnimationFrame(() => {
        if (route.peek().channel === undefined)
          goAlong(document.querySelector<HTMLElement>(`nav a[href="${CSS.escape(hashOf(channel.id))}"]`))
      })
  }, [])
  return (
    <header class="channel-header" data-region="header">
      {isPhone.value && (
        <a class="icon-button" href="#/" aria-label={strings.header.back(unreadElsewhere(channel))}>
          <Icon name="chev-left" size={20} flip />
        </a>
      )}
      <h1 ref={heading} tabIndex={isPhone.value ? -1 : undefined}>
        {direct ? (
          <People names={othersIn(channel.id)} />
        ) : (
          <>
            <Icon name={channelIcon(channel.id, channel.info.value?.posting)} size={20} />
            <span class="channel-header-lines">
              <bdi class="channel-header-name">{plainName(channel.id)}</bdi>
              {isPhone.value && (channel.info.value?.guests ?? 0) > 0 && (
                <span class="channel-header-below">{strings.header.guests}</span>
              )}
            </span>
          </>
        )}
      </h1>
      {!closed && (isPrivate(channel.id) || (!direct && channel.members.value.length > 0)) && (
        <MembersButton channel={channel} />
      )}
      {Topic && <Topic channel={channel} />}
      <span class="grow" />
      {!closed && !isPhone.value && <HeaderChoices channel={channel.id} />}
      {!closed && isCallable(channel.id) && <CallButtons channel={channel.id} />}
      {direct && isPhone.value && (
        <IconButton
          icon="x"
          label={strings.sidebar.closeConversation(plainName(channel.id))}
          onClick={() => closeConversation(channel.id)}
        />
      )}
      {panel.value !== undefined || isPhone.value ? (
        <IconButton
          icon="search"
          label={strings.header.search}
          aria-pressed={panel.value === 'search'}
          onClick={toggleSearch}
        />
      ) : (
        <button
          type="button"
          class="search-box"
          aria-keyshortcuts="Control+Shift+F Meta+Shift+F"
          onClick={toggleSearch}
        >
          <Icon name="search" size={16} />
          <span>{strings.header.search}</span>
          <span class="key-caps" aria-hidden="true">
            <kbd>{isMac ? '⌘' : strings.keys.ctrl}</kbd>
            <kbd>⇧</kbd>
            <kbd>F</kbd>
          </span>
        </button>
      )}
      {Pins && (
        <Pins
          channel={channel}
          isShown={panel.value === 'details' && detailsTab.value === 'pins'}
          toggle={() => toggleDetails('pins')}
        />
      )}
      {!closed && (
        <IconButton
          icon="info"
          label={strings.header.details}
          aria-pressed={panel.value === 'details'}
          aria-keyshortcuts="Control+. Meta+."
          onClick={() => toggleDetails('about')}
        />
      )}
    </header>
  )
}

/** Phones show one view at a time: moves a lost focus to the channel's name (ui.md 6.2), and back to its row. */
function goAlong(to: HTMLElement | null) {
  const from = document.activeElement
  const isLost = from === null || from === document.body || from.getClientRects().length === 0
  if (isPhone.peek() && isLost) to?.focus({ preventScroll: true })
}

function toggleSearch() {
  panel.value = panel.value === 'search' ? undefined : 'search'
}

function People({ names }: { names: string[] }) {
  const [only = ''] = names
  const Time = personOf(only)?.timezone ? timeThere.get('TimeThere') : undefined
  if (names.length === 1 && only) {
    return (
      <>
        <Avatar name={only} size={28} presence />
        <span class="channel-header-name">
          <PersonName name={only} />
        </span>
        <PersonTag name={only} />
        <StatusMark name={only} />
        <span class="channel-header-state">{presenceText(only)}</span>
        {Time && <Time name={only} />}
      </>
    )
  }
  return (
    <span class="channel-header-name channel-header-people">
      {names.map(name => (
        <span key={name}>
          <PresenceDot name={name} />
          <PersonName name={name} />
        </span>
      ))}
    </span>
  )
}

function MembersButton({ channel }: { channel: Channel }) {
  const all = [...channel.members.value, viewer]
  const here = activeAmong(all)
  const info = channel.info.value
  // A public channel has fewer members than readers.
  const isPublic = info?.kind === 'public'
  const count = isPublic ? info.members : all.length
  // The names of those who have joined are known only where all readers have.
  const isKnown = count >= all.length
  void peopleVersion.value
  const bots = botsIn(channel)
  const pile = isKnown ? here.slice(0, 3).filter(name => name !== viewer) : []
  return (
    <button type="button" class="channel-header-members" onClick={() => toggleDetails('people')}>
      {pile.length > 0 && (
        <span class="avatar-pile">
          {pile.map(name => (
            <Avatar key={name} name={name} size={20} />
          ))}
        </span>
      )}
      <span class="tabular-numbers">
        {isKnown ? strings.header.people(count - bots, here.length) : strings.header.count(count - bots)}
      </span>
    </button>
  )
}

function unreadElsewhere(open: Channel) {
  const counts = [
    ...[...channelUnreads.value].filter(([id]) => id !== open.id).map(([, count]) => count),
    ...[...shownDms.value, ...privateChannels.value]
      .filter(one => one.channel !== open.id)
      .map(one => one.unread),
  ]
  return counts.reduce((sum, count) => sum + count, 0)
}
