import { signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads.ts'
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

/** The rows of the thread in the panel. */
export const threadRows = signal<readonly MessagePayload[]>([])

export function openThread(channel: ChannelId, id: number, at?: OpenedThread['at']) {
  openedThread.value = at === undefined ? { channel, id } : { channel, id, at }
  panel.value = 'thread'
}
