/** Metrics of the gateway, for Prometheus (shared/runtime/metrics.ts). */
import { Counter, Gauge, Histogram } from 'prom-client'
import type { KeepAlive } from './keep-alive.ts'

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const sentBytes = new Counter({
  name: 'bothy_sse_sent_bytes_total',
  help: 'Bytes of frames before compression, queued for the tabs, by event.',
  labelNames: ['event'],
})

export const frameDelays = new Histogram({
  name: 'bothy_frame_delay_seconds',
  help: 'Time from the newest change of a channel to its frame.',
  buckets: BUCKETS,
})

export const noticeLags = new Histogram({
  name: 'bothy_notice_lag_seconds',
  help: 'Time from a notice in Redis to its arrival here, by both clocks.',
  buckets: BUCKETS,
})

export const evaluations = new Histogram({
  name: 'bothy_watch_evaluation_seconds',
  help: 'Time to read a collection and to queue its frames, by event.',
  labelNames: ['event'],
  buckets: BUCKETS,
})

export function countStreams(keepAlive: KeepAlive) {
  new Gauge({
    name: 'bothy_sse_streams',
    help: 'Open event streams.',
    collect() {
      this.set(keepAlive.size)
    },
  })
}
