import { signal } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'
import { panel } from '../../store/store.ts'

/** The thread in the panel: the root, or any reply in it. */
export const openedThread = signal<{ channel: ChannelId; id: number } | undefined>(undefined)

export function openThread(channel: ChannelId, id: number) {
  openedThread.value = { channel, id }
  panel.value = 'thread'
}
