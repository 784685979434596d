import type pg from 'pg'
import type { Milliseconds, Seconds } from '#shared/domain/units.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { log } from '#shared/runtime/log.ts'

const MEASURE_EVERY: Milliseconds = 10_000
const FIRST_MEASUREMENTS = 3
/** Drift of two machines' monotonic clocks at most, in seconds per second. */
const DRIFT = 1e-4

interface Measurement {
  /** Database clock minus this process's monotonic clock. */
  offset: Seconds
  /** Half the round trip. */
  error: Seconds
  at: Seconds
}

/**
 * The database's time, independent of the machine's clock (security 13): lock-outs, rings, leases and the like are
 * written by one replica and read by others. The offset from this process's monotonic clock is measured at start and
 * every ten seconds.
 */
export class DatabaseClock implements Clock {
  readonly #pool: pg.Pool
  #best: Measurement | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  now(): Seconds {
    if (!this.#best) throw new Error('the clock was not started')
    return monotonic() + this.#best.offset
  }

  async start() {
    for (let i = 0; i < FIRST_MEASUREMENTS; i++) await this.#measure()
    this.#timer = setInterval(() => {
      this.#measure().catch(err => log.debug({ err }, 'time not measured'))
    }, MEASURE_EVERY)
    this.#timer.unref()
  }

  stop() {
    clearInterval(this.#timer)
  }

  async #measure() {
    const began = monotonic()
    const { rows } = await this.#pool.query<{ time: Seconds }>(
      'select extract(epoch from clock_timestamp())::double precision as time',
    )
    const at = monotonic()
    this.#take({ offset: rows[0]!.time - (began + at) / 2, error: (at - began) / 2, at })
  }

  /** Prefers an older precise measurement to a slow new one, unless the database's clock was set meanwhile. */
  #take(measured: Measurement) {
    const best = this.#best
    const error = best ? best.error + (measured.at - best.at) * DRIFT : Infinity
    const wasSet = best !== undefined && Math.abs(measured.offset - best.offset) > error + measured.error
    if (measured.error <= error || wasSet) this.#best = measured
  }
}

const monotonic = (): Seconds => performance.now() / 1000
