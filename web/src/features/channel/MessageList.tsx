import { computed } from '@preact/signals'
import { Component, createRef, type VNode } from 'preact'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { loadNewer, loadOlder, toLatest } from '../../net/open-channel.ts'
import { considerReading, watchEnd } from '../../net/read-marks.ts'
import type { Channel } from '../../store/channels.ts'
import { dayOf, type Item, isRowItem, type RowItem, rowsOf } from '../../store/items.ts'
import { nameOf } from '../../store/names.ts'
import { countsByItem, type Readers, readersByItem } from '../../store/selectors.ts'
import { isPhone, unreadIn, viewer } from '../../store/store.ts'
import { afterPaint } from '../../ui/after-paint.ts'
import { Debounce } from '../../ui/debounce.ts'
import { Icon } from '../../ui/Icon.tsx'
import { nextFrame } from '../../ui/next-frame.ts'
import { isPopoverOpen } from '../../ui/Popover.tsx'
import { ChannelStart } from './ChannelStart.tsx'
import { onListKey } from './list-keys.ts'
import { MessageRow, type RowProps } from './MessageRow.tsx'
import { openMessageMenu } from './message-actions.tsx'
import { grown, OVERSCAN, type Span, spanFor, spanOf, type Times, timesOf } from './mounted-span.ts'
import { heightOf, heightsIn, noteHeight } from './row-heights.ts'
import { RowPositions } from './row-positions.ts'
import { ScrollAnchor } from './scroll-anchor.ts'
import { swallowClick } from './swallow-click.ts'
import { beginsWithJoining } from './system-messages.ts'
import './MessageList.css'

/** Distance in px from the edge at which more rows are loaded: at the end of the list, and elsewhere. */
const LOAD_WITHIN = 800
const LOAD_AHEAD = 3_000
/** Rows in the first render of a channel, at most. */
const AT_FIRST = 30
/** Extra px in the first render, because heights are estimates. */
const SPARE = 80
/** Delay in ms after scrolling before the row under the pointer counts as hovered. */
const POINTED_AFTER = 100
/** After this many ms without scrolling, mounts GROWS_BY more rows every GROWS_EVERY ms. */
const RESTS_AFTER = 300
const GROWS_EVERY = 60
const GROWS_BY = 6
const LATEST_FROM = 400
const BELOW_TOP = 96
/** Share of the height that Page Up and Page Down scroll: some rows stay in view. */
const PAGE_BY = 0.9
const FLASH_FOR = 2_000
const FLOATING_FOR = 1_000
const LONG_PRESS = 450

interface Props {
  channel: Channel
}

interface Geometry {
  /** Top of each item, relative to the first. */
  tops: Float64Array
  /** Height above the first item. */
  above: number
}

interface State {
  hover?: string | undefined
  focus?: string | undefined
  flash?: string | undefined
  away?: boolean
  newer?: number
  floating?: Seconds | undefined
}

/** A class, because the position must be read immediately before the rows change. */
export class MessageList extends Component<Props, State> {
  readonly #scroller = createRef<HTMLElement>()
  readonly #content = createRef<HTMLDivElement>()
  #places!: RowPositions
  #anchor!: ScrollAnchor
  #placed = false
  /** The items of the last render; `#span` is the mounted part. */
  #items: Item[] = []
  /** Index of every item; position among the rows, from 1. */
  #indexes = new Map<string, number>()
  #positions = new Map<string, number>()
  #span: Span = { from: 0, to: 0 }
  /** `#span` as times, for the next render; undefined before the first. */
  #times: Times | undefined
  #geometry: Geometry | undefined
  #layout = ''
  #heights = heightsIn('')
  #width = 0
  /** Key of a row that is rendered outside the span in order to scroll to it. */
  #target: string | undefined
  #overscan = 0
  /** Spacer above the mounted rows and its estimation error in px; the error is absorbed here so that rows stay put. */
  readonly #gap = createRef<HTMLDivElement>()
  #gapHeight = 0
  #slack = 0
  /** Items and layout of the render before. */
  #drawnItems: Item[] = []
  #drawnLayout = ''
  /** True once rows were mounted in this frame; more wait for the next. */
  #hasDrawn = false
  readonly #resting = new Debounce(RESTS_AFTER, () => this.#grow())
  #growTimer: ReturnType<typeof setTimeout> | undefined
  readonly #scrolling = new Debounce(POINTED_AFTER, () => this.#point())
  /** Key of the row under the pointer. */
  #under: string | undefined
  readonly #unread = computed(() => unreadIn(this.props.channel.id))
  #unreadBefore = 0
  /** Unread messages that have been in view, and the time of the last. */
  #seen = 0
  #seenTs: Seconds = 0
  #readers: { items: Item[]; from: object; byItem: Map<string, Readers> } | undefined
  #stopWatching = () => {}
  #flashTimer: ReturnType<typeof setTimeout> | undefined
  readonly #floating = new Debounce(
    FLOATING_FOR,
    () => this.state.floating && this.setState({ floating: undefined }),
  )
  #pressTimer: ReturnType<typeof setTimeout> | undefined
  #handledReveal: object | undefined
  #pendingCount = 0

  override componentDidMount() {
    const [scroller, content] = [this.#scroller.current!, this.#content.current!]
    this.#places = new RowPositions(content)
    this.#anchor = new ScrollAnchor(scroller, content, this.#places, this.#hasEnd, () => {
      this.#geometry = undefined
      this.#fit()
      this.#look()
    })
    this.#stopWatching = watchEnd(() => this.#anchor.fromEnd < 48)
    this.#scrollInitially()
    this.#afterChange()
    // The first render has only the visible rows; the overscan follows after the first paint.
    afterPaint(() => {
      if (!this.#scroller.current) return
      this.#overscan = OVERSCAN
      this.#fit()
      this.#resting.call()
    })
  }

  override componentWillUnmount() {
    this.#stopWatching()
    this.#anchor.stop()
    for (const debounced of [this.#floating, this.#resting, this.#scrolling]) debounced.cancel()
    for (const timer of [this.#flashTimer, this.#pressTimer, this.#growTimer]) clearTimeout(timer)
  }

  override getSnapshotBeforeUpdate() {
    this.#anchor.hold()
    return null
  }

  override componentDidUpdate() {
    this.#geometry = undefined
    this.#places.drawn()
    // Preact diffs against the height it last wrote, not the one `#absorb` set.
    if (this.#gap.current) this.#gap.current.style.blockSize = `${this.#gapHeight}px`
    // Only the same items may be absorbed: with other items the spacer itself has another height.
    const isSame = this.#items === this.#drawnItems
    this.#anchor.restore(isSame ? { absorb: this.#absorb } : { hasOtherHead: this.#hasOtherHead })
    this.#drawnItems = this.#items
    // After a jump only the spacer was visible: anchor to the rows this render added.
    if (this.#placed) this.#anchor.hold()
    else this.#scrollInitially()
    this.#afterChange()
  }

  /** In the middle of the history the last row is not the newest. */
  #hasEnd = () => this.props.channel.historyWindow.peek() === undefined

  /** Sets the initial position once rows exist: the New line, else the last position, else the end. */
  #scrollInitially() {
    const { items, reveal, scrollPosition } = this.props.channel
    if (!items.peek().some(isRowItem)) return
    this.#placed = true
    if (reveal.peek()) return
    if (this.#anchor.toRow('new', BELOW_TOP)) return
    if (scrollPosition && this.#anchor.toRow(scrollPosition.key, scrollPosition.offset)) return
    this.#anchor.toEnd()
    this.#anchor.hold()
  }

  #afterChange() {
    const { channel } = this.props
    this.#numberRows()
    const reveal = channel.reveal.peek()
    if (reveal && reveal !== this.#handledReveal) this.#show(reveal)
    const count = channel.pending.peek().length
    // The viewer's own message scrolls to the end from any position.
    if (count > this.#pendingCount) this.#anchor.toEnd()
    this.#pendingCount = count
    this.#fit()
    this.#look()
    considerReading()
  }

  #show(reveal: { id: number }) {
    const item = this.#items.find(one => isRowItem(one) && rowsOf(one).some(row => row.row.id === reveal.id))
    if (!item) return
    if (!this.#anchor.toRow(item.key, 'middle')) {
      // Renders the row first; the next update scrolls to it.
      if (this.#target === item.key) return
      this.#target = item.key
      return this.forceUpdate()
    }
    this.#target = undefined
    this.#handledReveal = reveal
    this.props.channel.reveal.value = undefined
    this.setState({ flash: item.key, focus: item.key })
    // From a search result the arrow keys continue to the next one, so the focus stays in the panel.
    const inPanel = document.activeElement?.closest('[data-region="panel"]')
    if (!inPanel) this.#anchor.row(item.key)?.focus({ preventScroll: true })
    clearTimeout(this.#flashTimer)
    this.#flashTimer = setTimeout(() => this.setState({ flash: undefined }), FLASH_FOR)
  }

  /** Mounts and unmounts a few rows per frame when the mounted ones no longer cover the viewport and its overscan. */
  #fit() {
    const scroller = this.#scroller.current
    if (!scroller || !this.#placed || this.#items.length === 0) return
    const { tops, above } = this.#measured()
    const edge = scroller.getBoundingClientRect().top
    // Relative to a visible row: spacer heights may be stale after a change of width or text size.
    const [first] = this.#places.between(edge, edge + scroller.clientHeight)
    const at = this.#indexes.get(first?.row.key ?? '')
    // No visible row has to stay in place, so the spacer's error can be dropped.
    const isOff = !first && this.#slack !== 0
    if (isOff) this.#slack = 0
    const top =
      at === undefined
        ? scroller.scrollTop - above
        : tops[at]! + first!.row.top - first!.row.before - (first!.top - edge)
    const span = spanFor(tops, { top, bottom: top + scroller.clientHeight }, this.#span, {
      overscan: this.#overscan,
      ...(this.#hasDrawn && { bite: 0 }),
    })
    if (span !== this.#span) this.#draw(span)
    else if (isOff || (this.#layout !== this.#drawnLayout && !this.#hasDrawn)) this.#redraw()
  }

  #draw(span: Span) {
    if (span.from === this.#span.from && span.to === this.#span.to) return
    this.#span = span
    this.#times = timesOf(this.#items, span, this.#hasEnd())
    this.#redraw()
  }

  #redraw() {
    this.#drawnLayout = this.#layout
    this.forceUpdate()
    if (this.#hasDrawn) return
    this.#hasDrawn = true
    nextFrame(() => {
      this.#hasDrawn = false
      this.#fit()
    })
  }

  /** True if the row has lost or gained its name line; the first loaded row has one until its predecessor is loaded. */
  #hasOtherHead = (key: string) => {
    const [was, is] = [this.#drawnItems.find(item => item.key === key), this.#itemOf(key)]
    return was?.kind === 'message' && is?.kind === 'message' && was.first !== is.first
  }

  /** Corrects a wrong height estimate above the rows in the spacer, so that mounted rows neither move nor repaint. */
  #absorb = (moved: number): boolean => {
    const height = this.#gapHeight - moved
    if (!this.#gap.current || height < 0) return false
    this.#slack -= moved
    this.#gapHeight = height
    this.#gap.current.style.blockSize = `${height}px`
    this.#places.changed()
    return true
  }

  /** Mounts up to 200 rows for the browser's own search, a few at a time while idle. */
  #grow() {
    const more = grown(this.#span, this.#items.length, GROWS_BY)
    if (more === this.#span) return
    this.#draw(more)
    this.#growTimer = setTimeout(() => this.#resting.isPending || this.#grow(), GROWS_EVERY)
  }

  /** Top of every item, mounted or not. */
  #measured(): Geometry {
    if (this.#geometry) return this.#geometry
    const content = this.#content.current!
    const box = content.getBoundingClientRect()
    const style = getComputedStyle(content)
    const { density, size } = document.documentElement.dataset
    this.#width = box.width
    const layout = `${box.width} ${style.getPropertyValue('--msg-fs')} ${style.fontSize} ${density} ${size}`
    if (layout !== this.#layout) {
      this.#heights = heightsIn(layout)
      this.#slack = 0
    }
    this.#layout = layout
    lastSeen = { height: this.#scroller.current!.clientHeight, width: box.width, layout }
    const scrolled = this.#scroller.current!.getBoundingClientRect().top - this.#scroller.current!.scrollTop
    let above = box.top - scrolled
    for (const { item, key, before, bottom } of this.#places.lines) {
      if (item !== undefined) noteHeight(item, this.#heights, bottom - before)
      else if (key === 'start') above += bottom
    }
    const tops = new Float64Array(this.#items.length + 1)
    this.#items.forEach((item, at) => {
      tops[at + 1] = tops[at]! + heightOf(item, this.#heights, this.#width)
    })
    this.#geometry = { tops, above }
    return this.#geometry
  }

  /** Loads more rows near an edge and shows the button that leads to the end. */
  #look() {
    const scroller = this.#scroller.current
    if (!scroller || !this.#placed) return
    const { channel } = this.props
    const within = this.#anchor.atEnd ? LOAD_WITHIN : LOAD_AHEAD
    if (scroller.scrollTop < within) void loadOlder(channel)
    if (channel.historyWindow.peek() && this.#anchor.fromEnd < LOAD_AHEAD) void loadNewer(channel)
    const away = this.#anchor.fromEnd > LATEST_FROM || channel.historyWindow.peek() !== undefined
    const newer = this.#newer()
    if (away !== (this.state.away ?? false) || newer !== (this.state.newer ?? 0))
      this.setState({ away, newer })
  }

  /** Number of unread messages below the viewport, where reading began at the first unread one. */
  #newer(): number {
    const unread = this.#unread.peek()
    // The read marker has moved over messages that were in view.
    this.#seen = Math.max(0, this.#seen - Math.max(0, this.#unreadBefore - unread))
    this.#unreadBefore = unread
    const { unreadAfter } = this.props.channel
    const since = Math.max(this.#seenTs, unreadAfter.peek() ?? Infinity)
    const key = unread > 0 ? this.#anchor.last?.key : undefined
    const last = this.#itemOf(key)
    if (this.#anchor.atEnd) this.#seen = unread
    else if (last && isRowItem(last) && last.lastTs > since) {
      for (const item of this.#items) {
        if (!isRowItem(item) || item.lastTs <= since || item.lastTs > last.lastTs) continue
        this.#seen += rowsOf(item).filter(({ row }) => row.sender !== viewer && row.deleted === 0).length
      }
      this.#seenTs = last.lastTs
    }
    return Math.max(0, unread - this.#seen)
  }

  /** Written to the DOM directly: positions change with every page of older rows, and rows need no render for it. */
  #numberRows() {
    for (const { element, item } of this.#places.lines) {
      const now = String(this.#positions.get(item ?? '') ?? '')
      if (now !== '' && element.getAttribute('aria-posinset') !== now)
        element.setAttribute('aria-posinset', now)
    }
  }

  #onScroll = () => {
    this.#anchor.hold()
    this.#notePlace()
    this.#fit()
    this.#look()
    considerReading()
    this.#floatDate()
    this.#resting.call()
    this.#scrolling.call()
  }

  /** Keeps the position for a return within the hour. */
  #notePlace() {
    const { first, atEnd } = this.#anchor
    const { channel } = this.props
    if (atEnd || !first) channel.scrollPosition = undefined
    else channel.scrollPosition = { ...first, at: performance.now() }
  }

  /** Shows the date of the top row while scrolling. */
  #floatDate() {
    const key = this.#anchor.first?.key
    const item = this.#itemOf(key)
    const ts = item && isRowItem(item) && !this.#anchor.atEnd ? item.lastTs : undefined
    const shown = this.state.floating
    if (ts === undefined ? shown !== undefined : shown === undefined || dayOf(ts) !== dayOf(shown))
      this.setState({ floating: ts })
    this.#floating.call()
  }

  /** Scrolls by a page and focuses the row at the far edge once it is mounted. */
  #page(step: 1 | -1) {
    const scroller = this.#scroller.current!
    this.#anchor.hold()
    scroller.scrollTop += step * scroller.clientHeight * PAGE_BY
    this.#anchor.hold()
    this.#fit()
    this.setState({}, () => this.#focusAtEdge(step))
  }

  #focusAtEdge(step: 1 | -1) {
    const scroller = this.#scroller.current
    if (!scroller) return
    const { top, bottom } = scroller.getBoundingClientRect()
    const seen = [...this.#content.current!.querySelectorAll<HTMLElement>('article')].filter(row => {
      const box = row.getBoundingClientRect()
      return box.bottom > top && box.top < bottom
    })
    const row = step === 1 ? seen.at(-1) : seen[0]
    if (!row) return
    this.setState({ focus: row.dataset.key })
    row.focus({ preventScroll: true })
  }

  #toLatest = () => {
    const { channel } = this.props
    toLatest(channel)
    this.#anchor.toEnd()
    nextFrame(() => {
      this.#anchor.toEnd()
      this.#onScroll()
    })
  }

  #onPointerOver = (event: PointerEvent) => {
    if (event.pointerType !== 'mouse' || isPopoverOpen.peek()) return
    this.#under = (event.target as Element).closest<HTMLElement>('article')?.dataset.key
    if (!this.#scrolling.isPending) this.#point()
  }

  #point() {
    const hover = this.#under
    if (hover !== this.state.hover && !isPopoverOpen.peek()) this.setState({ hover })
  }

  #onPointerLeave = () => {
    this.#under = undefined
    if (!isPopoverOpen.peek() && this.state.hover) this.setState({ hover: undefined })
  }

  #onFocusIn = (event: FocusEvent) => {
    const focus = (event.target as Element).closest<HTMLElement>('article')?.dataset.key
    if (focus && focus !== this.state.focus) this.setState({ focus })
  }

  /** On a touch screen a long press opens the actions of the toolbar. */
  #onPointerDown = (event: PointerEvent) => {
    clearTimeout(this.#pressTimer)
    const row = (event.target as Element).closest<HTMLElement>('article')
    if (event.pointerType === 'mouse' || !row) return
    this.#pressTimer = setTimeout(() => this.#openSheet(row), LONG_PRESS)
  }

  #endPress = () => clearTimeout(this.#pressTimer)

  #openSheet(row: HTMLElement) {
    const message = this.props.channel.findRow(Number(row.dataset.messageId))
    if (!message || message.deleted === 1) return
    swallowClick()
    openMessageMenu(row, this.props.channel, message)
  }

  #onKeyDown = (event: KeyboardEvent) => {
    onListKey(event, this.props.channel, {
      focus: key => this.setState({ focus: key }, () => this.#anchor.row(key)?.focus()),
      toEnd: () => {
        this.props.channel.unreadAfter.value = undefined
        this.#toLatest()
      },
      page: step => this.#page(step),
    })
  }

  override render({ channel }: Props, { hover, focus, flash, away, newer, floating }: State) {
    const items = channel.items.value
    const editing = channel.editing.value
    void this.#unread.value
    // Subscribes only: the row is looked up after the render.
    void channel.reveal.value
    if (items !== this.#items) this.#setItems(items)
    this.#span = this.#times ? spanOf(items, this.#times) : this.#firstSpan(items)
    if (!this.#times && items.length > 0) this.#times = timesOf(items, this.#span, this.#hasEnd())
    const seen = channel.seen.value
    const readers = this.#readersOf(items, channel.receipts.value, seen)
    const memberCount = channel.members.value.length
    // A single tab stop: the last focused row, else the last row.
    const hasFocused = items.some(item => item.key === focus && isRowItem(item))
    const stop = hasFocused ? focus : items.slice(0, this.#span.to).findLast(isRowItem)?.key
    const active = isPhone.value ? undefined : (hover ?? (this.#hasFocus() ? focus : undefined))
    const log = channel.historyWindow.value ?? channel.liveWindow.value
    const name = nameOf(channel.id)
    const keep = (item: Item) =>
      item.key === stop ||
      item.key === this.#target ||
      (editing !== undefined && item.kind === 'message' && item.shown.row.id === editing)

    return (
      <section class="message-list-frame" data-region="messages">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: one delegated listener for all rows */}
        <section
          ref={this.#scroller}
          class="message-list"
          id="messages"
          onScroll={this.#onScroll}
          onPointerOver={this.#onPointerOver}
          onPointerLeave={this.#onPointerLeave}
          onPointerDown={this.#onPointerDown}
          onPointerUp={this.#endPress}
          onPointerCancel={this.#endPress}
          onPointerMove={this.#endPressIfMoved}
          onFocusIn={this.#onFocusIn}
          onFocusOut={this.#onFocusOut}
          onKeyDown={this.#onKeyDown}
        >
          {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: both roles have a name */}
          <div
            ref={this.#content}
            class="message-column"
            // A feed must contain an article.
            role={items.some(isRowItem) ? 'feed' : 'group'}
            aria-label={strings.list.label(name)}
            aria-busy={false}
          >
            {log?.complete && (
              <ChannelStart
                channel={channel}
                isEmpty={!items.some(isRowItem)}
                joinedLate={beginsWithJoining(log.rows[0]?.content, viewer)}
              />
            )}
            {this.#lines(items, keep, item => ({
              channel,
              readers: readers.get(item.key),
              memberCount,
              active: item.key === active,
              stop: item.key === stop,
              flash: item.key === flash,
              editing: item.kind === 'message' && item.shown.row.id === editing,
            }))}
          </div>
        </section>
        {floating !== undefined && (
          <div class="floating-date" aria-hidden="true">
            {strings.date(floating)}
          </div>
        )}
        {away && (
          <button type="button" class="to-latest" onClick={this.#toLatest}>
            <Icon name="arrow-down" size={16} />
            {newer ? strings.list.newer(newer) : strings.list.latest}
          </button>
        )}
      </section>
    )
  }

  #endPressIfMoved = (event: PointerEvent) => {
    if (Math.abs(event.movementX) + Math.abs(event.movementY) > 3) clearTimeout(this.#pressTimer)
  }

  #onFocusOut = () => {
    // Hides the toolbar after the focus has arrived elsewhere, not between blur and focus.
    setTimeout(() => this.#scroller.current && this.forceUpdate(), 0)
  }

  #hasFocus() {
    return this.#scroller.current?.contains(document.activeElement) ?? false
  }

  #setItems(items: Item[]) {
    this.#items = items
    this.#indexes = new Map(items.map((item, at) => [item.key, at]))
    this.#positions = new Map(items.filter(isRowItem).map((item, at) => [item.key, at + 1]))
  }

  #itemOf(key: string | undefined): Item | undefined {
    const at = this.#indexes.get(key ?? '')
    return at === undefined ? undefined : this.#items[at]
  }

  /** The rows visible first: at the New line, at the last position, or at the end. */
  #firstSpan(items: Item[]): Span {
    const { reveal, scrollPosition } = this.props.channel
    const id = reveal.peek()?.id
    const at = items.findIndex(item =>
      id === undefined ? item.kind === 'new' : isRowItem(item) && rowsOf(item).some(row => row.row.id === id),
    )
    const found = at >= 0 || id !== undefined ? at : items.findIndex(item => item.key === scrollPosition?.key)
    if (found < 0) return { from: before(items, items.length, lastSeen.height + SPARE), to: items.length }
    const above = id === undefined ? BELOW_TOP : lastSeen.height / 2
    return {
      from: before(items, found, above + SPARE),
      to: after(items, found, lastSeen.height - above + SPARE),
    }
  }

  /** Recomputed only when rows or read markers change: there may be hundreds of both. */
  #readersOf(items: Item[], marks: Map<Username, Seconds>, seen: Channel['seen']['value']) {
    const from = seen ?? marks
    if (this.#readers?.items !== items || this.#readers.from !== from) {
      const byItem = seen
        ? countsByItem(items, seen, viewer)
        : withCounts(readersByItem(items, marks, viewer))
      this.#readers = { items, from, byItem }
    }
    return this.#readers.byItem
  }

  /** The mounted rows, with spacers for the others. */
  #lines(
    items: Item[],
    keep: (item: Item) => boolean,
    propsOf: (item: RowItem) => Omit<RowProps, 'item' | 'before'>,
  ) {
    const { from, to } = this.#span
    const lines: VNode[] = []
    let gap = 0
    let day: Seconds | undefined
    let isNew = false
    this.#gapHeight = 0
    items.forEach((item, at) => {
      const isShown = (at >= from && at < to) || keep(item)
      if (item.kind === 'day') day = item.ts
      else if (item.kind === 'new') isNew = true
      if (!isShown) {
        gap += heightOf(item, this.#heights, this.#width)
      } else {
        // The error cannot exceed the spacer, and is zero without one.
        if (at === from) this.#slack = gap > 0 ? Math.max(this.#slack, -gap) : 0
        if (gap > 0) lines.push(this.#gapOf(`gap ${lines.length}`, gap, at === from))
        gap = 0
        if (isRowItem(item)) {
          const before = day === undefined && !isNew ? '' : beforeWords(day, isNew)
          lines.push(<MessageRow key={item.key} item={item} before={before} {...propsOf(item)} />)
        } else lines.push(<Line key={item.key} item={item} />)
      }
      if (!isRowItem(item)) return
      day = undefined
      isNew = false
    })
    if (gap > 0) lines.push(this.#gapOf('gap below', gap, false))
    return lines
  }

  #gapOf(key: string, height: number, isAbove: boolean) {
    if (isAbove) this.#gapHeight = height + this.#slack
    const blockSize = `${isAbove ? this.#gapHeight : height}px`
    return <div key={key} ref={isAbove ? this.#gap : null} aria-hidden="true" style={{ blockSize }} />
  }
}

/** Size of the list that was open before: the estimate for the next one. The first value is arbitrary. */
let lastSeen = { height: 900, width: 800, layout: '' }

/** Index of the item that lies this many px before a place. */
function before(items: Item[], place: number, pixels: number): number {
  let at = place
  const heights = heightsIn(lastSeen.layout)
  for (let left = pixels; left > 0 && at > 0 && place - at < AT_FIRST; )
    left -= heightOf(items[--at]!, heights, lastSeen.width)
  return at
}

/** Index of the item that lies this many px after a place. */
function after(items: Item[], place: number, pixels: number): number {
  let at = place
  const heights = heightsIn(lastSeen.layout)
  for (let left = pixels; left > 0 && at < items.length && at - place < AT_FIRST; )
    left -= heightOf(items[at++]!, heights, lastSeen.width)
  return at
}

const withCounts = (readers: Map<string, Username[]>) =>
  new Map([...readers].map(([key, names]): [string, Readers] => [key, { names, count: names.length }]))

/** A date line or the New line. */
function Line({ item }: { item: Exclude<Item, RowItem> }) {
  if (item.kind === 'new') {
    return (
      <div class="new-messages-line" data-key="new" data-item="new" aria-hidden="true">
        {strings.newMessages}
      </div>
    )
  }
  return (
    <div class="day-line" data-item={item.key} aria-hidden="true">
      {strings.date(item.ts)}
    </div>
  )
}

/** For screen readers, in place of the lines above a message. */
function beforeWords(day: Seconds | undefined, isNew: boolean) {
  return [day !== undefined && `${strings.date(day)}.`, isNew && strings.list.newHere]
    .filter(Boolean)
    .join(' ')
}
