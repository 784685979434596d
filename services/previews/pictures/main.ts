import { readPicturesConfig } from '#shared/runtime/config.ts'
import { Health, healthServer } from '#shared/runtime/health.ts'
import { listener, orExit, run } from '#shared/runtime/lifecycle.ts'
import { metrics } from '#shared/runtime/metrics.ts'
import { openFileStore } from '#shared/stores/files.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { thumbnails } from './thumbnails.ts'

const config = await orExit(readPicturesConfig)
const files = await orExit(() => openFileStore(config.filesUrl))
const worker = thumbnails(config.redisUrl, keysWith(config.redisPrefix), files)
const health = new Health(worker.checks)

await run([
  worker,
  listener(healthServer(health), config.port),
  metrics(health),
  { name: 'health', stop: () => health.drain() },
])
