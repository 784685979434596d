import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REDIS_USERS, redisRights } from '#shared/stores/redis-users.ts'

/**
 * `node infra/tools/make-secrets.ts <folder>`: what docker-compose.yml needs at its first start. A secret that is
 * there stays as it is, so this may run at every start.
 */

const [folder = '/secrets'] = process.argv.slice(2)

const password = keep('database-password', () => randomBytes(24).toString('base64url'))
keep('database-url', () => `postgres://bothy:${password}@postgres:5432/bothy`)
keep('session-secret', () => randomBytes(32).toString('base64url'))

const redisPassword = keep('redis-password', () => randomBytes(24).toString('base64url'))
keep('redis-url', () => `redis://:${redisPassword}@redis:6379`)
// These processes hold no secret; any other client without a password has at most the same rights.
keepCurrent('redis-users', [
  `user default on >${redisPassword} ~* &* +@all`,
  ...REDIS_USERS.map(user => `user ${user} on nopass ${redisRights(user, 'bothy:').join(' ')}`),
])

function keep(name: string, make: () => string): string {
  const path = join(folder, name)
  if (!existsSync(path)) write(path, make())
  return readFileSync(path, 'utf8').trim()
}

/** Not a secret by itself, and another one with another version: Redis reads it when it starts. */
function keepCurrent(name: string, lines: string[]) {
  const path = join(folder, name)
  const text = `${lines.join('\n')}\n`
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return
  rmSync(path, { force: true })
  write(path, text)
}

function write(path: string, text: string) {
  // The stores read theirs under accounts of their own; only containers that need the folder mount it.
  writeFileSync(path, text, { mode: 0o444 })
  console.log(`made ${path}`)
}
