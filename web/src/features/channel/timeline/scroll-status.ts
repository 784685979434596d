/** Follows the scroll position: loads pages near an edge, counts unread messages below, shows the date at the top. */
import { computed } from '@preact/signals'
import type { Seconds } from '#shared/domain/units.ts'
import { loadNewer, loadOlder } from '../../../net/channels/open-channel.ts'
import { dayOf, isRowItem, rowsOf } from '../../../store/messages/items.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import { unreadIn, viewer } from '../../../store/store.ts'
import { Debounce } from '../../../ui/debounce.ts'
import type { ListView, OverlayState } from './list-view.ts'
import type { TimelineWindow } from './timeline-window.ts'

/** Distance in px from the edge at which more rows are loaded: at the end of the list, and elsewhere. */
const LOAD_WITHIN = 800
const LOAD_AHEAD = 3_000
/** Distance in px from the end at which the button appears that leads there. */
const LATEST_FROM = 400
const FLOATING_FOR = 1_000

export class ScrollStatus {
  readonly #view: ListView
  readonly #timeline: TimelineWindow
  readonly unread = computed(() => unreadIn(this.#view.channel.id))
  #unreadBefore = 0
  /** Unread messages that have been in view, and the time of the last. */
  #seen = 0
  #seenTs: Seconds = 0
  readonly #floating = new Debounce(FLOATING_FOR, () => this.#update({ floating: undefined }))

  constructor(view: ListView, timeline: TimelineWindow) {
    this.#view = view
    this.#timeline = timeline
  }

  stop() {
    this.#floating.cancel()
  }

  /** Loads more rows near an edge and shows the button that leads to the end. */
  look() {
    const { scroller, channel, anchor, isPlaced } = this.#view
    if (!scroller || !isPlaced) return
    const within = anchor.atEnd ? LOAD_WITHIN : LOAD_AHEAD
    if (scroller.scrollTop < within) void loadOlder(channel)
    if (channel.historyWindow.peek() && anchor.fromEnd < LOAD_AHEAD) void loadNewer(channel)
    const away = anchor.fromEnd > LATEST_FROM || channel.historyWindow.peek() !== undefined
    const newer = this.#newer()
    const hasUnread =
      this.unread.peek() > 0 && (preferred.marksRead.peek() === 'byHand' || this.#isOutOfView(newer))
    const unreadSince = hasUnread ? this.#firstUnread() : undefined
    this.#update({ away, newer, hasUnread, unreadSince })
  }

  #update(change: OverlayState) {
    const { overlay } = this.#view
    const before = overlay.peek()
    const isOther = (Object.keys(change) as (keyof OverlayState)[]).some(key => change[key] !== before[key])
    if (isOther) overlay.value = { ...before, ...change }
  }

  /** True if messages since the New line are above or below the viewport. */
  #isOutOfView(newer: number): boolean {
    const { anchor, channel } = this.#view
    const since = channel.unreadAfter.peek()
    if (since === undefined) return false
    const { items } = this.#timeline
    const first = items.findIndex(item => item.key === anchor.first?.key)
    const line = items.findIndex(item => item.kind === 'new')
    const top = items[first]
    return newer > 0 || (top !== undefined && isRowItem(top) && top.lastTs > since && first > line + 1)
  }

  #firstUnread(): Seconds | undefined {
    const since = this.#view.channel.unreadAfter.peek()
    const { items } = this.#timeline
    const item = items[items.findIndex(one => one.kind === 'new') + 1]
    return item && isRowItem(item) && since !== undefined ? rowsOf(item)[0]!.row.ts : since
  }

  /** Number of unread messages below the viewport, where reading began at the first unread one. */
  #newer(): number {
    const { anchor, channel } = this.#view
    const unread = this.unread.peek()
    // The read marker has moved over messages that were in view.
    this.#seen = Math.max(0, this.#seen - Math.max(0, this.#unreadBefore - unread))
    this.#unreadBefore = unread
    const since = Math.max(this.#seenTs, channel.unreadAfter.peek() ?? Infinity)
    const last = this.#timeline.itemOf(unread > 0 ? anchor.last?.key : undefined)
    if (anchor.atEnd) this.#seen = unread
    else if (last && isRowItem(last) && last.lastTs > since) {
      for (const item of this.#timeline.items) {
        if (!isRowItem(item) || item.lastTs <= since || item.lastTs > last.lastTs) continue
        this.#seen += rowsOf(item).filter(({ row }) => row.sender !== viewer && row.deleted === 0).length
      }
      this.#seenTs = last.lastTs
    }
    return Math.max(0, unread - this.#seen)
  }

  /** Shows the date of the top row while scrolling. */
  floatDate() {
    const { anchor, overlay } = this.#view
    const item = this.#timeline.itemOf(anchor.first?.key)
    const ts = item && isRowItem(item) && !anchor.atEnd ? item.lastTs : undefined
    const shown = overlay.peek().floating
    if (ts === undefined ? shown !== undefined : shown === undefined || dayOf(ts) !== dayOf(shown))
      this.#update({ floating: ts })
    this.#floating.call()
  }
}
