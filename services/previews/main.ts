import { readWorkerConfig } from '#shared/kernel/config.ts'
import { Health, healthServer } from '#shared/kernel/health.ts'
import { listener, run, together } from '#shared/kernel/lifecycle.ts'
import { SettingsFile } from '#shared/kernel/settings.ts'
import { openFileStore } from '#shared/stores/files.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { linkCards } from './link-cards.ts'
import { thumbnails } from './thumbnails.ts'

const config = readWorkerConfig()
const keys = keysWith(config.redisPrefix)
const files = await openFileStore(config.filesUrl)
const settings = new SettingsFile(config.settingsFile)
const cards = linkCards(config.redisUrl, keys, settings)
const health = new Health(cards.checks)

await run([
  { name: 'settings', stop: () => settings.stop() },
  together(cards, thumbnails(config.redisUrl, keys, files)),
  listener(healthServer(health), config.port),
  { name: 'health', stop: () => health.drain() },
])
