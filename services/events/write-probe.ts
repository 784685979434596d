import type { Milliseconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'

const EVERY: Milliseconds = 2_000
/** Writers retry a notice for six seconds (notice-log.ts), and another gateway's probe may have found out earlier. */
const LOOK_AFTERWARDS: Milliseconds = 8_000

/**
 * Checks every two seconds whether Redis takes writes. A Redis with full memory or disk, or one that became a replica,
 * can still be read: the notice feed works, but writers cannot publish. The gateway then re-evaluates everything.
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
