import { isIPv4 } from 'node:net'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Rate } from '#shared/runtime/settings.ts'
import { addressBytes } from './xor-mapped-address.ts'

/** Neighbours remembered at most; the least recently seen goes first. */
const MOST_NEIGHBOURS = 10_000

interface Bucket {
  tokens: number
  filled: Milliseconds
}

/**
 * A token bucket per neighbour: an IPv4 address, or the /64 of an IPv6 address, since a subscriber has all addresses of
 * a /64. A bucket holds `count` tokens and refills within `seconds`. The caller passes the time, which must not go
 * back.
 */
export class Allowance {
  readonly #buckets = new Map<string, Bucket>()

  take(address: string, [count, seconds]: Rate, now: Milliseconds): boolean {
    const neighbour = neighbourOf(address)
    const { tokens, filled } = this.#buckets.get(neighbour) ?? { tokens: count, filled: now }
    const left = Math.min(count, tokens + ((now - filled) * count) / (seconds * 1000))
    const allowed = left >= 1
    // Deleted and set again: a Map keeps insertion order, so the first entry is the least recent.
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
