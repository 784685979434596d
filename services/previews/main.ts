import { readWorkerConfig } from '#shared/kernel/config.ts'
import { Health, healthServer } from '#shared/kernel/health.ts'
import { listener, run } from '#shared/kernel/lifecycle.ts'
import { openFileStore } from '#shared/stores/files.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { thumbnails } from './thumbnails.ts'

const config = readWorkerConfig()
const keys = keysWith(config.redisPrefix)
const files = await openFileStore(config.filesUrl)
const health = new Health()

await run([
  thumbnails(config.redisUrl, keys, files),
  listener(healthServer(health), config.port),
  { name: 'health', stop: () => health.drain() },
])
