import type { Redis } from 'ioredis'
import type pg from 'pg'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Clock } from '#shared/runtime/clock.ts'
import { type Config, ConfigurationError } from '#shared/runtime/config.ts'
import { serverOf } from '#shared/runtime/database-url.ts'
import { log } from '#shared/runtime/log.ts'
import { SettingsFile } from '#shared/runtime/settings.ts'
import { reasonOf } from '#shared/runtime/variables.ts'
import { DatabaseClock } from './database-clock.ts'
import { DatabaseIdentity } from './database-identity.ts'
import { type FileStore, openFileStore } from './files.ts'
import { type Keys, keysWith } from './keys.ts'
import { assertSchemaCurrent, migrate } from './migrate.ts'
import { assertLimited, type DatabaseAddress, type Db, openPool, wrongDatabaseUrl } from './postgres.ts'
import { isUnavailable } from './postgres-errors.ts'
import { connectRedis, openRedis } from './redis.ts'
import { RowLockQueues } from './row-lock-queue.ts'
import { loadScripts, type Scripts } from './scripts.ts'
import { noteStoreFailure } from './store-failures.ts'
import { WorkspaceSettings } from './workspace-settings.ts'

/** The first argument of most server functions: stores, settings and clock. */
export interface Stores {
  db: Db
  pool: pg.Pool
  redis: Redis
  keys: Keys
  scripts: Scripts
  files: FileStore
  /** Bounds the writers per channel. */
  rowLockQueues: RowLockQueues
  settings: WorkspaceSettings
  clock: Clock
}

export interface OpenStores extends Stores {
  /** For /readyz: every store responds and the schema is current. */
  checks: Record<string, () => Promise<unknown>>
  /** Called when a restore has replaced the database. Without it, the process ends then. */
  onReplaced(renew: () => Promise<unknown> | unknown): void
  stop(): Promise<void>
}

type StoreConfig = Pick<Config, 'databaseUrl' | 'redisUrl' | 'redisPrefix' | 'settingsFile'> &
  Partial<Pick<Config, 'databaseDirectUrl' | 'databasePoolSize' | 'filesUrl'>>

/** For a process without `filesUrl`, such as a gateway. */
const NO_FILES = new Proxy({} as FileStore, {
  get() {
    throw new Error('This process has no files.')
  },
})

/**
 * Connects to all stores, retrying with back-off, and applies pending migrations. `clock` defaults to the database's
 * time.
 */
export async function openStores(config: StoreConfig, clock?: Clock): Promise<OpenStores> {
  const { databaseUrl, databaseDirectUrl } = config
  const address: DatabaseAddress = { variable: 'DATABASE_URL', url: databaseUrl }
  const direct: DatabaseAddress =
    databaseDirectUrl === undefined ? address : { variable: 'DATABASE_DIRECT_URL', url: databaseDirectUrl }
  const options = { size: config.databasePoolSize, isPooled: databaseDirectUrl !== undefined }
  const pool = openPool(databaseUrl, options)
  // First, since the lock of the migrations needs a session.
  await whenThere(address, () => assertLimited(pool, options))
  await whenThere(direct, async () => {
    const applied = await migrate(direct.url)
    if (applied.length > 0) log.info({ applied }, 'schema brought up to date')
  })
  const databaseClock = new DatabaseClock(pool)
  await whenThere(address, () => databaseClock.start())
  const identity = new DatabaseIdentity(pool)
  await whenThere(address, () => identity.start())
  const redis = openRedis(config.redisUrl)
  await connectRedis(redis)
  const settings = new WorkspaceSettings(pool, new SettingsFile(config.settingsFile))
  await whenThere(address, () => settings.start())

  return {
    db: pool,
    pool,
    redis,
    keys: keysWith(config.redisPrefix),
    scripts: loadScripts(redis),
    files: config.filesUrl === undefined ? NO_FILES : await openFileStore(config.filesUrl),
    rowLockQueues: new RowLockQueues(),
    settings,
    clock: clock ?? databaseClock,
    checks: {
      postgres: () => assertSchemaCurrent(pool),
      redis: () => redis.ping(),
    },
    onReplaced: renew => identity.onReplaced(renew),
    async stop() {
      settings.stop()
      databaseClock.stop()
      identity.stop()
      redis.disconnect()
      await pool.end()
    },
  }
}

const FIRST_WORD: Milliseconds = 3_000
const NEXT_WORDS: Milliseconds = 30_000

/** Repeats work until the database is there, with a line in the log from time to time. */
async function whenThere(address: DatabaseAddress, work: () => Promise<void>) {
  let tellAt = performance.now() + FIRST_WORD
  for (let wait = 100; ; wait = Math.min(wait * 2, 5_000)) {
    try {
      return await work()
    } catch (err) {
      if (err instanceof ConfigurationError) throw err
      const wrong = wrongDatabaseUrl(err, address)
      if (wrong) throw new ConfigurationError([wrong])
      if (lacksRight(err)) log.warn('schema is older than this program: waiting for its owner to migrate it')
      else if (isUnavailable(err)) {
        if (!noteStoreFailure(err)) log.warn({ err, wait }, 'database gave up a statement')
        else if (performance.now() > tellAt) {
          tellAt = performance.now() + NEXT_WORDS
          log.warn(
            {
              reason: reasonOf((err as { cause?: unknown }).cause ?? err),
              next: `Look at ${address.variable}, and at the log of PostgreSQL.`,
            },
            `waiting for PostgreSQL at ${serverOf(address.url)}`,
          )
        }
      } else throw err
      await new Promise(resolve => setTimeout(resolve, wait))
    }
  }
}

/**
 * True for a missing right: the role of the processes cannot migrate; `npm start` and Compose use another (roles.ts).
 */
function lacksRight(err: unknown) {
  const { code, cause } = err as { code?: string; cause?: { code?: string } }
  return (code ?? cause?.code) === '42501'
}
