import type pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'

const LOOK_EVERY: Milliseconds = 2_000

/**
 * Ends the process when another database has got the name of its own, as a restore does: what a process remembers
 * (memberships, cursors, the queue's tables, that it takes part in the service) is that of the former one. Its supervisor
 * starts it anew.
 */
export class DatabaseIdentity {
  readonly #pool: pg.Pool
  #oid: number | undefined
  #timer: NodeJS.Timeout | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async start() {
    this.#oid = await this.#read()
    this.#timer = setInterval(() => {
      this.#look().catch(err => log.debug({ err }, 'database not identified'))
    }, LOOK_EVERY)
    this.#timer.unref()
  }

  stop() {
    clearInterval(this.#timer)
  }

  async #look() {
    if ((await this.#read()) === this.#oid) return
    this.stop()
    // Stops the parts of the process in order (lifecycle.ts).
    setImmediate(() => {
      throw new Error('The database was replaced: this process ends, and is started anew by its supervisor.')
    })
  }

  async #read(): Promise<number> {
    const { rows } = await this.#pool.query<{ oid: number }>(
      'select oid from pg_database where datname = current_database()',
    )
    return rows[0]!.oid
  }
}
