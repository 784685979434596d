import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'

/** The data folder of `npm start` (infra/processes/data-folder.ts, which is not in the image). */
export const DATA = resolve(ROOT, process.env.BOTHY_DATA || '.data')

/** A value that `npm start` wrote for the operator's tools; undefined while it does not run. */
export function whileRunning(
  name: 'database-url' | 'database-admin-url' | 'redis-url' | 'address',
): string | undefined {
  const file = join(DATA, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** The address that people type, as far as it is known here. */
export function addressOfBothy(): string {
  // In a container, PORT is where the process listens; docker-compose.yml says where people reach the front door.
  const port = process.env.PUBLISHED_PORT || process.env.PORT || 3000
  return process.env.PUBLIC_URL || whileRunning('address') || `http://localhost:${port}`
}
