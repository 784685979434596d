import { createServer } from 'node:http'
import { collectDefaultMetrics, Gauge, register } from 'prom-client'
import { readHost, readMetricsPort } from './config.ts'
import type { Health } from './health.ts'
import { listener, type Part } from './lifecycle.ts'
import { COMMIT, VERSION } from './version.ts'

/**
 * GET /metrics in the text format of Prometheus, on the port METRICS_PORT, which no front door forwards to; without it
 * nothing listens. Each module defines its metrics beside the code that it measures, and no label names a person or channel.
 */
export function metrics(health: Health, port = readMetricsPort()): Part {
  if (port === undefined) return { name: 'metrics' }
  collectDefaultMetrics()
  describeBuild()
  describeStores(health)
  const server = createServer(async (req, res) => {
    if (req.method !== 'GET' || req.url?.split('?', 1)[0] !== '/metrics') {
      res.writeHead(404, { 'Content-Type': 'text/plain; charset=utf-8' }).end('not found\n')
      return
    }
    const body = await register.metrics()
    res.writeHead(200, { 'Content-Type': register.contentType, 'Cache-Control': 'no-store' }).end(body)
  })
  return { ...listener(server, port, readHost(), 'METRICS_PORT'), name: 'metrics' }
}

function describeBuild() {
  new Gauge({ name: 'bothy_build_info', help: 'Always 1.', labelNames: ['version', 'commit'] })
    .labels(VERSION, COMMIT)
    .set(1)
}

function describeStores(health: Health) {
  new Gauge({
    name: 'bothy_store_up',
    help: 'Whether the store responds to this process: 1 or 0.',
    labelNames: ['store'],
    async collect() {
      const away = await health.unavailableStores()
      for (const name of health.stores) this.labels(name).set(away.includes(name) ? 0 : 1)
    },
  })
}
