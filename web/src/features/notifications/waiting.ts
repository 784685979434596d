/** Unread direct messages and mentions (ui.md 6.5), without those of channels open in a focused tab. */
import { computed } from '@preact/signals'
import { inFront } from '../../net/tabs.ts'
import { countForTitle } from '../../store/selectors.ts'
import { mentions, shownDms } from '../../store/store.ts'
import { hasBadge, placeOf } from './outcomes.ts'

export const waiting = computed(() => {
  const counts = (happening: 'direct' | 'mention') => (one: { channel: string }) =>
    hasBadge(happening, placeOf(one.channel, inFront.value))
  return countForTitle(shownDms.value.filter(counts('direct')), mentions.value.filter(counts('mention')))
})
