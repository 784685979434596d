import { Gauge } from 'prom-client'
import type { Milliseconds } from '#shared/domain/units.ts'
import { measureDisks } from '#shared/runtime/room-metrics.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** The size of a database is the sum of its files. */
const MEASURED_EVERY: Milliseconds = 60_000

/** Reports the room of what grows: disks as far as this process sees them, database and memory of Redis. */
export function measureRoom(
  { db, redis, files }: Pick<Stores, 'db' | 'redis' | 'files'>,
  { filesUrl, backupFolder }: { filesUrl: string; backupFolder: string | undefined },
): void {
  measureDisks({
    // `npm start` tells where its stores and logs are.
    ...(JSON.parse(process.env['BOTHY_DISKS'] || '{}') as Record<string, string>),
    ...(filesUrl.startsWith('s3:') ? {} : { files: files.incoming }),
    ...(backupFolder === undefined ? {} : { backups: backupFolder }),
  })
  let measured: Milliseconds = -Infinity
  new Gauge({
    name: 'bothy_database_bytes',
    help: 'Size of the database.',
    async collect() {
      if (performance.now() - measured < MEASURED_EVERY) return
      try {
        const { rows } = await db.query<{ bytes: number }>(
          'select pg_database_size(current_database())::double precision as bytes',
        )
        this.set(rows[0]!.bytes)
        measured = performance.now()
      } catch {
        // bothy_store_up tells.
      }
    },
  })
  const ofRedis = (about: { name: string; help: string }, field: string) =>
    new Gauge({
      ...about,
      async collect() {
        this.reset()
        try {
          const [, value] = new RegExp(`^${field}:(\\d+)`, 'm').exec(await redis.info('memory')) ?? []
          if (value !== undefined) this.set(Number(value))
        } catch {
          // bothy_store_up tells.
        }
      },
    })
  ofRedis({ name: 'bothy_redis_memory_bytes', help: 'Memory that the data of Redis takes.' }, 'used_memory')
  ofRedis(
    { name: 'bothy_redis_memory_limit_bytes', help: 'Memory that Redis may use; 0 is no limit.' },
    'maxmemory',
  )
}
