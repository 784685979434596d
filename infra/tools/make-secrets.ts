import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeWhole } from '#shared/runtime/whole-file.ts'
import { REDIS_USERS, redisRights } from '#shared/stores/redis-users.ts'
import { roleUrls } from '#shared/stores/roles.ts'

/**
 * `node infra/tools/make-secrets.ts <services> <database> <redis>`: creates the secrets of docker-compose.yml in three
 * folders: for the services, for PostgreSQL and the container that prepares it, and for Redis. Runs at every start;
 * existing secrets stay. With `--new-passwords` those of the stores are made anew: infra/new-passwords.sh tells the stores.
 */

const isAnew = process.argv.includes('--new-passwords')
const [services = '/secrets', database = '/secrets-database', redis = '/secrets-redis'] = process.argv
  .slice(2)
  .filter(word => word !== '--new-passwords')
for (const folder of [services, database, redis]) mkdirSync(folder, { recursive: true })
if (isAnew) {
  for (const name of ['admin-password', 'app-password', 'owner-password'])
    rmSync(join(database, name), { force: true })
  for (const name of ['redis-password', 'redis-url']) rmSync(join(services, name), { force: true })
}

// Earlier versions kept the password of the superuser among the secrets of the services.
const before = join(services, 'database-password')
const adminPassword = keep(database, 'admin-password', () =>
  existsSync(before) ? readFileSync(before, 'utf8').trim() : newPassword(),
)
const adminUrl = `postgres://bothy:${adminPassword}@postgres:5432/bothy`
const app = keep(database, 'app-password', newPassword)
const owner = keep(database, 'owner-password', newPassword)
keepCurrent(database, 'admin-url', [adminUrl])
keepCurrent(services, 'database-url', [roleUrls(adminUrl, { owner, app }).app])
rmSync(before, { force: true })

keep(services, 'session-secret', () => randomBytes(32).toString('base64url'))
const redisPassword = keep(services, 'redis-password', newPassword)
keep(services, 'redis-url', () => `redis://:${redisPassword}@redis:6379`)
// These processes hold no secret; any other client without a password has at most the same rights.
keepCurrent(redis, 'users', [
  `user default on >${redisPassword} ~* &* +@all`,
  ...REDIS_USERS.map(user => `user ${user} on nopass ${redisRights(user, 'bothy:').join(' ')}`),
])
rmSync(join(services, 'redis-users'), { force: true })

function newPassword() {
  return randomBytes(24).toString('base64url')
}

function keep(folder: string, name: string, make: () => string): string {
  const path = join(folder, name)
  if (!existsSync(path)) write(path, make())
  return readFileSync(path, 'utf8').trim()
}

/** Writes a file that is derived from other secrets, if its content has changed. */
function keepCurrent(folder: string, name: string, lines: string[]) {
  const path = join(folder, name)
  const text = `${lines.join('\n')}\n`
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  rmSync(path, { force: true })
  write(path, text)
}

function write(path: string, text: string) {
  // Readable by all, because the stores have other accounts; a folder is mounted only where it is needed.
  writeWhole(path, text, { mode: 0o444 })
  console.log(`made ${path}`)
}
