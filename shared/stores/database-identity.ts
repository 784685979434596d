import type pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import { log } from '#shared/runtime/log.ts'
import { assertSchemaCurrent } from './migrate.ts'

const LOOK_EVERY: Milliseconds = 2_000

type Renewal = () => Promise<unknown> | unknown

/**
 * Notices that another database has got the name of its own, as a restore does, which ends all connections. A process that
 * remembers little of the former one renews it and goes on (`onReplaced`). Others end, and their supervisor starts them
 * anew; so does a process for which the schema is not the right one.
 */
export class DatabaseIdentity {
  readonly #pool: pg.Pool
  readonly #renewals: Renewal[] = []
  readonly #onConnect = () => this.#look()
  #oid: number | undefined
  #timer: NodeJS.Timeout | undefined
  #isLooking = false

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async start() {
    this.#oid = await this.#read()
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY)
    this.#timer.unref()
    // Without a pooler, the first connection after a restore is a new one.
    this.#pool.on('connect', this.#onConnect)
  }

  stop() {
    clearInterval(this.#timer)
    this.#pool.off('connect', this.#onConnect)
  }

  /** `renew` forgets what the process knows of the former database. */
  onReplaced(renew: Renewal) {
    this.#renewals.push(renew)
  }

  #look() {
    if (this.#isLooking) return
    this.#isLooking = true
    this.#compare()
      .catch(err => log.debug({ err }, 'database not identified'))
      .finally(() => {
        this.#isLooking = false
      })
  }

  async #compare() {
    const oid = await this.#read()
    if (oid === this.#oid) return
    if (this.#renewals.length === 0) return this.#end()
    try {
      await assertSchemaCurrent(this.#pool)
      for (const renew of this.#renewals) await renew()
    } catch (err) {
      log.warn({ err }, 'the process does not go on with the database that replaced the former one')
      return this.#end()
    }
    this.#oid = oid
    log.warn('the database was replaced: the process goes on with the restored one')
  }

  #end() {
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
