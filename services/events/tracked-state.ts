import { isSame, type StateHash, StateSum } from '#shared/domain/deltas.ts'
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'

/** A tab that reconnects within this time gets only the changes. */
const REMEMBERED: Milliseconds = 60_000
const MOST_STEPS = 64
/** Keys in all steps together, besides those of the state: beyond that a full frame is hardly larger. */
const MOST_KEYS = 64

/** A change of the state: the hash before it and the changed keys. */
interface Step {
  from: StateHash
  keys: string[]
  at: Milliseconds
}

/** A state of entries by key, its hash, and the keys changed since each state of the last minute. */
export class TrackedState<T = unknown> {
  #entries = new Map<string, T>()
  #sum: StateSum
  #steps: Step[] = []

  /** `channel`: the hash is valid for that channel only. */
  constructor(channel?: ChannelId) {
    this.#sum = new StateSum(channel)
  }

  get entries(): ReadonlyMap<string, T> {
    return this.#entries
  }

  get hash(): StateHash {
    return this.#sum.hash
  }

  /** Replaces the entries of `only`, or the whole state. Returns whether anything changed. */
  update(next: ReadonlyMap<string, T>, now: Milliseconds, only?: Iterable<string>): boolean {
    const from = this.hash
    const keys: string[] = []
    for (const key of only ?? this.#entries.keys()) {
      if (next.has(key) || !this.#entries.has(key)) continue
      this.#sum.remove(key, this.#entries.get(key))
      keys.push(key)
    }
    for (const [key, value] of next) {
      const before = this.#entries.get(key)
      if (before !== undefined && isSame(before, value)) continue
      if (before !== undefined) this.#sum.remove(key, before)
      this.#sum.add(key, value)
      keys.push(key)
    }
    if (only === undefined) this.#entries = new Map(next)
    else this.#merge(next, keys)
    if (keys.length > 0) this.#remember({ from, keys, at: now })
    return keys.length > 0
  }

  /** Returns the keys that may have changed since the state of this hash; undefined when that state is unknown. */
  keysSince(hash: StateHash | undefined): Set<string> | undefined {
    if (hash === undefined) return undefined
    if (hash === this.hash) return new Set()
    const first = this.#steps.findLastIndex(step => step.from === hash)
    if (first < 0) return undefined
    return new Set(this.#steps.slice(first).flatMap(step => step.keys))
  }

  #merge(next: ReadonlyMap<string, T>, keys: string[]) {
    for (const key of keys) {
      const value = next.get(key)
      if (value === undefined) this.#entries.delete(key)
      else this.#entries.set(key, value)
    }
  }

  #remember(step: Step) {
    this.#steps.push(step)
    let keys = 0
    const tooOld = this.#steps.findLastIndex((known, i) => {
      keys += known.keys.length
      return (
        step.at - known.at > REMEMBERED ||
        this.#steps.length - i > MOST_STEPS ||
        keys > MOST_KEYS + this.entries.size
      )
    })
    this.#steps.splice(0, tooOld + 1)
  }
}
