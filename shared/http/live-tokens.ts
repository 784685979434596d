import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** SQL: the token may be used at `$2`. Requires `api_tokens token` and `users account`, its owner. */
export const IS_LIVE = `token.revoked_ts is null and coalesce(token.expires_ts > $2, true) and account.state = 'active'`

/** A look-up waits this long for others. */
const GATHERED: Milliseconds = 50

interface Batch {
  hashes: Buffer[]
  live: Promise<Set<string>>
}

const batches = new WeakMap<Stores, Batch>()

/** Unknown tokens at full speed cost a statement for each GATHERED, not for each token. */
export async function isAmongLive(stores: Stores, hash: Buffer): Promise<boolean> {
  let batch = batches.get(stores)
  if (!batch) {
    const hashes: Buffer[] = []
    const live = pause(GATHERED).then(() => {
      batches.delete(stores)
      return liveHashes(stores, hashes)
    })
    batch = { hashes, live }
    batches.set(stores, batch)
  }
  batch.hashes.push(hash)
  return (await batch.live).has(hash.toString('hex'))
}

async function liveHashes({ db, clock }: Stores, hashes: readonly Buffer[]): Promise<Set<string>> {
  const { rows } = await db.query<{ hash: Buffer }>(
    `select token.hash
       from api_tokens token
       join users account on account.username = token.username
      where token.hash = any($1) and ${IS_LIVE}`,
    [hashes, clock.now()],
  )
  return new Set(rows.map(({ hash }) => hash.toString('hex')))
}
