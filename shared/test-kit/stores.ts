import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Redis } from 'ioredis'
import pg from 'pg'
import { ROOT } from '#shared/runtime/config.ts'
import { withDatabase } from '#shared/runtime/database-url.ts'
import { migrate } from '#shared/stores/migrate.ts'
import { REDIS_USERS, type RedisUser } from '#shared/stores/redis-users.ts'
import { prepareDatabase, type RolePasswords, type RoleUrls, roleUrls } from '#shared/stores/roles.ts'
import { type OpenStores, openStores } from '#shared/stores/stores.ts'
import { type BackingServices, openBackingServices } from '../../infra/dev-stores/backing-services.ts'
import { addRedisUser, removeRedisUser } from '../../infra/dev-stores/redis.ts'
import { temporaryFolder } from '../../infra/processes/children.ts'

/** The environment of a process under test, for startService(). */
export interface TestEnvironment {
  DATABASE_URL: string
  REDIS_URL: string
  /** Redis users with the production rights of these processes. */
  PREVIEWS_REDIS_URL: string
  THUMBNAILS_REDIS_URL: string
  REDIS_PREFIX: string
  SESSION_SECRET: string
  FILES_URL: string
  SETTINGS_FILE: string
  PASSWORD_ITERATIONS: string
  LOG_LEVEL: string
}

export interface TestBacking {
  /** DATABASE_URL has the production rights of the processes: rows, no tables. */
  env: TestEnvironment
  /** The same database for the role that owns the schema, and for a superuser. */
  ownerDatabaseUrl: string
  adminDatabaseUrl: string
  /** Runs statements as a superuser: the role of DATABASE_URL may change no tables. */
  admin(statements: string): Promise<unknown>
  /** Writes settings.json, which takes effect within half a second. */
  settings(values: Record<string, unknown>): void
  /** Removes everything; after a failure the database remains for inspection while its server runs. */
  drop(): Promise<void>
}

/** The stores as a process under test opens them. */
export const storesOf = ({ env }: TestBacking): Promise<OpenStores> =>
  openStores({
    databaseUrl: env.DATABASE_URL,
    redisUrl: env.REDIS_URL,
    redisPrefix: env.REDIS_PREFIX,
    filesUrl: env.FILES_URL,
    settingsFile: env.SETTINGS_FILE,
  })

/**
 * Creates a separate database, Redis prefix and folder for a test file, in `before`; `after` drops them. Uses the
 * stores of the run (`npm test`), or starts some.
 */
export async function testBacking(): Promise<TestBacking> {
  const { databaseUrl, redisUrl, outlivesRun } = await runBacking()
  const id = randomBytes(6).toString('hex')
  const database = `bothy_test_${id}`
  const { template, roles } = await templateDatabase(databaseUrl)
  await asAdmin(databaseUrl, async admin => {
    await admin.query(`create database ${database} template ${template}`)
    if (!roles) return
    await admin.query(`alter database ${database} owner to ${new URL(roles.owner).username}`)
    await admin.query(`grant create on database ${database} to ${new URL(roles.app).username}`)
  })

  const { path: folder, remove } = temporaryFolder('bothy-test-')
  const settingsFile = join(folder, 'settings.json')
  // Rate limits are off; the few tests about them switch them on.
  const settings = (values: Record<string, unknown>) => writeFileSync(settingsFile, JSON.stringify(values))
  settings({ rate_limit_enabled: false })

  const prefix = `test:${id}:`
  const addUser = (user: RedisUser) => addRedisUser(redisUrl, user, { prefix, name: `${user}-${id}` })
  const failuresBefore = failures
  return {
    env: {
      DATABASE_URL: withDatabase(roles?.app ?? databaseUrl, database),
      REDIS_URL: redisUrl,
      PREVIEWS_REDIS_URL: await addUser('previews'),
      THUMBNAILS_REDIS_URL: await addUser('thumbnails'),
      REDIS_PREFIX: prefix,
      SESSION_SECRET: randomBytes(32).toString('hex'),
      FILES_URL: pathToFileURL(join(folder, 'files')).href,
      SETTINGS_FILE: settingsFile,
      PASSWORD_ITERATIONS: '1000',
      LOG_LEVEL: 'warn',
    },
    ownerDatabaseUrl: withDatabase(roles?.owner ?? databaseUrl, database),
    adminDatabaseUrl: withDatabase(databaseUrl, database),
    admin: statements => asAdmin(withDatabase(databaseUrl, database), client => client.query(statements)),
    settings,
    async drop() {
      remove()
      for (const user of REDIS_USERS) await removeRedisUser(redisUrl, `${user}-${id}`)
      await forgetPrefix(redisUrl, prefix)
      if (outlivesRun && failures > failuresBefore) {
        return
      }
      await asAdmin(databaseUrl, admin => admin.query(`drop database if exists ${database} with (force)`))
    },
  }
}

let failures = 0

/** Called by the hook that runs after every test. */
export const noteFailure = () => {
  failures++
}

let opened: Promise<BackingServices> | undefined

/** The stores of this run: those of `npm test`, or ones for this process only. */
async function runBacking() {
  const { TEST_DATABASE_URL, TEST_REDIS_URL, TEST_BACKING_STAYS } = process.env
  if (TEST_DATABASE_URL && TEST_REDIS_URL) {
    return {
      databaseUrl: TEST_DATABASE_URL,
      redisUrl: TEST_REDIS_URL,
      outlivesRun: TEST_BACKING_STAYS === '1',
    }
  }
  opened ??= openBackingServices({ ephemeral: true, say })
  return { ...(await opened), outlivesRun: Boolean(process.env['DATABASE_URL']) }
}

/** Called once, after the last test. */
export async function closeRunBacking(): Promise<void> {
  if (opened) await (await opened).stop()
  opened = undefined
}

interface Template {
  template: string
  /** Undefined if the given role is not a superuser; it then serves for everything. */
  roles: RoleUrls | undefined
}

/** The template's name contains a hash of the migrations, so that a changed migration creates a new template. */
async function templateDatabase(databaseUrl: string): Promise<Template> {
  const folder = join(ROOT, 'shared/stores/migrations')
  const hash = createHash('sha256')
  for (const file of readdirSync(folder).sort()) hash.update(file).update(readFileSync(join(folder, file)))
  const name = `bothy_template_${hash.digest('hex').slice(0, 12)}`

  const passwords = passwordsFor(databaseUrl)
  const roles = await asAdmin(databaseUrl, async admin => {
    const { rows } = await admin.query<{ rolsuper: boolean }>(
      'select rolsuper from pg_roles where rolname = current_user',
    )
    const urls = rows[0]!.rolsuper ? roleUrls(databaseUrl, passwords) : undefined
    // With several test processes the first creates the template, the others wait and find it.
    await admin.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await admin.query('select from pg_database where datname = $1', [name])
    if (rowCount) return urls
    await admin.query(`drop database if exists ${name}_new with (force)`)
    await admin.query(`create database ${name}_new`)
    if (urls) await prepareDatabase(withDatabase(databaseUrl, `${name}_new`), passwords)
    await migrate(withDatabase(urls?.owner ?? databaseUrl, `${name}_new`))
    // Renamed when complete: an incomplete database is never used as the template.
    await admin.query(`alter database ${name}_new rename to ${name}`)
    return urls
  })
  return { template: name, roles }
}

/** Equal in all test processes of a run, because roles belong to the server. */
function passwordsFor(databaseUrl: string): RolePasswords {
  const passwordOf = (role: string) =>
    createHash('sha256')
      .update(`${role} ${new URL(databaseUrl).password}`)
      .digest('hex')
  return { owner: passwordOf('owner'), app: passwordOf('app') }
}

async function asAdmin<T>(databaseUrl: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = new pg.Client({ connectionString: databaseUrl })
  await admin.connect()
  try {
    return await work(admin)
  } finally {
    await admin.end()
  }
}

async function forgetPrefix(redisUrl: string, prefix: string) {
  const redis = new Redis(redisUrl)
  try {
    for await (const keys of redis.scanStream({ match: `${prefix}*`, count: 1_000 })) {
      if (keys.length > 0) await redis.unlink(...keys)
    }
  } finally {
    redis.disconnect()
  }
}

function say(line: string) {
  process.stderr.write(`${line}\n`)
}
