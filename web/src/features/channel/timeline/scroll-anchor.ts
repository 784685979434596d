/**
 * Keeps the reader's place (ui.md 6.4). At the end the list stays at the end; elsewhere the top row keeps its
 * position to the pixel through any change above or below it.
 */
import type { RowPositions } from './row-positions.ts'

/** Distance in px from the end within which the list stays at the end. */
export const END_WITHIN = 48
/** Browsers do not scroll by less than a device pixel. */
const LEAST_SCROLL = 0.3

interface Held {
  key: string
  offset: number
  /** Px from the top of the row to its text, below the name line. Only the first row has it; undefined without a text. */
  textAt?: number | undefined
}

/** Options for restoring the position after a render. */
interface Restoring {
  /** Absorbs a shift in px above the rows, so that no row is repainted; false if it cannot. */
  absorb?: ((moved: number) => boolean) | undefined
  /** True if a row has lost or gained its name line: its text below keeps the place. */
  hasOtherHead?: ((key: string) => boolean) | undefined
}

export class ScrollAnchor {
  readonly #scroller: HTMLElement
  readonly #positions: RowPositions
  readonly #hasEnd: () => boolean
  readonly #resized: ResizeObserver
  #held: Held[] = []
  /** Sizes of the viewport and content, and the scroll position, when last read. */
  #size = ''
  #scrolled = 0
  atEnd = true

  /** `hasEnd`: whether the last row is the newest; in the middle of the history there is no end to stick to. */
  constructor(
    scroller: HTMLElement,
    content: HTMLElement,
    positions: RowPositions,
    hasEnd: () => boolean,
    onResize: () => void,
  ) {
    this.#scroller = scroller
    this.#positions = positions
    this.#hasEnd = hasEnd
    this.#resized = new ResizeObserver(() => {
      positions.changed()
      this.restore()
      onResize()
    })
    this.#resized.observe(scroller)
    this.#resized.observe(content)
  }

  get fromEnd(): number {
    const { scrollHeight, scrollTop, clientHeight } = this.#scroller
    return scrollHeight - scrollTop - clientHeight
  }

  /**
   * Remembers the position as a few visible rows, so that one of them may disappear. Restores it first if a size has
   * changed without notice: the rows now in view are not those the reader was at.
   */
  hold() {
    const hasScrolled = this.#scroller.scrollTop !== this.#scrolled
    if (this.#held.length > 0 && this.#sizeNow() !== this.#size) this.restore()
    this.#note(hasScrolled)
  }

  /** Sticks to the bottom only after a user scroll, not when content below shrinks. */
  #note(hasScrolled = true) {
    this.#look()
    this.atEnd = this.fromEnd <= (this.atEnd || hasScrolled ? END_WITHIN : 1) && this.#hasEnd()
    this.#held = this.#visible()
  }

  /** The top row and its offset in px below the edge. */
  get first(): Readonly<Held> | undefined {
    return this.#held[0]
  }

  get last(): Readonly<Held> | undefined {
    return this.#held.at(-1)
  }

  restore({ absorb, hasOtherHead }: Restoring = {}) {
    const by = this.#scrolledBy()
    if (this.atEnd && by >= 0) {
      this.#scroller.scrollTop = this.#scroller.scrollHeight
      return this.#look()
    }
    for (const held of this.#held) held.offset -= by
    for (const { key, offset, textAt } of this.#held) {
      const row = this.#positions.element(key)
      if (!row) continue
      // Not from the height: a card or the number of replies may appear in the same render.
      const lowered = textAt !== undefined && hasOtherHead?.(key) ? (textAtIn(row) ?? textAt) - textAt : 0
      const moved = this.#topOf(row) + lowered - offset
      if (moved !== 0 && !absorb?.(moved) && Math.abs(moved) >= LEAST_SCROLL)
        this.#scroller.scrollTop += moved
      break
    }
    this.#look()
  }

  /** Px scrolled by the user since the last look, without the browser's own scroll when the list gets too short. */
  #scrolledBy() {
    const by = this.#scroller.scrollTop - this.#scrolled
    return by < 0 && this.fromEnd < 1 ? 0 : by
  }

  #look() {
    this.#size = this.#sizeNow()
    this.#scrolled = this.#scroller.scrollTop
  }

  toEnd() {
    this.#look()
    this.atEnd = true
    this.restore()
  }

  /** Leaves the end: the row that the reader unfolds there keeps its top in place. */
  leaveEnd() {
    this.#note()
    this.atEnd = false
  }

  /** Scrolls a row to a distance below the top of the viewport. */
  toRow(key: string, below: number | 'middle') {
    const row = this.row(key)
    if (!row) return false
    const space =
      below === 'middle' ? Math.max(16, (this.#scroller.clientHeight - row.offsetHeight) / 2) : below
    this.#scroller.scrollTop += this.#topOf(row) - space
    this.#note()
    return true
  }

  row(key: string): HTMLElement | undefined {
    return this.#positions.element(key)
  }

  stop() {
    this.#resized.disconnect()
  }

  #sizeNow() {
    const { scrollHeight, clientHeight, clientWidth } = this.#scroller
    return `${scrollHeight} ${clientHeight} ${clientWidth}`
  }

  /** Not rounded: errors would add up over thousands of rows. */
  #topOf(row: HTMLElement) {
    return row.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top
  }

  #visible(): Held[] {
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    const held: Held[] = this.#positions
      .between(top, bottom)
      .map(({ row, top: at }) => ({ key: row.key!, offset: at - top }))
    const [first] = held
    const row = first && this.#positions.element(first.key)
    if (first && row) first.textAt = textAtIn(row)
    return held
  }
}

function textAtIn(row: HTMLElement): number | undefined {
  const text = row.querySelector('.message-row-body > :not(.message-row-head)')
  return text ? text.getBoundingClientRect().top - row.getBoundingClientRect().top : undefined
}
