import { computed, signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { panel } from '../../store/store.ts'

interface OpenedThread {
  channel: ChannelId
  id: number
  /** A reply to scroll to and to highlight, the composer, or the heading even where the list keeps the focus. */
  at?: number | 'composer' | 'heading'
  /** Opened beside the page of threads. */
  isBeside?: true
}

/** The thread in the panel: the root, or any reply in it. */
export const openedThread = signal<OpenedThread | undefined>(undefined)

/** The thread beside the page of threads, whose channel is open behind the page. */
export const besideThread = computed(() =>
  panel.value === 'threads' && openedThread.value?.isBeside ? openedThread.value : undefined,
)

/** The rows of the thread in the panel. */
export const threadRows = signal<readonly MessagePayload[]>([])

export function openThread(channel: ChannelId, id: number, at?: OpenedThread['at']) {
  // From the panel beside the page.
  if (besideThread.peek()?.channel === channel) return openBeside(channel, id, at)
  openedThread.value = at === undefined ? { channel, id } : { channel, id, at }
  panel.value = 'thread'
}

export function openBeside(channel: ChannelId, id: number, at?: OpenedThread['at']) {
  openedThread.value = { channel, id, isBeside: true, ...(at !== undefined && { at }) }
  panel.value = 'threads'
}

/** The page of threads stays. */
export function closeThread() {
  if (besideThread.peek()) openedThread.value = undefined
  else panel.value = undefined
}
