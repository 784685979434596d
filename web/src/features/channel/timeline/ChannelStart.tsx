/** Heading above the first message of a channel. */

import { strings } from '../../../i18n/i18n.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { isDm, isPrivate, nameOf } from '../../../store/channels/names.ts'
import { me, publicChannels } from '../../../store/store.ts'
import { Logo } from '../../../ui/Icon.tsx'
import { Lazy } from '../../../ui/lazy.tsx'
import { part } from '../../../ui/part.ts'
import { isUnused } from './is-unused.ts'

export const firstSteps = part<typeof import('./FirstSteps.tsx')>()

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
      {publicChannels.value[0] === channel.id && (me.value?.role === 'owner' || isUnused(channel)) && (
        <Lazy of={firstSteps} name="FirstSteps" />
      )}
    </div>
  )
}

function startOf({ id, info }: Channel) {
  if (isPrivate(id)) return strings.privateChannel.start
  if (isDm(id)) return strings.list.startDirect
  if (info.value?.archived) return strings.joining.startArchived
  return info.value?.posting === 'managers' ? strings.joining.startReadOnly : strings.list.startPublic
}
