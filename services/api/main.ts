import { createServer } from 'node:http'
import { countWaitingJobs } from '#shared/jobs/queue-metrics.ts'
import { flushNotices } from '#shared/notices/notice-log.ts'
import { readConfig } from '#shared/runtime/config.ts'
import { Health } from '#shared/runtime/health.ts'
import { listener, orExit, run } from '#shared/runtime/lifecycle.ts'
import { metrics } from '#shared/runtime/metrics.ts'
import { BODY_LIMITS, keepEarlyResponse, limitBodyTime } from '#shared/runtime/request-bodies.ts'
import { measureDisks } from '#shared/runtime/room-metrics.ts'
import { closeStalled } from '#shared/runtime/stalled-connections.ts'
import { ServiceMembership } from '#shared/service-start/service-membership.ts'
import { openStores } from '#shared/stores/stores.ts'
import { warnIfCheap } from './account/password/password-hash.ts'
import { createApp } from './app.ts'

const config = await orExit(readConfig)
warnIfCheap(config)
const stores = await orExit(() => openStores(config))
const health = new Health(stores.checks)
countWaitingJobs(stores)
// In a folder, they are on the disk of the files, which the janitor measures.
if (config.filesUrl.startsWith('s3:')) measureDisks({ temporary: stores.files.incoming })

const membership = new ServiceMembership(stores, 'api', config.stackId)
stores.onReplaced(() => stores.settings.refresh())
stores.onReplaced(() => membership.rejoin())

const app = createApp(stores, config, health)
const server = createServer({ maxHeaderSize: 16 * 1024 }, (req, res) => {
  limitBodyTime(req, () => {
    if (res.headersSent) return void req.destroy()
    res.writeHead(408, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
    res.end('request too slow')
  })
  keepEarlyResponse(req, res)
  app(req, res)
})
server.headersTimeout = 15_000
server.requestTimeout = BODY_LIMITS.uploadsWithin
server.keepAliveTimeout = 65_000
server.maxHeadersCount = 100
closeStalled(server)
// Each connection costs a socket and a buffer; further ones wait in the kernel's queue (security 11).
server.maxConnections = 10_000

await run([
  { name: 'stores', stop: () => stores.stop() },
  { name: 'notices', stop: flushNotices },
  // Before requests are accepted: the first service to start resets state of the previous run.
  membership,
  listener(server, config.port),
  metrics(health),
  { name: 'health', stop: () => health.drain() },
])
