import type { Signal } from '@preact/signals'
import type { Seconds } from '#shared/domain/units.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import type { ScrollAnchor } from './scroll-anchor.ts'

export interface ListState {
  /** Keys of the last focused row, and of the highlighted one. */
  focus?: string | undefined
  flash?: string | undefined
}

/** Overlays of the list. They change while it scrolls, which must not render the rows. */
export interface OverlayState {
  /** True if the button that leads to the end is shown, and the number of unread messages on it. */
  away?: boolean
  newer?: number
  /** True while unread messages are out of view, and the time of the first. */
  hasUnread?: boolean
  unreadSince?: Seconds | undefined
  /** Time of the date shown while scrolling. */
  floating?: Seconds | undefined
}

/** The message list as its parts see it. */
export interface ListView {
  readonly channel: Channel
  readonly state: Readonly<ListState>
  readonly overlay: Signal<Readonly<OverlayState>>
  /** Key of the row under the pointer. */
  readonly hover: Signal<string | undefined>
  readonly scroller: HTMLElement | null
  readonly content: HTMLElement | null
  readonly anchor: ScrollAnchor
  /** True if the last row is the newest of the channel: false in a history window. */
  readonly hasEnd: boolean
  /** True after the initial scroll. */
  readonly isPlaced: boolean
  update(change: ListState, then?: () => void): void
  redraw(): void
  onScroll(): void
}
