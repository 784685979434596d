import { useEffect, useState } from 'preact/hooks'
import { strings } from '../../i18n/i18n.ts'
import { load } from '../../net/open-channel.ts'
import { channelCall, ownShareChannel, shares } from '../../store/calls.ts'
import { type Channel, current } from '../../store/channels.ts'
import { isPhone } from '../../store/store.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Lazy } from '../../ui/lazy.tsx'
import { closePopover } from '../../ui/Popover.tsx'
import { ChannelCallBanner, ShareBanner } from '../calls/open-calls.ts'
import { ChannelHeader } from './ChannelHeader.tsx'
import { Composer } from './Composer.tsx'
import { ConnectionBanner } from './ConnectionBanner.tsx'
import { LightboxHost } from './cards/open-lightbox.tsx'
import { DropTarget } from './DropTarget.tsx'
import { MessageList } from './MessageList.tsx'

/** Header, messages and composer of the open channel. */
export function ChannelView() {
  const channel = current.value
  useEffect(() => () => closePopover(false), [channel])
  if (!channel) return <ConnectionBanner />
  return (
    <DropTarget channel={channel} key={channel.id}>
      <ChannelHeader channel={channel} />
      <ConnectionBanner />
      {channelCall.value && <Lazy of={ChannelCallBanner} />}
      {isShared(channel) && <Lazy of={ShareBanner} />}
      <Messages channel={channel} />
      {channel.state.value !== 'forbidden' && <Composer channel={channel} autofocus={!isPhone.peek()} />}
      <LightboxHost />
    </DropTarget>
  )
}

const isShared = ({ id }: Channel) =>
  ownShareChannel.value !== undefined || (shares.value.get(id)?.length ?? 0) > 0

function Messages({ channel }: { channel: Channel }) {
  switch (channel.state.value) {
    case 'ready':
      return <MessageList channel={channel} key={channel.reanchorCount.value} />
    case 'failed':
      return (
        <Trouble title={strings.list.failed} more={strings.list.failedMore}>
          <button type="button" class="button" onClick={() => void load(channel)}>
            {strings.tryAgain}
          </button>
        </Trouble>
      )
    case 'forbidden':
      return <Trouble title={strings.list.forbidden} more={strings.list.forbiddenMore} />
    default:
      // The same element as above, so that cached rows stay mounted when the server's rows arrive.
      if (channel.isStale.value) return <MessageList channel={channel} key={channel.reanchorCount.value} />
      return <Skeleton />
  }
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
