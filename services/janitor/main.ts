import { flushNotices } from '#shared/notices/notice-log.ts'
import { readJanitorConfig } from '#shared/runtime/config.ts'
import { Health, healthServer } from '#shared/runtime/health.ts'
import { listener, orExit, run } from '#shared/runtime/lifecycle.ts'
import { metrics } from '#shared/runtime/metrics.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import { openStores } from '#shared/stores/stores.ts'
import { announceClaim } from './announce-claim.ts'
import { Backups } from './backups.ts'
import { measureRoom } from './measure-room.ts'
import { measureDeliveries } from './notify/measure-deliveries.ts'
import { Notifier } from './notify/notifier.ts'
import { renewSecrets } from './renew-secrets.ts'
import { Schedule } from './schedule.ts'
import { startUp } from './start-up.ts'
import { tasks } from './tasks.ts'

const config = await orExit(readJanitorConfig)
/** Advisory locks of a session, pg-boss, and the snapshot of a backup. */
const directUrl = config.databaseDirectUrl ?? config.databaseUrl
const stores = await orExit(() => openStores(config))
const health = new Health(stores.checks)

measureRoom(stores, {
  filesUrl: config.filesUrl,
  backupFolder: config.backup.address?.startsWith('s3:') ? undefined : config.backup.address,
})
measureDeliveries(stores)

await run([
  { name: 'stores', stop: () => stores.stop() },
  { name: 'notices', stop: flushNotices },
  startUp(stores, config),
  announceClaim(stores, config),
  new Schedule(stores, [...tasks, renewSecrets(secretsUnder(config))], directUrl),
  new Notifier(stores, { secrets: secretsUnder(config), host: new URL(config.address).host }),
  new Backups(stores, { ...config, databaseUrl: directUrl }),
  listener(healthServer(health), config.port),
  metrics(health),
  { name: 'health', stop: () => health.drain() },
])
