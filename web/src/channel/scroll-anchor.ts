/**
 * Nothing moves what someone is reading (ui.md 6.4). At the end the list stays at the end; elsewhere the row at the top
 * keeps its place to the pixel through any change above or below it.
 */
const END_WITHIN = 48

interface Held {
  key: string
  offset: number
}

export class ScrollAnchor {
  readonly #scroller: HTMLElement
  readonly #content: HTMLElement
  readonly #resized: ResizeObserver
  #held: Held[] = []
  atEnd = true

  constructor(scroller: HTMLElement, content: HTMLElement, onResize: () => void) {
    this.#scroller = scroller
    this.#content = content
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

  /** Remembers where the reader is: a few visible rows, so that one of them may go away. */
  hold() {
    this.atEnd = this.fromEnd <= END_WITHIN
    this.#held = this.#visible()
  }

  restore() {
    if (this.atEnd) {
      this.#scroller.scrollTop = this.#scroller.scrollHeight
      return
    }
    for (const { key, offset } of this.#held) {
      const row = this.row(key)
      if (!row) continue
      const moved = row.offsetTop - this.#scroller.scrollTop - offset
      if (moved !== 0) this.#scroller.scrollTop += moved
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
    this.#scroller.scrollTop = row.offsetTop - space
    this.hold()
    return true
  }

  row(key: string): HTMLElement | undefined {
    return this.#rows().find(row => row.dataset.key === key)
  }

  stop() {
    this.#resized.disconnect()
  }

  #visible(): Held[] {
    const top = this.#scroller.scrollTop
    const bottom = top + this.#scroller.clientHeight
    const rows = this.#rows()
    let first = 0
    let beyond = rows.length
    while (first < beyond) {
      const middle = (first + beyond) >> 1
      const row = rows[middle]!
      if (row.offsetTop + row.offsetHeight <= top) first = middle + 1
      else beyond = middle
    }
    const held: Held[] = []
    for (let at = first; at < rows.length && rows[at]!.offsetTop < bottom; at++) {
      held.push({ key: rows[at]!.dataset.key!, offset: rows[at]!.offsetTop - top })
    }
    return held
  }

  #rows(): HTMLElement[] {
    return [...this.#content.children].filter(
      (row): row is HTMLElement => (row as HTMLElement).dataset.key !== undefined,
    )
  }
}
