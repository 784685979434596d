/** Positions of the list's children, measured once per change: scrolling reads them in every frame. */
import { firstWhere } from './mounted-span.ts'

export interface Position {
  element: HTMLElement
  key: string | undefined
  item: string | undefined
  /** Relative to the top of the content; the margin lies between `before` and `top`. */
  before: number
  top: number
  bottom: number
}

export class RowPositions {
  readonly #content: HTMLElement
  #elements: Map<string, HTMLElement> | undefined
  #lines: Position[] = []
  #rows: Position[] = []
  /** Height of the content when it was measured; NaN before. */
  #height = Number.NaN

  constructor(content: HTMLElement) {
    this.#content = content
  }

  /** Called after a render: the rows may be others. */
  drawn() {
    this.#elements = undefined
    this.changed()
  }

  /** Called when sizes have changed. */
  changed() {
    this.#height = Number.NaN
  }

  element(key: string): HTMLElement | undefined {
    if (!this.#elements) {
      this.#elements = new Map()
      for (const element of this.#content.children as HTMLCollectionOf<HTMLElement>) {
        const own = element.getAttribute('data-key')
        if (own !== null) this.#elements.set(own, element)
      }
    }
    return this.#elements.get(key)
  }

  /** Every child of the content: rows, date lines and spacers. */
  get lines(): readonly Position[] {
    const box = this.#content.getBoundingClientRect()
    if (box.height !== this.#height) this.#measure(box)
    return this.#lines
  }

  /** The lines with a key, which an anchor can hold. */
  get rows(): readonly Position[] {
    void this.lines
    return this.#rows
  }

  /** The rows between two y coordinates of the window. */
  between(top: number, bottom: number): { row: Position; top: number }[] {
    const box = this.#content.getBoundingClientRect()
    if (box.height !== this.#height) this.#measure(box)
    let first = this.#firstBelow(top - box.top)
    // Growth and shrinkage may cancel out, so an equal total height proves nothing.
    const seen = this.#rows[first]
    if (seen && Math.abs(seen.element.getBoundingClientRect().top - box.top - seen.top) > 0.01) {
      this.#measure(box)
      first = this.#firstBelow(top - box.top)
    }
    const found: { row: Position; top: number }[] = []
    for (let at = first; at < this.#rows.length; at++) {
      const row = this.#rows[at]!
      if (row.top + box.top >= bottom) break
      found.push({ row, top: row.top + box.top })
    }
    return found
  }

  /** Writes numbers to the DOM directly: they change with every page of older rows, and rows need no render for it. */
  numberRows(numbers: ReadonlyMap<string, number>) {
    for (const { element, item } of this.lines) {
      const now = String(numbers.get(item ?? '') ?? '')
      if (now !== '' && element.getAttribute('aria-posinset') !== now)
        element.setAttribute('aria-posinset', now)
    }
  }

  #firstBelow(top: number) {
    return firstWhere(this.#rows.length, at => this.#rows[at]!.bottom > top)
  }

  #measure(box: DOMRect) {
    this.#lines = []
    let before = 0
    for (const element of this.#content.children as HTMLCollectionOf<HTMLElement>) {
      const { top, bottom } = element.getBoundingClientRect()
      this.#lines.push({
        element,
        key: element.getAttribute('data-key') ?? undefined,
        item: element.getAttribute('data-item') ?? undefined,
        before,
        top: top - box.top,
        bottom: bottom - box.top,
      })
      before = bottom - box.top
    }
    this.#rows = this.#lines.filter(({ key }) => key !== undefined)
    this.#height = box.height
  }
}
