import { computed, signal } from '@preact/signals'
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { composerField } from '../../common/composer-field.ts'
import { isPhone, panel } from '../../store/store.ts'

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

/** Threads that the viewer left while the page of threads lists them. */
export const leftThreads = signal<ReadonlySet<number>>(new Set())

export function noteLeft(id: number, isLeft: boolean) {
  const others = [...leftThreads.peek()].filter(one => one !== id)
  leftThreads.value = new Set(isLeft ? [...others, id] : others)
}

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

/** The page of threads stays. Beside its channel a focus in the thread returns to the row of the root if it is in view. */
export function closeThread() {
  if (besideThread.peek()) {
    openedThread.value = undefined
    return
  }
  const wasInside = document.activeElement?.closest('.thread-panel')
  const row = document.querySelector<HTMLElement>(`#messages [data-message-id="${openedThread.peek()?.id}"]`)
  panel.value = undefined
  if (wasInside && !isPhone.peek()) (row && isInView(row) ? row : composerField())?.focus()
}

/** Else the focus would scroll the list away from its end. */
function isInView(row: HTMLElement): boolean {
  const { top, bottom } = row.closest('#messages')!.getBoundingClientRect()
  const { y } = row.getBoundingClientRect()
  return y >= top && y < bottom
}
