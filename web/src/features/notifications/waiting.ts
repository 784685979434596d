/** Unread direct messages and mentions (ui.md 6.5), without those of channels open in a focused tab or muted. */
import { computed } from '@preact/signals'
import { inFront } from '../../net/tabs/tabs.ts'
import { countForTitle } from '../../store/messages/selectors.ts'
import { isChannelMuted, shownMentions } from '../../store/sidebar/channel-choices.ts'
import { shownDms } from '../../store/store.ts'
import { hasBadge, placeOf } from './outcomes.ts'

export const waiting = computed(() => {
  const counts = (happening: 'direct' | 'mention') => (one: { channel: string }) =>
    hasBadge(happening, placeOf(one.channel, inFront.value))
  const dms = shownDms.value.filter(dm => !isChannelMuted(dm.channel))
  return countForTitle(dms.filter(counts('direct')), shownMentions.value.filter(counts('mention')))
})
