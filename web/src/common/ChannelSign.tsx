import type { ChannelId } from '#shared/domain/units.ts'
import { isDm, othersIn } from '../store/channels/names.ts'
import { channelIcon } from '../store/sidebar/channel-choices.ts'
import { viewer } from '../store/store.ts'
import { Icon } from '../ui/Icon.tsx'
import { Avatar } from './Avatar.tsx'

/** The sign of a channel, or the faces of the others in a conversation. */
export function ChannelSign({ channel }: { channel: ChannelId }) {
  if (!isDm(channel)) return <Icon name={channelIcon(channel)} />
  const [first = viewer, second] = othersIn(channel)
  if (!second) return <Avatar name={first} size={20} presence />
  return (
    <span class="avatar-pair">
      <Avatar name={first} size={14} />
      <Avatar name={second} size={14} />
    </span>
  )
}
