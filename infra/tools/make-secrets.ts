import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * `node infra/tools/make-secrets.ts <folder>`: what docker-compose.yml needs at its first start. A secret that is
 * there stays as it is, so this may run at every start.
 */

const [folder = '/secrets'] = process.argv.slice(2)

const password = keep('database-password', () => randomBytes(24).toString('base64url'))
keep('database-url', () => `postgres://bothy:${password}@postgres:5432/bothy`)
keep('session-secret', () => randomBytes(32).toString('base64url'))

function keep(name: string, make: () => string): string {
  const path = join(folder, name)
  if (!existsSync(path)) {
    // PostgreSQL reads its password under an account of its own; only containers that need the folder mount it.
    writeFileSync(path, make(), { mode: 0o444 })
    console.log(`made ${path}`)
  }
  return readFileSync(path, 'utf8').trim()
}
