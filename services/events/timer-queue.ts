import type { Milliseconds } from '#shared/domain/units.ts'

/** An element of the timer queue. Only the queue writes `due` and `heapIndex`. */
export interface TimerEntry {
  due: Milliseconds
  /** Index in the heap, -1 when not queued. */
  heapIndex: number
}

export const notQueued = (): TimerEntry => ({ due: Infinity, heapIndex: -1 })

/** A timer queue: an indexed heap, so that entries can be moved, with a single timer for the earliest entry. */
export class TimerQueue<E extends TimerEntry> {
  readonly #heap: E[] = []
  readonly #now: () => Milliseconds
  readonly #onDue: (due: E[]) => void
  #timer: NodeJS.Timeout | undefined
  #immediate: NodeJS.Immediate | undefined
  #armedFor = Infinity

  constructor(now: () => Milliseconds, onDue: (due: E[]) => void) {
    this.#now = now
    this.#onDue = onDue
  }

  /** Inserts or moves the entry; Infinity removes it. */
  set(entry: E, due: Milliseconds) {
    if (due === Infinity) return this.remove(entry)
    if (entry.heapIndex >= 0 && entry.due === due) return
    entry.due = due
    if (entry.heapIndex < 0) {
      entry.heapIndex = this.#heap.length
      this.#heap.push(entry)
    }
    this.#down(this.#up(entry.heapIndex))
    this.#arm()
  }

  remove(entry: E) {
    const { heapIndex } = entry
    entry.due = Infinity
    if (heapIndex < 0) return
    entry.heapIndex = -1
    const last = this.#heap.pop()!
    if (last === entry) return
    this.#put(heapIndex, last)
    this.#down(this.#up(heapIndex))
  }

  get size(): number {
    return this.#heap.length
  }

  stop() {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    for (const entry of this.#heap.splice(0)) entry.heapIndex = -1
  }

  #arm() {
    const first = this.#heap[0]?.due ?? Infinity
    if (first >= this.#armedFor) return
    clearTimeout(this.#timer)
    this.#armedFor = first
    const wait = first - this.#now()
    // Overdue entries wait until all notices at hand are processed, and then form a single batch.
    if (wait <= 0) this.#immediate ??= setImmediate(this.#fire)
    else this.#timer = setTimeout(this.#fire, Math.ceil(wait))
  }

  readonly #fire = () => {
    clearTimeout(this.#timer)
    clearImmediate(this.#immediate)
    this.#immediate = undefined
    const now = this.#now()
    const due: E[] = []
    while (this.#heap.length > 0 && this.#heap[0]!.due <= now) {
      due.push(this.#heap[0]!)
      this.remove(this.#heap[0]!)
    }
    this.#armedFor = Infinity
    if (due.length > 0) this.#onDue(due)
    this.#arm()
  }

  #up(place: number): number {
    const entry = this.#heap[place]!
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (this.#heap[parent]!.due <= entry.due) break
      this.#put(place, this.#heap[parent]!)
      place = parent
    }
    this.#put(place, entry)
    return place
  }

  #down(place: number) {
    const entry = this.#heap[place]!
    for (;;) {
      let child = 2 * place + 1
      if (child >= this.#heap.length) break
      if (child + 1 < this.#heap.length && this.#heap[child + 1]!.due < this.#heap[child]!.due) child++
      if (this.#heap[child]!.due >= entry.due) break
      this.#put(place, this.#heap[child]!)
      place = child
    }
    this.#put(place, entry)
  }

  #put(place: number, entry: E) {
    this.#heap[place] = entry
    entry.heapIndex = place
  }
}
