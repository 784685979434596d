import { readCardsConfig } from '#shared/kernel/config.ts'
import { Health, healthServer } from '#shared/kernel/health.ts'
import { listener, run } from '#shared/kernel/lifecycle.ts'
import { SettingsFile } from '#shared/kernel/settings.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { linkCards } from './link-cards.ts'

const config = readCardsConfig()
const settings = new SettingsFile(config.settingsFile)
const cards = linkCards(config.redisUrl, keysWith(config.redisPrefix), settings)
const health = new Health(cards.checks)

await run([
  { name: 'settings', stop: () => settings.stop() },
  cards,
  listener(healthServer(health), config.port),
  { name: 'health', stop: () => health.drain() },
])
