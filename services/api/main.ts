import { createServer } from 'node:http'
import { readConfig } from '#shared/kernel/config.ts'
import { Health } from '#shared/kernel/health.ts'
import { listener, run } from '#shared/kernel/lifecycle.ts'
import { openStores } from '#shared/stores/stores.ts'
import { warnIfCheap } from './accounts/password-hash.ts'
import { createApp } from './app.ts'

const config = readConfig()
warnIfCheap(config)
const stores = await openStores(config)
const health = new Health(stores.checks)

const server = createServer({ maxHeaderSize: 16 * 1024 }, createApp(stores, config, health))
server.headersTimeout = 15_000
server.requestTimeout = 60_000
server.keepAliveTimeout = 65_000
server.maxHeadersCount = 100

await run([
  { name: 'stores', stop: () => stores.stop() },
  listener(server, config.port),
  { name: 'health', stop: () => health.drain() },
])
