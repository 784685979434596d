import { readCardsConfig } from '#shared/runtime/config.ts'
import { Health, healthServer } from '#shared/runtime/health.ts'
import { listener, orExit, run } from '#shared/runtime/lifecycle.ts'
import { metrics } from '#shared/runtime/metrics.ts'
import { SettingsFile } from '#shared/runtime/settings.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { linkCards } from './link-cards.ts'
import { outgoing } from './outgoing.ts'

const config = await orExit(readCardsConfig)
const settings = new SettingsFile(config.settingsFile)
const keys = keysWith(config.redisPrefix)
const cards = linkCards(config.redisUrl, keys, settings)
const health = new Health(cards.checks)

await run([
  { name: 'settings', stop: () => settings.stop() },
  cards,
  outgoing(config.redisUrl, keys, settings),
  listener(healthServer(health), config.port),
  metrics(health),
  { name: 'health', stop: () => health.drain() },
])
