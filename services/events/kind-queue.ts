import { log } from '#shared/runtime/log.ts'
import { isTimeout } from '#shared/stores/postgres-errors.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import { backOff } from './schedule.ts'
import { type Evaluation, Meter, takeBatch, undoEvaluation, type Watch } from './watch.ts'
import type { Form, Kind } from './watch-kinds.ts'

/** The watches of one kind: their queue, one query at a time if they are per viewer, and the failures of the collection. */
export class KindQueue {
  readonly #kind: Kind
  readonly #evaluate: (watches: Watch[]) => Promise<void>
  readonly #waiting: Watch[] = []
  #isQuerying = false
  readonly #meters = new Map<Form, Meter>()
  #failures = 0
  #hasWarned = false

  /** `evaluate` never throws. */
  constructor(kind: Kind, evaluate: (watches: Watch[]) => Promise<void>) {
    this.#kind = kind
    this.#evaluate = evaluate
  }

  /** Evaluates watches that are due. Watches of viewers that become due during a query share the next. */
  async add(due: readonly Watch[]) {
    if (this.#kind.per !== 'viewer') {
      for (const watch of due) void this.#evaluate([watch])
      return
    }
    this.#waiting.push(...due)
    if (this.#isQuerying) return
    this.#isQuerying = true
    while (this.#waiting.length > 0) await this.#evaluate(takeBatch(this.#waiting))
    this.#isQuerying = false
  }

  /** The meter of a new group of streams: one for all viewers where the kind is per viewer. */
  meterOf(form: Form): Meter {
    if (this.#kind.per !== 'viewer') return new Meter()
    const meter = this.#meters.get(form) ?? new Meter()
    this.#meters.set(form, meter)
    return meter
  }

  noteSuccess(watches: readonly Watch[]) {
    for (const watch of watches) {
      watch.failures = 0
      watch.timeouts = Math.max(0, watch.timeouts - 1)
      watch.retryAt = undefined
    }
    if (this.#hasWarned) {
      log.info({ event: this.#kind.name, failures: this.#failures }, 'collection works again')
    }
    this.#failures = 0
    this.#hasWarned = false
  }

  /** Undoes the evaluations and sets when they are retried. */
  noteFailure(evaluations: readonly Evaluation[], err: unknown) {
    for (const evaluation of evaluations) {
      const { watch } = evaluation
      watch.failures++
      if (isTimeout(err)) watch.timeouts++
      watch.retryAt = performance.now() + backOff(watch.failures)
      undoEvaluation(evaluation)
    }
    this.#failures++
    const facts = { event: this.#kind.name, watches: evaluations.length, err }
    // Warns once, not with every attempt, and not of a store that is away.
    if (noteStoreFailure(err, { event: this.#kind.name }) || this.#hasWarned) {
      log.debug(facts, 'collection failed')
      return
    }
    this.#hasWarned = true
    log.warn(facts, 'collection failed')
  }
}
