/** Tops and heights of all rows of a list: measured where they are or were mounted, estimated elsewhere. */
import { createRef } from 'preact'
import type { Channel } from '../../../store/channels/channels.ts'
import { type Item, isRowItem, rowsOf } from '../../../store/messages/items.ts'
import type { ListView } from './list-view.ts'
import type { Span } from './mounted-span.ts'
import { heightOf, heightsIn, noteHeight } from './row-heights.ts'
import type { Position } from './row-positions.ts'

/** Distance in px of the New line from the top of the viewport. */
export const BELOW_TOP = 112
/** Rows in the first render of a channel, at most. */
const MAX_FIRST = 30
/** Extra px in the first render, because heights are estimates. */
const SPARE = 80

interface Geometry {
  /** Top of each item, relative to the first; one more entry is the end. */
  tops: Float64Array
  /** Height above the first item. */
  above: number
}

/** Size of the list that was open before: the estimate for the next one. The first value is arbitrary. */
let lastSeen = { height: 900, width: 800, layout: '' }

export class TimelineGeometry {
  #known: Geometry | undefined
  #heights = heightsIn('')
  #width = 0
  /** Width, text size and density for which the heights hold. */
  layout = ''

  /** Called when items or sizes have changed. */
  changed() {
    this.#known = undefined
  }

  heightOf(item: Item): number {
    return heightOf(item, this.#heights, this.#width)
  }

  measure({ scroller, content }: ListView, items: Item[], lines: () => readonly Position[]): Geometry {
    if (this.#known) return this.#known
    const box = content!.getBoundingClientRect()
    this.#readLayout(content!, box.width)
    lastSeen = { height: scroller!.clientHeight, width: box.width, layout: this.layout }
    let above = box.top - scroller!.getBoundingClientRect().top + scroller!.scrollTop
    for (const { item, key, before, bottom } of lines()) {
      if (item !== undefined) noteHeight(item, this.#heights, bottom - before)
      else if (key === 'start') above += bottom
    }
    const tops = new Float64Array(items.length + 1)
    items.forEach((item, at) => {
      tops[at + 1] = tops[at]! + this.heightOf(item)
    })
    this.#known = { tops, above }
    return this.#known
  }

  #readLayout(content: HTMLElement, width: number) {
    const style = getComputedStyle(content)
    const { density, size } = document.documentElement.dataset
    const layout = `${width} ${style.getPropertyValue('--msg-fs')} ${style.fontSize} ${density} ${size}`
    if (layout !== this.layout) this.#heights = heightsIn(layout)
    this.layout = layout
    this.#width = width
  }
}

/**
 * The spacer above the mounted rows. It absorbs the error of the estimates it is made of, so that mounted rows neither
 * move nor repaint.
 */
export class SpacerAbove {
  readonly element = createRef<HTMLDivElement>()
  #height = 0
  /** Difference in px between the height and the estimates. */
  #error = 0

  get hasError() {
    return this.#error !== 0
  }

  forgetError() {
    this.#error = 0
  }

  /** Called at the start of a render, which may have no spacer. */
  remove() {
    this.#height = 0
  }

  /** Returns the height to render. The error cannot exceed the spacer, and is zero without one. */
  heightFor(estimate: number): number {
    this.#error = estimate > 0 ? Math.max(this.#error, -estimate) : 0
    this.#height = estimate > 0 ? estimate + this.#error : 0
    return this.#height
  }

  /** Preact diffs against the height it last wrote, not the one that `absorb` set. */
  restoreHeight() {
    if (this.element.current) this.element.current.style.blockSize = `${this.#height}px`
  }

  /** Takes up a shift in px of the rows below; false if the spacer is too small. */
  absorb(moved: number): boolean {
    const height = this.#height - moved
    if (!this.element.current || height < 0) return false
    this.#error -= moved
    this.#height = height
    this.restoreHeight()
    return true
  }
}

/** The rows that are visible first: at a message to show, the New line, the last position, or the end. */
export function initialSpan(items: Item[], { reveal, scrollPosition }: Channel): Span {
  const id = reveal.peek()?.id
  const at = items.findIndex(item =>
    id === undefined ? item.kind === 'new' : isRowItem(item) && rowsOf(item).some(row => row.row.id === id),
  )
  const found = at >= 0 || id !== undefined ? at : items.findIndex(item => item.key === scrollPosition?.key)
  if (found < 0) return { from: indexBefore(items, items.length, lastSeen.height + SPARE), to: items.length }
  const above = id === undefined ? BELOW_TOP : lastSeen.height / 2
  return {
    from: indexBefore(items, found, above + SPARE),
    to: indexAfter(items, found, lastSeen.height - above + SPARE),
  }
}

/** Index of the item that lies this many px before another. */
function indexBefore(items: Item[], index: number, pixels: number): number {
  let at = index
  const heights = heightsIn(lastSeen.layout)
  for (let left = pixels; left > 0 && at > 0 && index - at < MAX_FIRST; )
    left -= heightOf(items[--at]!, heights, lastSeen.width)
  return at
}

/** Index of the item that lies this many px after another. */
function indexAfter(items: Item[], index: number, pixels: number): number {
  let at = index
  const heights = heightsIn(lastSeen.layout)
  for (let left = pixels; left > 0 && at < items.length && at - index < MAX_FIRST; )
    left -= heightOf(items[at++]!, heights, lastSeen.width)
  return at
}
