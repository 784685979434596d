import { isIPv4 } from 'node:net'
import type { Rate } from '#shared/kernel/settings.ts'
import type { Milliseconds } from '#shared/rules/units.ts'
import { addressBytes } from './xor-mapped-address.ts'

/** So many neighbours are remembered; whoever was not heard of for longest is forgotten first. */
const MOST_NEIGHBOURS = 10_000

interface Bucket {
  tokens: number
  filled: Milliseconds
}

/**
 * A bucket of tokens per neighbour: an IPv4 address, or the /64 of an IPv6 one, because whoever has one address of it
 * has them all. A bucket holds `count` and fills up within `seconds`. The time is handed in, and only ever grows.
 */
export class Allowance {
  readonly #buckets = new Map<string, Bucket>()

  take(address: string, [count, seconds]: Rate, now: Milliseconds): boolean {
    const neighbour = neighbourOf(address)
    const { tokens, filled } = this.#buckets.get(neighbour) ?? { tokens: count, filled: now }
    const left = Math.min(count, tokens + ((now - filled) * count) / (seconds * 1000))
    const allowed = left >= 1
    // Taken out and put in again: a Map lists in the order of putting, so the first is the one to forget.
    this.#buckets.delete(neighbour)
    this.#buckets.set(neighbour, { tokens: allowed ? left - 1 : left, filled: now })
    if (this.#buckets.size > MOST_NEIGHBOURS) this.#buckets.delete(this.#buckets.keys().next().value!)
    return allowed
  }

  get size() {
    return this.#buckets.size
  }
}

function neighbourOf(address: string) {
  return isIPv4(address) ? address : addressBytes(address).slice(0, 8).join('.')
}
