import { computed } from '@preact/signals'
import { Component, createRef, type VNode } from 'preact'
import type { Seconds, Username } from '#shared/rules/units.ts'
import { loadNewer, loadOlder, toLatest } from '../server/open-channel.ts'
import { considerReading, watchEnd } from '../server/read-marks.ts'
import type { Channel } from '../store/channels.ts'
import { dayOf, type Item, isRowItem, type RowItem, rowsOf } from '../store/items.ts'
import { nameOf } from '../store/names.ts'
import { countsByItem, type Readers, readersByItem } from '../store/selectors.ts'
import { isPhone, unreadIn, viewer } from '../store/store.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { Debounce } from '../ui/debounce.ts'
import { Icon } from '../ui/Icon.tsx'
import { nextFrame } from '../ui/next-frame.ts'
import { isPopoverOpen } from '../ui/Popover.tsx'
import { words } from '../words.ts'
import { ChannelStart } from './ChannelStart.tsx'
import { onListKey } from './list-keys.ts'
import { grown, OVERSCAN, type Span, spanFor, spanOf, type Times, timesOf } from './list-window.ts'
import { MessageRow, type RowProps } from './MessageRow.tsx'
import { openMessageMenu } from './message-actions.tsx'
import { beginsWithJoining } from './notices.ts'
import { heightOf, heightsIn, noteHeight } from './row-heights.ts'
import { RowPlaces } from './row-places.ts'
import { ScrollAnchor } from './scroll-anchor.ts'
import { swallowClick } from './swallow-click.ts'
import './MessageList.css'

/** Older rows are asked for so far before the reader gets there: farther once they are on their way. */
const LOAD_WITHIN = 800
const LOAD_AHEAD = 3_000
/** More rows than this are not drawn with the first picture of a channel. */
const AT_FIRST = 30
/** So much more than is seen, as heights are only guessed. */
const SPARE = 80
/** What goes by under the pointer is not pointed at. */
const POINTED_AFTER = 100
/** While nobody scrolls, a few more at a time. */
const RESTS_AFTER = 300
const GROWS_EVERY = 60
const GROWS_BY = 6
const LATEST_FROM = 400
const BELOW_TOP = 96
/** A little of what was seen stays in view. */
const PAGE_BY = 0.9
const FLASH_FOR = 2_000
const FLOATING_FOR = 1_000
const LONG_PRESS = 450

interface Props {
  channel: Channel
}

interface Geometry {
  /** Where each item begins, below the first one. */
  tops: Float64Array
  /** What is above the first one. */
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

/** A class, because where the reader is must be noted in the moment before the rows change. */
export class MessageList extends Component<Props, State> {
  readonly #scroller = createRef<HTMLElement>()
  readonly #content = createRef<HTMLDivElement>()
  #places!: RowPlaces
  #anchor!: ScrollAnchor
  #placed = false
  /** What the last drawing was of, and which of it is in the page. */
  #items: Item[] = []
  /** Of every item, and of those among them that are rows, counted from 1. */
  #indexes = new Map<string, number>()
  #positions = new Map<string, number>()
  #span: Span = { from: 0, to: 0 }
  /** The same, for the next drawing; undefined before the first. */
  #times: Times | undefined
  #geometry: Geometry | undefined
  #layout = ''
  #heights = heightsIn('')
  #width = 0
  /** A row that is drawn wherever it is, because one goes there. */
  #target: string | undefined
  #overscan = 0
  /** The gap above the rows, and by how much it is higher than what it stands for: rows that are in the page do not move for it. */
  readonly #gap = createRef<HTMLDivElement>()
  #gapHeight = 0
  #slack = 0
  /** What was in the page after the drawing before. */
  #drawnItems: Item[] = []
  #drawnLayout = ''
  /** Rows have come in this frame; others have time until the next. */
  #hasDrawn = false
  readonly #resting = new Debounce(RESTS_AFTER, () => this.#grow())
  #growTimer: ReturnType<typeof setTimeout> | undefined
  readonly #scrolling = new Debounce(POINTED_AFTER, () => this.#point())
  /** The row under the pointer. */
  #under: string | undefined
  readonly #unread = computed(() => unreadIn(this.props.channel.id))
  #unreadBefore = 0
  /** How many of these have been in view, and the last of them. */
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
    this.#places = new RowPlaces(content)
    this.#anchor = new ScrollAnchor(scroller, content, this.#places, this.#hasEnd, () => {
      this.#geometry = undefined
      this.#fit()
      this.#look()
    })
    this.#stopWatching = watchEnd(() => this.#anchor.fromEnd < 48)
    this.#place()
    this.#afterChange()
    // The first picture has what is seen; what is around it has time until that one is on the screen.
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
    // Preact compares with what it wrote itself, not with what absorbed since.
    if (this.#gap.current) this.#gap.current.style.blockSize = `${this.#gapHeight}px`
    // Other items have other heights, and so has the gap; the same ones only come out of it.
    const isSame = this.#items === this.#drawnItems
    this.#anchor.restore(isSame ? { absorb: this.#absorb } : { hasOtherHead: this.#hasOtherHead })
    this.#drawnItems = this.#items
    // After a leap nothing but a gap was seen before this drawing: what is read is what it has brought.
    if (this.#placed) this.#anchor.hold()
    else this.#place()
    this.#afterChange()
  }

  /** In the middle of a history the last row is not the newest there is. */
  #hasEnd = () => this.props.channel.aside.peek() === undefined

  /** Once, when the rows are there: at the New line, or where one was, or at the end. */
  #place() {
    const { items, reveal, place } = this.props.channel
    if (!items.peek().some(isRowItem)) return
    this.#placed = true
    if (reveal.peek()) return
    if (this.#anchor.toRow('new', BELOW_TOP)) return
    if (place && this.#anchor.toRow(place.key, place.offset)) return
    this.#anchor.toEnd()
    this.#anchor.hold()
  }

  #afterChange() {
    const { channel } = this.props
    this.#numberRows()
    const reveal = channel.reveal.peek()
    if (reveal && reveal !== this.#handledReveal) this.#show(reveal)
    const count = channel.pending.peek().length
    // One's own message brings one to the end, wherever one was reading.
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
      // It is drawn first, and then shown.
      if (this.#target === item.key) return
      this.#target = item.key
      return this.forceUpdate()
    }
    this.#target = undefined
    this.#handledReveal = reveal
    this.props.channel.reveal.value = undefined
    this.setState({ flash: item.key, focus: item.key })
    // From a result the arrows go on to the next one, so the focus stays in the panel.
    const inPanel = document.activeElement?.closest('[data-region="panel"]')
    if (!inPanel) this.#anchor.row(item.key)?.focus({ preventScroll: true })
    clearTimeout(this.#flashTimer)
    this.#flashTimer = setTimeout(() => this.setState({ flash: undefined }), FLASH_FOR)
  }

  /** Draws other rows when what is drawn no longer reaches far enough beyond what is seen: a few in each frame. */
  #fit() {
    const scroller = this.#scroller.current
    if (!scroller || !this.#placed || this.#items.length === 0) return
    const { tops, above } = this.#measured()
    const edge = scroller.getBoundingClientRect().top
    // From a row that is seen: gaps may still be as high as another width or size of text made them.
    const [first] = this.#places.between(edge, edge + scroller.clientHeight)
    const at = this.#indexes.get(first?.row.key ?? '')
    // Nothing that is seen has to stay: the gap is what it stands for again, and what belongs to this place is drawn.
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

  /** The first row that is loaded always has one, until what comes before it is of the same person. */
  #hasOtherHead = (key: string) => {
    const [was, is] = [this.#drawnItems.find(item => item.key === key), this.#itemOf(key)]
    return was?.kind === 'message' && is?.kind === 'message' && was.first !== is.first
  }

  /**
   * What comes above the rows is seldom as high as it was guessed to be. The gap makes up for it, so that the rows are where they
   * were, and none of them has to be painted anew.
   */
  #absorb = (moved: number): boolean => {
    const height = this.#gapHeight - moved
    if (!this.#gap.current || height < 0) return false
    this.#slack -= moved
    this.#gapHeight = height
    this.#gap.current.style.blockSize = `${height}px`
    this.#places.changed()
    return true
  }

  /** For the browser's own search: up to two hundred rows, a few at a time while nothing else happens. */
  #grow() {
    const more = grown(this.#span, this.#items.length, GROWS_BY)
    if (more === this.#span) return
    this.#draw(more)
    this.#growTimer = setTimeout(() => this.#resting.isPending || this.#grow(), GROWS_EVERY)
  }

  /** Where every item begins, those that are not in the page among them. */
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

  /** What depends on the place: whether to load, and whether the end is far. */
  #look() {
    const scroller = this.#scroller.current
    if (!scroller || !this.#placed) return
    const { channel } = this.props
    const within = this.#anchor.atEnd ? LOAD_WITHIN : LOAD_AHEAD
    if (scroller.scrollTop < within) void loadOlder(channel)
    if (channel.aside.peek() && this.#anchor.fromEnd < LOAD_AHEAD) void loadNewer(channel)
    const away = this.#anchor.fromEnd > LATEST_FROM || channel.aside.peek() !== undefined
    const newer = this.#newer()
    if (away !== (this.state.away ?? false) || newer !== (this.state.newer ?? 0))
      this.setState({ away, newer })
  }

  /** How many messages of others come after what has been seen, where reading began at the first unread. */
  #newer(): number {
    const unread = this.#unread.peek()
    // The mark has moved, over messages that were seen.
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

  /** Their places change with every page of older rows, so they are written past the rows, which need not be drawn anew. */
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

  /** For who comes back within the hour. */
  #notePlace() {
    const { first, atEnd } = this.#anchor
    const { channel } = this.props
    if (atEnd || !first) channel.place = undefined
    else channel.place = { ...first, at: performance.now() }
  }

  /** The date of what is at the top, while scrolling. */
  #floatDate() {
    const key = this.#anchor.first?.key
    const item = this.#itemOf(key)
    const ts = item && isRowItem(item) && !this.#anchor.atEnd ? item.lastTs : undefined
    const shown = this.state.floating
    if (ts === undefined ? shown !== undefined : shown === undefined || dayOf(ts) !== dayOf(shown))
      this.setState({ floating: ts })
    this.#floating.call()
  }

  /** The focus goes along, to the row at the far edge, once the rows there are drawn. */
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

  /** On a touch screen a long press opens what the toolbar holds elsewhere. */
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
    // Nothing of it is drawn: what is to be shown is looked for after the drawing.
    void channel.reveal.value
    if (items !== this.#items) this.#setItems(items)
    this.#span = this.#times ? spanOf(items, this.#times) : this.#firstSpan(items)
    if (!this.#times && items.length > 0) this.#times = timesOf(items, this.#span, this.#hasEnd())
    const seen = channel.seen.value
    const readers = this.#readersOf(items, channel.receipts.value, seen)
    const memberCount = channel.members.value.length
    // One tab stop: where the focus was, else the last row.
    const hasFocused = items.some(item => item.key === focus && isRowItem(item))
    const stop = hasFocused ? focus : items.slice(0, this.#span.to).findLast(isRowItem)?.key
    const active = isPhone.value ? undefined : (hover ?? (this.#hasFocus() ? focus : undefined))
    const log = channel.aside.value ?? channel.live.value
    const name = nameOf(channel.id)
    const keep = (item: Item) =>
      item.key === stop ||
      item.key === this.#target ||
      (editing !== undefined && item.kind === 'message' && item.shown.row.id === editing)

    return (
      <section class="msgs-frame" data-region="messages">
        {/* biome-ignore lint/a11y/noStaticElementInteractions: one delegated listener for all rows */}
        <section
          ref={this.#scroller}
          class="msgs"
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
            class="col"
            // A feed without an article is none.
            role={items.some(isRowItem) ? 'feed' : 'group'}
            aria-label={words.list.label(name)}
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
          <div class="float-date" aria-hidden="true">
            {words.date(floating)}
          </div>
        )}
        {away && (
          <button type="button" class="tolatest" onClick={this.#toLatest}>
            <Icon name="arrow-down" size={16} />
            {newer ? words.list.newer(newer) : words.list.latest}
          </button>
        )}
      </section>
    )
  }

  #endPressIfMoved = (event: PointerEvent) => {
    if (Math.abs(event.movementX) + Math.abs(event.movementY) > 3) clearTimeout(this.#pressTimer)
  }

  #onFocusOut = () => {
    // The toolbar goes once the focus is really elsewhere, not on its way to it.
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

  /** Only what is seen first: at the New line, where one was, or at the end. */
  #firstSpan(items: Item[]): Span {
    const { reveal, place } = this.props.channel
    const id = reveal.peek()?.id
    const at = items.findIndex(item =>
      id === undefined ? item.kind === 'new' : isRowItem(item) && rowsOf(item).some(row => row.row.id === id),
    )
    const found = at >= 0 || id !== undefined ? at : items.findIndex(item => item.key === place?.key)
    if (found < 0) return { from: before(items, items.length, lastSeen.height + SPARE), to: items.length }
    const above = id === undefined ? BELOW_TOP : lastSeen.height / 2
    return {
      from: before(items, found, above + SPARE),
      to: after(items, found, lastSeen.height - above + SPARE),
    }
  }

  /** Found anew only when rows or marks have changed: there may be hundreds of both. */
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

  /** The rows that are in the page; for the others a gap as high as they are. */
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
        // Without a gap there is nothing to make up for.
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

/** How much was seen of the list that was open before: the next one will be as large. The first may be of any size. */
let lastSeen = { height: 900, width: 800, layout: '' }

/** Back from a place, as many items as fill so many pixels. */
function before(items: Item[], place: number, pixels: number): number {
  let at = place
  const heights = heightsIn(lastSeen.layout)
  for (let left = pixels; left > 0 && at > 0 && place - at < AT_FIRST; )
    left -= heightOf(items[--at]!, heights, lastSeen.width)
  return at
}

/** The same, onwards. */
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
      <div class="new" data-key="new" data-item="new" aria-hidden="true">
        {words.newMessages}
      </div>
    )
  }
  return (
    <div class="day" data-item={item.key} aria-hidden="true">
      {words.date(item.ts)}
    </div>
  )
}

/** For those who listen, in place of the lines above a message. */
function beforeWords(day: Seconds | undefined, isNew: boolean) {
  return [day !== undefined && `${words.date(day)}.`, isNew && words.list.newHere].filter(Boolean).join(' ')
}
