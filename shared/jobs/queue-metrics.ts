import { Gauge } from 'prom-client'
import { OUTGOING_QUEUE } from './outgoing-job.ts'
import { PREVIEW_QUEUE } from './preview-job.ts'
import { queueOn } from './queue.ts'
import { THUMBNAIL_QUEUE } from './thumbnail-job.ts'

/** Counts the waiting jobs of BullMQ's queues for Prometheus. Without Redis it reports none. */
export function countWaitingJobs(stores: Parameters<typeof queueOn>[0]) {
  new Gauge({
    name: 'bothy_queue_waiting',
    help: 'Jobs that wait for a worker.',
    labelNames: ['queue'],
    async collect() {
      this.reset()
      for (const name of [PREVIEW_QUEUE, THUMBNAIL_QUEUE, OUTGOING_QUEUE]) {
        try {
          this.labels(name).set(await queueOn(stores, name).getWaitingCount())
        } catch {
          // bothy_store_up tells.
        }
      }
    },
  })
}
