/**
 * Nothing moves what someone is reading (ui.md 6.4). At the end the list stays at the end; elsewhere the row at the top
 * keeps its place to the pixel through any change above or below it.
 */
import { firstWhere } from './list-window.ts'

const END_WITHIN = 48
/** A browser does not scroll by less than the smallest dot of a screen. */
const NOTHING = 0.3

interface Held {
  key: string
  offset: number
}

export class ScrollAnchor {
  readonly #scroller: HTMLElement
  readonly #content: HTMLElement
  readonly #hasEnd: () => boolean
  readonly #resized: ResizeObserver
  #held: Held[] = []
  /** Of the list and of what is in it, when they were last looked at. */
  #size = ''
  atEnd = true

  /** `hasEnd`: whether the last row is the newest there is; in the middle of a history there is no end to stay at. */
  constructor(scroller: HTMLElement, content: HTMLElement, hasEnd: () => boolean, onResize: () => void) {
    this.#scroller = scroller
    this.#content = content
    this.#hasEnd = hasEnd
    this.#resized = new ResizeObserver(() => {
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
    if (this.#held.length > 0 && this.#sizeNow() !== this.#size) this.restore()
    this.#note()
  }

  #note() {
    this.#size = this.#sizeNow()
    this.atEnd = this.fromEnd <= END_WITHIN && this.#hasEnd()
    this.#held = this.#visible()
  }

  /** The row at the top, and how far below the edge it begins. */
  get first(): Readonly<Held> | undefined {
    return this.#held[0]
  }

  /** The same as it is now. */
  get seen(): Readonly<Held> | undefined {
    return this.#visible()[0]
  }

  get last(): Readonly<Held> | undefined {
    return this.#held.at(-1)
  }

  restore() {
    this.#size = this.#sizeNow()
    if (this.atEnd) {
      this.#scroller.scrollTop = this.#scroller.scrollHeight
      return
    }
    for (const { key, offset } of this.#held) {
      const row = this.row(key)
      if (!row) continue
      const moved = this.#topOf(row) - offset
      if (Math.abs(moved) >= NOTHING) this.#scroller.scrollTop += moved
      return
    }
  }

  toEnd() {
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
    for (const row of this.#content.children as HTMLCollectionOf<HTMLElement>)
      if (row.dataset.key === key) return row
    return undefined
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
    const rows = this.#rows()
    const first = firstWhere(rows.length, at => rows[at]!.getBoundingClientRect().bottom > top)
    const held: Held[] = []
    for (let at = first; at < rows.length; at++) {
      const box = rows[at]!.getBoundingClientRect()
      if (box.top >= bottom) break
      held.push({ key: rows[at]!.dataset.key!, offset: box.top - top })
    }
    return held
  }

  #rows(): HTMLElement[] {
    return [...this.#content.children].filter(
      (row): row is HTMLElement => (row as HTMLElement).dataset.key !== undefined,
    )
  }
}
