/** Heading above the first message of a channel. */

import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { isDm, isPrivate, nameOf } from '../../store/names.ts'
import { Logo } from '../../ui/Icon.tsx'

interface Props {
  channel: Channel
  isEmpty: boolean
  joinedLate: boolean
}

export function ChannelStart({ channel, isEmpty, joinedLate }: Props) {
  if (isPrivate(channel.id) && joinedLate) {
    return (
      <p class="channel-since" data-key="start">
        {strings.privateChannel.sinceJoined}
      </p>
    )
  }
  const titleOf = isDm(channel.id) ? strings.list.startWith : strings.list.start
  return (
    <div class={isEmpty ? 'empty-state is-start' : 'empty-state'} data-key="start">
      <Logo />
      <b>{titleOf(nameOf(channel.id))}</b>
      <p>{startOf(channel)}</p>
    </div>
  )
}

function startOf({ id }: Channel) {
  if (isPrivate(id)) return strings.privateChannel.start
  return isDm(id) ? strings.list.startDirect : strings.list.startPublic
}
