/** A message counts as read only while the tab is visible and in use (ui.md 6.5). */
import { effect } from '@preact/signals'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { current } from '../../store/channels/channels.ts'
import { preferred } from '../../store/preferences/preferences.ts'
import { channelChoices, guessChoice, markedUnread } from '../../store/sidebar/channel-choices.ts'
import { isCovered, session, viewer } from '../../store/store.ts'
import * as endpoints from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'

const AT_MOST_EVERY = 1_000

let lastInput = 0
let lastSent = 0
let later: ReturnType<typeof setTimeout> | undefined
let endInView = () => false
/** The open channel, if the viewer marked it as unread while it was open: it is not read until it was left. */
let keptUnread: ChannelId | undefined

/** The list reports whether its end is visible. Returns the unsubscribe function. */
export function watchEnd(isInView: () => boolean) {
  endInView = isInView
  return () => {
    if (endInView === isInView) endInView = () => false
  }
}

export function isEndInView(): boolean {
  return endInView()
}

export function startReadMarker() {
  const input = () => {
    lastInput = performance.now()
    considerReading()
  }
  for (const name of ['keydown', 'pointermove', 'pointerdown', 'wheel', 'touchstart']) {
    addEventListener(name, input, { passive: true, capture: true })
  }
  addEventListener('focus', considerReading)
  watchMarks()
}

function watchMarks() {
  let before: { id: ChannelId | undefined; mark: Seconds | undefined; isKnown: boolean } | undefined
  effect(() => {
    const id = current.value?.id
    const mark = id === undefined ? undefined : markedUnread(id)
    const isKnown = channelChoices.value !== undefined
    if (before?.id !== id || mark === undefined) keptUnread = undefined
    else if (before?.isKnown && before.mark !== mark) keptUnread = id
    before = { id, mark, isKnown }
  })
}

export function considerReading() {
  clearTimeout(later)
  const channel = current.peek()
  const newest = channel?.liveWindow.peek()?.rows.findLast(row => row.sender !== viewer)
  if (!channel || !newest || channel.state.peek() !== 'ready') return
  if (preferred.marksRead.peek() === 'byHand' || isCovered.peek()) return
  if (channel.historyWindow.peek() || channel.isStale.peek()) return
  const isMarked = markedUnread(channel.id) !== undefined
  if (newest.ts <= (channel.receipts.peek().get(viewer) ?? 0) && !isMarked) return
  if (keptUnread === channel.id || session.peek() === 'ended') return
  if (document.hidden || !document.hasFocus() || lastInput < channel.newestAt || !endInView()) return
  const wait = lastSent + AT_MOST_EVERY - performance.now()
  if (wait > 0) {
    later = setTimeout(considerReading, wait)
    return
  }
  lastSent = performance.now()
  endpoints.markRead(channel.id).then(
    () => {
      if (isMarked) guessChoice(channel.id, { marked_unread: null })
      const receipts = new Map(channel.receipts.peek())
      channel.receipts.value = receipts.set(viewer, Math.max(newest.ts, receipts.get(viewer) ?? 0))
    },
    error => {
      tolerateFailure(error)
    },
  )
}
