/** The rows of a list that are mounted. They follow the viewport a few per frame; see the drawing in MessageList.tsx. */
import { type Item, isRowItem } from '../../../store/messages/items.ts'
import { Debounce } from '../../../ui/debounce.ts'
import { nextFrame } from '../../../ui/next-frame.ts'
import type { ListView } from './list-view.ts'
import { grown, OVERSCAN, type Span, spanFor, spanOf, type Times, timesOf } from './mounted-span.ts'
import type { RowPositions } from './row-positions.ts'
import { initialSpan, SpacerAbove, TimelineGeometry } from './timeline-geometry.ts'

/** After this many ms without scrolling, mounts GROWS_BY more rows every GROWS_EVERY ms. */
const RESTS_AFTER = 2_000
const GROWS_EVERY = 60
const GROWS_BY = 6

export class TimelineWindow {
  readonly #view: ListView
  readonly spacer = new SpacerAbove()
  readonly #geometry = new TimelineGeometry()
  #positions!: RowPositions
  /** The items of the last render; `span` is the mounted part. */
  items: Item[] = []
  span: Span = { from: 0, to: 0 }
  /** `span` as times, for the next render; undefined before the first. */
  #times: Times | undefined
  /** Index of every item; number among the rows, from 1. */
  #indexes = new Map<string, number>()
  #numbers = new Map<string, number>()
  /** Key of a row that is rendered outside the span in order to scroll to it. */
  target: string | undefined
  /** The first render has only the visible rows. */
  #overscan = 0
  /** Items and layout of the render before. */
  #drawnItems: Item[] = []
  #drawnLayout = ''
  /** True once rows were mounted in this frame; more wait for the next. */
  #hasDrawn = false
  readonly #resting = new Debounce(RESTS_AFTER, () => this.#grow())
  #growTimer: ReturnType<typeof setTimeout> | undefined

  constructor(view: ListView) {
    this.#view = view
  }

  mounted(positions: RowPositions) {
    this.#positions = positions
  }

  stop() {
    this.#resting.cancel()
    clearTimeout(this.#growTimer)
  }

  /** Called by each render: selects the span, which follows its rows when indexes change. */
  setItems(items: Item[]) {
    if (items !== this.items) {
      this.items = items
      this.#indexes = new Map(items.map((item, at) => [item.key, at]))
      this.#numbers = new Map(items.filter(isRowItem).map((item, at) => [item.key, at + 1]))
    }
    this.span = this.#times ? spanOf(items, this.#times) : initialSpan(items, this.#view.channel)
    if (!this.#times && items.length > 0) this.#times = timesOf(items, this.span, this.#view.hasEnd)
  }

  itemOf(key: string | undefined): Item | undefined {
    const at = this.#indexes.get(key ?? '')
    return at === undefined ? undefined : this.items[at]
  }

  heightOf(item: Item): number {
    return this.#geometry.heightOf(item)
  }

  /** Called after a render, before the anchor is restored. */
  drawn() {
    this.#geometry.changed()
    this.#positions.drawn()
    this.spacer.restoreHeight()
  }

  /** The way to restore the anchor. With other items the spacer itself has another height and cannot absorb. */
  restoring() {
    return this.items === this.#drawnItems ? { absorb: this.#absorb } : { hasOtherHead: this.#hasOtherHead }
  }

  /** Called when the anchor is restored. */
  restored() {
    this.#drawnItems = this.items
  }

  #absorb = (moved: number): boolean => {
    const isAbsorbed = this.spacer.absorb(moved)
    if (isAbsorbed) this.#positions.changed()
    return isAbsorbed
  }

  /** True if the row has lost or gained its name line; the first loaded row has one until its predecessor is loaded. */
  #hasOtherHead = (key: string): boolean => {
    const [was, is] = [this.#drawnItems.find(item => item.key === key), this.itemOf(key)]
    return was?.kind === 'message' && is?.kind === 'message' && was.first !== is.first
  }

  /** Called after the first paint. */
  extend() {
    this.#overscan = OVERSCAN
    this.fit()
    this.rest()
  }

  /** Called on scrolling: the span grows once this has not happened for a while. */
  rest() {
    this.#resting.call()
  }

  resized() {
    this.#geometry.changed()
    this.fit()
  }

  /** Mounts and unmounts a few rows per frame when the mounted ones no longer cover the viewport and its overscan. */
  fit() {
    const { scroller, isPlaced } = this.#view
    if (!scroller || !isPlaced || this.items.length === 0) return
    const { tops, above } = this.#measure()
    const edge = scroller.getBoundingClientRect().top
    // Relative to a visible row: spacer heights may be stale after a change of width or text size.
    const [first] = this.#positions.between(edge, edge + scroller.clientHeight)
    const at = this.#indexes.get(first?.row.key ?? '')
    // Without a visible row nothing has to stay in place, and the spacer's error can be dropped.
    const isOff = !first && this.spacer.hasError
    if (isOff) this.spacer.forgetError()
    const top =
      at === undefined
        ? scroller.scrollTop - above
        : tops[at]! + first!.row.top - first!.row.before - (first!.top - edge)
    const span = spanFor(tops, { top, bottom: top + scroller.clientHeight }, this.span, {
      overscan: this.#overscan,
      ...(this.#hasDrawn && { bite: 0 }),
    })
    if (span !== this.span) this.#draw(span)
    else if (isOff || (this.#geometry.layout !== this.#drawnLayout && !this.#hasDrawn)) this.#redraw()
  }

  #measure() {
    const before = this.#geometry.layout
    const geometry = this.#geometry.measure(this.#view, this.items, () => this.#positions.lines)
    if (this.#geometry.layout !== before) this.spacer.forgetError()
    return geometry
  }

  #draw(span: Span) {
    if (span.from === this.span.from && span.to === this.span.to) return
    this.span = span
    this.#times = timesOf(this.items, span, this.#view.hasEnd)
    this.#redraw()
  }

  #redraw() {
    this.#drawnLayout = this.#geometry.layout
    this.#view.redraw()
    if (this.#hasDrawn) return
    this.#hasDrawn = true
    nextFrame(() => {
      this.#hasDrawn = false
      this.fit()
    })
  }

  /** Mounts up to 200 rows for the browser's own search, a few at a time while idle. */
  #grow() {
    const more = grown(this.span, this.items.length, GROWS_BY)
    if (more === this.span) return
    this.#draw(more)
    this.#growTimer = setTimeout(() => this.#resting.isPending || this.#grow(), GROWS_EVERY)
  }

  numberRows() {
    this.#positions.numberRows(this.#numbers)
  }
}
