/** Closes the open channel when a guest loses it: members could join it again, guests cannot. */
import { effect, untracked } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'
import { current } from '../../store/channels/channels.ts'
import { nameOf } from '../../store/channels/names.ts'
import { me, publicChannels } from '../../store/store.ts'
import { closeUnlessArchived } from './private-channels.ts'

export function followAccess() {
  let before: readonly ChannelId[] = publicChannels.peek()
  effect(() => {
    const channels = publicChannels.value
    const channel = current.value
    const isGuest = me.value?.role === 'guest'
    const isOpen = channel !== undefined && before.includes(channel.id) && !channels.includes(channel.id)
    if (isOpen && isGuest) untracked(() => void closeUnlessArchived(channel.id, nameOf(channel.id)))
    // Role and channels arrive in either order.
    if (!isOpen || isGuest) before = channels
  })
}
