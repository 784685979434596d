import { signal } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'
import { panel } from '../../store/store.ts'

/** The message whose replies the panel lists. */
export const repliesOf = signal<{ channel: ChannelId; id: number } | undefined>(undefined)

export function openReplies(channel: ChannelId, id: number) {
  repliesOf.value = { channel, id }
  panel.value = 'replies'
}
