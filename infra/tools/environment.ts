import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isThisMachine } from '#shared/domain/own-network.ts'
import { ROOT } from '#shared/runtime/config.ts'
import { officeHost } from '#shared/runtime/office-host.ts'

/** The data folder of `npm start` (infra/processes/data-folder.ts, which is not in the image). */
export const DATA = resolve(ROOT, process.env.BOTHY_DATA || '.data')

/** A value that `npm start` wrote for the operator's tools; undefined while it does not run. */
export function whileRunning(
  name: 'database-url' | 'database-admin-url' | 'redis-url' | 'address' | 'front-door-host',
): string | undefined {
  const file = join(DATA, name)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** The address that people type, as far as it is known here: PUBLIC_URL, that of this machine in the office, or localhost. */
export function addressOfBothy(): string {
  if (process.env.PUBLIC_URL) return process.env.PUBLIC_URL
  // In a container, PORT is where the process listens; docker-compose.yml says where people reach the front door.
  const port = process.env.PUBLISHED_PORT || process.env.PORT || 3000
  const address = new URL(whileRunning('address') || `http://localhost:${port}`)
  const office = officeHost(whileRunning('front-door-host'))
  if (office !== undefined) address.hostname = office
  return address.origin
}

/** A sentence below a link that other machines cannot open; empty for others. */
export const reachOfLinks = (): string =>
  isThisMachine(new URL(addressOfBothy()).hostname)
    ? '\n\nOnly this computer can open this link. Set PUBLIC_URL to the address that people type (http://<name or address of this machine>:<port>), start bothy again, and repeat the command.'
    : ''
