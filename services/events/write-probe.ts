import { log } from '#shared/kernel/log.ts'
import type { Milliseconds } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

const EVERY: Milliseconds = 2_000
/** Writers try for six seconds to publish a notice (notice-log.ts), and another gateway's probe may have come earlier. */
const LOOK_AFTERWARDS: Milliseconds = 8_000

/**
 * Finds out whether Redis takes writes, every two seconds. A Redis whose memory or disk is full, or which became a replica, can be
 * read: the notice feed sees nothing wrong, but writers cannot publish. Then the gateway looks at everything instead.
 */
export class WriteProbe {
  readonly #stores: Pick<Stores, 'redis' | 'keys'>
  readonly #onRefused: () => void
  #refusedAt: Milliseconds = -Infinity
  #timer: NodeJS.Timeout | undefined

  /** Calls `onRefused` every two seconds while notices may be lost. */
  constructor(stores: Pick<Stores, 'redis' | 'keys'>, onRefused: () => void) {
    this.#stores = stores
    this.#onRefused = onRefused
  }

  start() {
    this.#timer = setInterval(() => void this.#probe(), EVERY)
  }

  stop() {
    clearInterval(this.#timer)
  }

  async #probe() {
    const { redis, keys } = this.#stores
    const wasRefused = this.#isRefused()
    try {
      await redis.set(keys.writeProbe(), 1, 'PX', 10 * EVERY)
    } catch (err) {
      this.#refusedAt = performance.now()
      if (!wasRefused) log.warn({ err }, 'Redis takes no writes: looking at everything every two seconds')
    }
    if (this.#isRefused()) this.#onRefused()
    else if (wasRefused) log.info('Redis takes writes again')
  }

  #isRefused() {
    return performance.now() - this.#refusedAt < LOOK_AFTERWARDS
  }
}
