/**
 * The messages of a channel, of which this tab holds a part and mounts a smaller part:
 *
 *   first message                                                        newest message
 *   |---------------------------------------------------------------------------------|  the server
 *             |===== history window =====|                    |===== live window =====|  memory: store/messages/messages.ts
 *             |                          |
 *             |--spacer--[ mounted span ]--spacer--|                                     DOM: timeline-window.ts
 *                           [ viewport ]                                                 scroll-anchor.ts
 *
 * The list shows the history window while there is one, else the live window. Paging extends a window at either end; a
 * history window that reaches the live window joins it, and the list has an end again (`hasEnd`).
 *
 * Before a render the anchor notes the visible rows; after it, and before the paint, it moves the scroll position or
 * the spacer above so that the first visible row stays where it was. Then the timeline window mounts missing rows.
 *
 *   timeline-window.ts   which rows are mounted; mounted-span.ts is its pure part
 *   timeline-geometry.ts tops of all rows, and the spacer above
 *   scroll-anchor.ts     keeps the first visible row in its place, or the end of the list
 *   list-jumps.ts        scrolls on purpose
 *   scroll-status.ts     pages to load, unread messages below, the date while scrolling
 *   row-gestures.ts      pointer, focus and keys
 */
import { signal } from '@preact/signals'
import { Component, createRef } from 'preact'
import { strings } from '../../../i18n/i18n.ts'
import { considerReading, watchEnd } from '../../../net/channels/read-marker.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { nameOf } from '../../../store/channels/names.ts'
import { isRowItem } from '../../../store/messages/items.ts'
import { viewer } from '../../../store/store.ts'
import { afterPaint } from '../../../ui/after-paint.ts'
import { part } from '../../../ui/part.ts'
import { beginsWithJoining } from '../row/system-messages.ts'
import { ChannelStart } from './ChannelStart.tsx'
import { ListOverlays } from './ListOverlays.tsx'
import { ListJumps } from './list-jumps.ts'
import type { ListState, ListView, OverlayState } from './list-view.ts'
import type { RowGestures } from './row-gestures.ts'
import { RowPositions } from './row-positions.ts'
import { END_WITHIN, ScrollAnchor } from './scroll-anchor.ts'
import { ScrollStatus } from './scroll-status.ts'
import { TimelineRows } from './timeline-rows.tsx'
import { TimelineWindow } from './timeline-window.ts'
import './MessageList.css'

export const rowGestures = part<typeof import('./row-gestures.ts')>()

interface Props {
  channel: Channel
}

/** A class, because the position must be read immediately before the rows change. */
export class MessageList extends Component<Props, ListState> implements ListView {
  readonly #scroller = createRef<HTMLElement>()
  readonly #content = createRef<HTMLDivElement>()
  readonly #timeline = new TimelineWindow(this)
  readonly #jumps = new ListJumps(this, this.#timeline)
  readonly #status = new ScrollStatus(this, this.#timeline)
  readonly #rows = new TimelineRows(this, this.#timeline)
  #gestures: RowGestures | undefined
  readonly overlay = signal<OverlayState>({})
  readonly hover = signal<string | undefined>(undefined)
  anchor!: ScrollAnchor
  isPlaced = false
  #stopWatching = () => {}

  get channel() {
    return this.props.channel
  }

  get scroller() {
    return this.#scroller.current
  }

  get content() {
    return this.#content.current
  }

  get hasEnd() {
    return this.channel.historyWindow.peek() === undefined
  }

  update(change: ListState, then?: () => void) {
    this.setState(change, then)
  }

  redraw() {
    this.forceUpdate()
  }

  override componentDidMount() {
    const positions = new RowPositions(this.content!)
    this.#timeline.mounted(positions)
    this.anchor = new ScrollAnchor(this.scroller!, this.content!, positions, () => this.hasEnd, this.#resized)
    this.#stopWatching = watchEnd(() => this.anchor.fromEnd < END_WITHIN)
    this.isPlaced = this.#jumps.scrollInitially()
    this.#afterRender()
    afterPaint(() => this.scroller && this.#timeline.extend())
  }

  override componentWillUnmount() {
    this.#stopWatching()
    for (const part of [this.anchor, this.#timeline, this.#jumps, this.#status, this.#gestures]) part?.stop()
  }

  override getSnapshotBeforeUpdate() {
    this.anchor.hold()
    return null
  }

  override componentDidUpdate() {
    this.#timeline.drawn()
    this.anchor.restore(this.#timeline.restoring())
    this.#timeline.restored()
    // After a jump only the spacer was visible: anchor to the rows this render added.
    if (this.isPlaced) this.anchor.hold()
    else this.isPlaced = this.#jumps.scrollInitially()
    this.#afterRender()
  }

  #listeners(module = rowGestures.now) {
    if (module) this.#gestures ??= new module.RowGestures(this, this.#jumps, () => this.#timeline.fit())
    return this.#gestures?.listeners
  }

  /** A key that is pressed before its code is there acts then, unless the focus has moved on. */
  readonly #early = {
    onKeyDown: (event: KeyboardEvent) =>
      void rowGestures.load().then(
        module => document.activeElement === event.target && this.#listeners(module)?.onKeyDown(event),
        () => {},
      ),
  }

  #resized = () => {
    this.#timeline.resized()
    this.#status.look()
  }

  #afterRender() {
    this.#timeline.numberRows()
    this.#jumps.afterRender()
    this.#timeline.fit()
    this.#status.look()
    considerReading()
  }

  onScroll = () => {
    this.anchor.hold()
    this.#jumps.notePosition()
    this.#timeline.fit()
    this.#status.look()
    considerReading()
    this.#status.floatDate()
    this.#timeline.rest()
    this.#gestures?.scrolled()
  }

  override render({ channel }: Props) {
    const items = channel.items.value
    // Subscribes only: both are looked up after the render.
    void this.#status.unread.value
    void channel.reveal.value
    this.#timeline.setItems(items)
    const shown = channel.historyWindow.value ?? channel.liveWindow.value
    const hasRows = items.some(isRowItem)
    return (
      <section class="message-list-frame" data-region="messages">
        <section
          ref={this.#scroller}
          class="message-list"
          id="messages"
          onScroll={this.onScroll}
          {...(this.#listeners(rowGestures.arrived) ?? this.#early)}
        >
          {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a name */}
          <div
            ref={this.#content}
            class="message-column"
            // A feed must contain an article.
            role={hasRows ? 'feed' : 'group'}
            aria-label={strings.list.label(nameOf(channel.id))}
            aria-busy={false}
          >
            {shown?.complete && (
              <ChannelStart
                channel={channel}
                isEmpty={!hasRows}
                joinedLate={beginsWithJoining(shown.rows[0]?.content, viewer)}
              />
            )}
            {this.#rows.render()}
          </div>
        </section>
        <ListOverlays channel={channel} overlay={this.overlay} toLatest={this.#jumps.toLatest} />
      </section>
    )
  }
}
