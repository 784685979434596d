/** Heading above the first message of a channel. */

import { words } from '../../i18n/i18n.ts'
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
      <p class="since" data-key="start">
        {words.privateChannel.sinceJoined}
      </p>
    )
  }
  const titleOf = isDm(channel.id) ? words.list.startWith : words.list.start
  return (
    <div class={isEmpty ? 'empty start' : 'empty'} data-key="start">
      <Logo />
      <b>{titleOf(nameOf(channel.id))}</b>
      <p>{startOf(channel)}</p>
    </div>
  )
}

function startOf({ id }: Channel) {
  if (isPrivate(id)) return words.privateChannel.start
  return isDm(id) ? words.list.startDirect : words.list.startPublic
}
