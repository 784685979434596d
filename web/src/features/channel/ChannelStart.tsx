/** Heading above the first message of a channel. */

import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels.ts'
import { isRowItem } from '../../store/items.ts'
import { isDm, isPrivate, nameOf } from '../../store/names.ts'
import { me, publicChannels } from '../../store/store.ts'
import { Logo } from '../../ui/Icon.tsx'
import { Lazy, lazyComponent } from '../../ui/lazy.tsx'

const firstSteps = () => import('./FirstSteps.tsx')
const FirstSteps = lazyComponent(() => firstSteps().then(module => module.FirstSteps))
const OwnerCard = lazyComponent(() => firstSteps().then(module => module.OwnerCard))

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
      {publicChannels.value[0] === channel.id && me.value?.role === 'owner' && <Lazy of={OwnerCard} />}
      {isUnused(channel) && <Lazy of={FirstSteps} />}
    </div>
  )
}

/** True for the first channel of an office where nobody has written yet. */
function isUnused({ id, items, historyWindow }: Channel) {
  const isWhole = historyWindow.value === undefined
  const hasWords = items.value.some(item => isRowItem(item) && item.kind !== 'system')
  return publicChannels.value[0] === id && isWhole && !hasWords
}

function startOf({ id, info }: Channel) {
  if (isPrivate(id)) return strings.privateChannel.start
  if (isDm(id)) return strings.list.startDirect
  return info.value?.posting === 'managers' ? strings.joining.startReadOnly : strings.list.startPublic
}
