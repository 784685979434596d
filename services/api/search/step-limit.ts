import type { Milliseconds } from '#shared/domain/units.ts'
import { type Db, isStatementTimeout } from '#shared/stores/postgres.ts'

/**
 * Time limits for steps of a transaction that only reads.
 *
 * `statement_timeout` also applies to the message that lifts it: the server starts the clock first, and on a busy machine
 * the message may be cancelled though the step was in time. This failure ends the subtransaction, and with it the limit, so
 * that the same message succeeds when sent again. It rolls back to the savepoint, which loses nothing that was read.
 */
export class StepLimit {
  readonly #db: Db
  #hasSavepoint = false
  #isSet = false

  constructor(db: Db) {
    this.#db = db
  }

  /** Undefined if the server cancelled a statement of the step. */
  async within<T>(limit: Milliseconds, step: () => Promise<T>): Promise<T | undefined> {
    const begin = this.#hasSavepoint ? ROLL_BACK : 'savepoint step'
    await this.#send(`${begin}; set local statement_timeout = ${Math.max(1, Math.ceil(limit))}`)
    this.#hasSavepoint = true
    this.#isSet = true
    try {
      return await step()
    } catch (error) {
      if (!isStatementTimeout(error)) throw error
      await this.lift()
    }
  }

  /** For statements with the limit of the transaction. */
  async lift(): Promise<void> {
    if (this.#isSet) await this.#send(ROLL_BACK)
    this.#isSet = false
  }

  async #send(message: string) {
    try {
      await this.#db.query(message)
    } catch (error) {
      if (!this.#isSet || !isStatementTimeout(error)) throw error
      await this.#db.query(message)
    }
  }
}

const ROLL_BACK = 'rollback to savepoint step'
