import { useLayoutEffect, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { load } from '../../net/channels/open-channel.ts'
import { channelCall, ownShareChannel, shares } from '../../store/calls.ts'
import { type Channel, current } from '../../store/channels/channels.ts'
import { isClosed, strangersIn } from '../../store/channels/closed-channels.ts'
import { isDm, isPrivate, nameOf } from '../../store/channels/names.ts'
import { firstScreen } from '../../store/first-screen.ts'
import { isNewcomer } from '../../store/preferences/newcomer.ts'
import { connection, isPhone } from '../../store/store.ts'
import { commandAnswers } from '../../store/writing/command-answers.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Lazy } from '../../ui/lazy.tsx'
import { closePopover } from '../../ui/Popover.tsx'
import { part } from '../../ui/part.ts'
import { callsPart } from '../calls/open-calls.ts'
import { openNewDm } from '../new-dm/open-new-dm.ts'
import { LightboxHost } from './cards/open-lightbox.tsx'
import { Composer } from './composer/Composer.tsx'
import { DropTarget } from './composer/DropTarget.tsx'
import { ChannelHeader } from './header/ChannelHeader.tsx'
import { commandAnswersPart } from './open-command-answers.ts'
import { isReadOnly } from './read-only.ts'
import { MessageList } from './timeline/MessageList.tsx'

export const connectionBanner = part<typeof import('./ConnectionBanner.tsx')>()
export const welcomeBar = part<typeof import('./WelcomeBar.tsx')>()
export const closedBar = part<typeof import('./ClosedBar.tsx')>()

/** Header, messages and composer of the open channel. */
export function ChannelView() {
  const channel = current.value
  // With the change, not after its paint: a view of the next address may be open by then.
  useLayoutEffect(() => () => closePopover(false), [channel])
  if (!channel) return <Lazy of={connectionBanner} name="ConnectionBanner" when={firstScreen} />
  const Bar = isReadOnly(channel) ? closedBar.get('ClosedBar') : undefined
  return (
    <DropTarget
      place={mayWrite(channel) ? channel.id : undefined}
      hint={strings.composer.drop(nameOf(channel.id))}
      key={channel.id}
    >
      <ChannelHeader channel={channel} />
      <Lazy of={connectionBanner} name="ConnectionBanner" when={firstScreen} />
      {isNewcomer.value && <Lazy of={welcomeBar} name="WelcomeBar" />}
      {channelCall.value && <Lazy of={callsPart} name="ChannelCallBanner" />}
      {isShared(channel) && <Lazy of={callsPart} name="ShareBanner" />}
      <Messages channel={channel} />
      {commandAnswers.value.length > 0 && <Lazy of={commandAnswersPart} name="CommandAnswers" />}
      {!isClosed(channel) &&
        (isReadOnly(channel) ? (
          Bar && <Bar channel={channel} />
        ) : (
          <Composer channel={channel} autofocus={!isPhone.peek()} />
        ))}
      <LightboxHost />
    </DropTarget>
  )
}

/** Files that are dropped wait with the draft, which a channel without a composer does not show. */
const mayWrite = (channel: Channel) => !isClosed(channel) && !isReadOnly(channel)

const isShared = ({ id }: Channel) =>
  ownShareChannel.value !== undefined || (shares.value.get(id)?.length ?? 0) > 0

function Messages({ channel }: { channel: Channel }) {
  if (isClosed(channel)) return <Closed channel={channel} />
  switch (channel.state.value) {
    case 'ready':
      return <MessageList channel={channel} key={channel.reanchorCount.value} />
    case 'failed':
      return (
        <Trouble {...whyNotLoaded(channel)}>
          <button type="button" class="button" onClick={() => void load(channel)}>
            {strings.tryAgain}
          </button>
        </Trouble>
      )
    default:
      // The same element as above, so that cached rows stay mounted when the server's rows arrive.
      if (channel.isStale.value) return <MessageList channel={channel} key={channel.reanchorCount.value} />
      return <Skeleton />
  }
}

/** The banner's state, and the browser's: for the first seconds without a network there is no banner yet. */
function whyNotLoaded({ id }: Channel) {
  const isOffline = !navigator.onLine || ['lost', 'dead'].includes(connection.value)
  return isOffline
    ? { title: strings.list.notHere(nameOf(id)), more: strings.list.notHereMore }
    : { title: strings.list.failed(nameOf(id)), more: strings.list.failedMore }
}

function Closed({ channel }: { channel: Channel }) {
  const { id } = channel
  const strangers = strangersIn(channel)
  if (isDm(id)) {
    const title = strangers.length > 0 ? strings.list.noAccount(strangers) : strings.list.forbidden
    return (
      <Trouble title={title} more={strings.list.noAccountMore}>
        <button type="button" class="button" onClick={openNewDm}>
          {strings.sidebar.newMessage}
        </button>
      </Trouble>
    )
  }
  return isPrivate(id) ? (
    <Trouble title={strings.list.notMember} more={strings.list.notMemberMore} />
  ) : (
    <Trouble title={strings.list.noChannel(id)} more={strings.list.noChannelMore} />
  )
}

function Trouble({
  title,
  more,
  children,
}: {
  title: string
  more: string
  children?: preact.ComponentChildren
}) {
  return (
    <div class="centred">
      <div class="empty-state" role="alert">
        <Icon name="alert" size={24} />
        <b>{title}</b>
        <p>{more}</p>
        {children}
      </div>
    </div>
  )
}

function Skeleton() {
  const [rows] = useState([0, 1, 2, 3])
  return (
    <div class="channel-loading" role="status" aria-label={strings.list.loading}>
      <div class="message-column">
        {rows.map(row => (
          <div class="skeleton-row" key={row}>
            <span class="skeleton skeleton-avatar" />
            <span>
              <span class="skeleton skeleton-short" />
              <span class={`skeleton ${row % 2 ? 'skeleton-long' : 'skeleton-medium'}`} />
            </span>
          </div>
        ))}
      </div>
    </div>
  )
}
