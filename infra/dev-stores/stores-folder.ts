import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { ROOT } from '#shared/runtime/config.ts'
import { DATA } from '../processes/data-folder.ts'
import { canReach, storeAccount } from './store-account.ts'

/**
 * The data folder of the stores: `.data` of the clone. If the account cannot reach the clone (under /root, say), it is
 * in /var/lib/bothy, and `.data/stores` links to it.
 */
export function storesFolder(): string {
  mkdirSync(DATA, { recursive: true })
  const link = join(DATA, 'stores')
  if (existsSync(link)) return realpathSync(link)
  const account = storeAccount()
  if (!account || canReach(DATA, account)) return DATA
  const name = `${basename(ROOT)}-${createHash('sha256').update(DATA).digest('hex').slice(0, 8)}`
  const outside = join('/var/lib/bothy', name)
  mkdirSync(outside, { recursive: true, mode: 0o755 })
  symlinkSync(outside, link)
  return outside
}
