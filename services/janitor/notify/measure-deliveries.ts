import { Counter, Gauge } from 'prom-client'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

const MEASURED_EVERY: Milliseconds = 30_000

export const failedDeliveries = new Counter({
  name: 'bothy_deliveries_failed_total',
  help: 'Deliveries of outgoing hooks that failed for good.',
})

/** Reports what waits. A receiver that is down makes `waiting` grow; a delivery that nobody tries makes the age grow. */
export function measureDeliveries({ db, clock }: Pick<Stores, 'db' | 'clock'>): void {
  let measured: Milliseconds = -Infinity
  const untried = new Gauge({
    name: 'bothy_delivery_untried_seconds',
    help: 'Age of the oldest delivery of an outgoing hook that waits for its first try; 0 without one.',
  })
  new Gauge({
    name: 'bothy_deliveries_waiting',
    help: 'Deliveries of outgoing hooks that wait for a try.',
    async collect() {
      if (performance.now() - measured < MEASURED_EVERY) return
      try {
        const { rows } = await db.query<{ waiting: number; untried: number }>(
          `select count(*)::integer as waiting,
                  coalesce($1 - min(created_ts) filter (where attempt = 0), 0) as untried
             from deliveries
            where state = 'waiting'`,
          [clock.now()],
        )
        this.set(rows[0]!.waiting)
        untried.set(Math.max(0, rows[0]!.untried))
        measured = performance.now()
      } catch {
        // bothy_store_up tells.
      }
    },
  })
}
