import { signal } from '@preact/signals'
import type { ChannelId } from '#shared/domain/units.ts'
import { panel } from '../../store/store.ts'

interface OpenedThread {
  channel: ChannelId
  id: number
  /** A reply to scroll to and to highlight, or the composer. */
  at?: number | 'composer'
}

/** The thread in the panel: the root, or any reply in it. */
export const openedThread = signal<OpenedThread | undefined>(undefined)

export function openThread(channel: ChannelId, id: number, at?: OpenedThread['at']) {
  openedThread.value = at === undefined ? { channel, id } : { channel, id, at }
  panel.value = 'thread'
}
