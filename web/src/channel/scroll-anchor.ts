/**
 * Nothing moves what someone is reading (ui.md 6.4). At the end the list stays at the end; elsewhere the row at the top
 * keeps its place to the pixel through any change above or below it.
 */
import type { RowPlaces } from './row-places.ts'

const END_WITHIN = 48
/** A browser does not scroll by less than the smallest dot of a screen. */
const NOTHING = 0.3

interface Held {
  key: string
  offset: number
  height: number
}

/** How a drawing is made up for. */
interface Restoring {
  /** May make room for what has moved above the rows, so that none of them is painted anew. */
  absorb?: ((moved: number) => boolean) | undefined
  /** Whether a row has lost or got its head: it is the text below that one reads. */
  hasOtherHead?: ((key: string) => boolean) | undefined
}

export class ScrollAnchor {
  readonly #scroller: HTMLElement
  readonly #places: RowPlaces
  readonly #hasEnd: () => boolean
  readonly #resized: ResizeObserver
  #held: Held[] = []
  /** Of the list and of what is in it, when they were last looked at; and how far it was scrolled then. */
  #size = ''
  #scrolled = 0
  atEnd = true

  /** `hasEnd`: whether the last row is the newest there is; in the middle of a history there is no end to stay at. */
  constructor(
    scroller: HTMLElement,
    content: HTMLElement,
    places: RowPlaces,
    hasEnd: () => boolean,
    onResize: () => void,
  ) {
    this.#scroller = scroller
    this.#places = places
    this.#hasEnd = hasEnd
    this.#resized = new ResizeObserver(() => {
      places.changed()
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
   * Remembers where the reader is: a few visible rows, so that one of them may go away. If something has changed its size
   * just now, and nobody was told yet, that is put right first: what is seen at this moment is not what they were reading.
   */
  hold() {
    const hasScrolled = this.#scroller.scrollTop !== this.#scrolled
    if (this.#held.length > 0 && this.#sizeNow() !== this.#size) this.restore()
    this.#note(hasScrolled)
  }

  /** Only who scrolls gets near enough to the end to stay at it: where a text below shrinks, nobody has gone anywhere. */
  #note(hasScrolled = true) {
    this.#look()
    this.atEnd = this.fromEnd <= (this.atEnd || hasScrolled ? END_WITHIN : 1) && this.#hasEnd()
    this.#held = this.#visible()
  }

  /** The row at the top, and how far below the edge it begins. */
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
    for (const { key, offset, height } of this.#held) {
      const row = this.#places.element(key)
      if (!row) continue
      const grown = hasOtherHead?.(key) ? row.getBoundingClientRect().height - height : 0
      const moved = this.#topOf(row) + grown - offset
      if (moved !== 0 && !absorb?.(moved) && Math.abs(moved) >= NOTHING) this.#scroller.scrollTop += moved
      break
    }
    this.#look()
  }

  /** By the reader, who may scroll in the moment that something changes. What has become too short scrolls by itself. */
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

  /** Brings a row to a place below the top of what is seen. */
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
    return this.#places.element(key)
  }

  stop() {
    this.#resized.disconnect()
  }

  #sizeNow() {
    const { scrollHeight, clientHeight, clientWidth } = this.#scroller
    return `${scrollHeight} ${clientHeight} ${clientWidth}`
  }

  /** Fractions count: rounded ones would add up over thousands of rows. */
  #topOf(row: HTMLElement) {
    return row.getBoundingClientRect().top - this.#scroller.getBoundingClientRect().top
  }

  #visible(): Held[] {
    const { top, bottom } = this.#scroller.getBoundingClientRect()
    return this.#places.between(top, bottom).map(({ row, top: at }) => ({
      key: row.key!,
      offset: at - top,
      height: row.bottom - row.top,
    }))
  }
}
