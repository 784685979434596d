/** Scrolling on purpose: to the initial position, to a message, and to the newest rows. */
import { toLatest } from '../../../net/channels/open-channel.ts'
import { isRowItem, rowsOf } from '../../../store/messages/items.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import { nextFrame } from '../../../ui/next-frame.ts'
import { openThread } from '../../threads/open-threads.ts'
import type { ListView } from './list-view.ts'
import { BELOW_TOP } from './timeline-geometry.ts'
import type { TimelineWindow } from './timeline-window.ts'

/** How long in ms a message stays highlighted after a jump to it. */
const FLASH_FOR = 2_000

export class ListJumps {
  readonly #view: ListView
  readonly #timeline: TimelineWindow
  #handledReveal: object | undefined
  #pendingCount = 0
  #flashTimer: ReturnType<typeof setTimeout> | undefined

  constructor(view: ListView, timeline: TimelineWindow) {
    this.#view = view
    this.#timeline = timeline
  }

  stop() {
    clearTimeout(this.#flashTimer)
  }

  /** Scrolls to the New line unless channels open at the newest message, else to the last position, else to the end. Returns false while there are no rows. */
  scrollInitially(): boolean {
    const { anchor, channel } = this.#view
    const { items, reveal, scrollPosition } = channel
    if (!items.peek().some(isRowItem)) return false
    const isAtNew = preferred.opensAt.peek() === 'unread'
    if (reveal.peek() || (isAtNew && anchor.toRow('new', BELOW_TOP))) return true
    if (scrollPosition && anchor.toRow(scrollPosition.key, scrollPosition.offset)) return true
    anchor.toEnd()
    anchor.hold()
    return true
  }

  /** Follows a request to show a message, and the viewer's own messages, which scroll to the end from any position. */
  afterRender() {
    const { anchor, channel } = this.#view
    const reveal = channel.reveal.peek()
    if (reveal && reveal !== this.#handledReveal) this.#show(reveal)
    const count = channel.pending.peek().length
    if (count > this.#pendingCount) anchor.toEnd()
    this.#pendingCount = count
  }

  #show(reveal: { id: number }) {
    const { anchor, channel } = this.#view
    const item = this.#timeline.items.find(
      one => isRowItem(one) && rowsOf(one).some(row => row.row.id === reveal.id),
    )
    if (!item) return this.#showInThread(reveal.id)
    if (!anchor.toRow(item.key, 'middle')) {
      // Renders the row first; the next update scrolls to it.
      if (this.#timeline.target === item.key) return
      this.#timeline.target = item.key
      return this.#view.redraw()
    }
    this.#timeline.target = undefined
    this.#handledReveal = reveal
    channel.reveal.value = undefined
    this.#view.update({ flash: item.key, focus: item.key })
    // From a search result the arrow keys continue to the next one, so the focus stays in the panel.
    const inPanel = document.activeElement?.closest('[data-region="panel"]')
    if (!inPanel) anchor.row(item.key)?.focus({ preventScroll: true })
    clearTimeout(this.#flashTimer)
    this.#flashTimer = setTimeout(() => this.#view.update({ flash: undefined }), FLASH_FOR)
  }

  /** A reply that is folded is shown in its thread, beside the root. */
  #showInThread(id: number) {
    const { channel } = this.#view
    const root = channel.findRow(id)?.extra?.thread
    if (root === undefined) return
    channel.reveal.value = { id: root }
    openThread(channel.id, root, id)
  }

  toLatest = () => {
    const { anchor, channel } = this.#view
    toLatest(channel)
    anchor.toEnd()
    nextFrame(() => {
      anchor.toEnd()
      this.#view.onScroll()
    })
  }

  /** Keeps the position for a return within the hour. */
  notePosition() {
    const { anchor, channel } = this.#view
    const { first, atEnd } = anchor
    channel.scrollPosition = atEnd || !first ? undefined : { ...first, at: performance.now() }
  }
}
