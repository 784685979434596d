import { setTimeout as pause } from 'node:timers/promises'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { hasRoomHere } from './rate-limits.ts'

/** A look-up waits this long for others. */
const GATHERED: Milliseconds = 50

interface Batch {
  hashes: Buffer[]
  known: Promise<Set<string>>
}

/**
 * Looks up hashes of secrets together: unknown ones at full speed cost a statement for each GATHERED, not for each. `find`
 * returns those that are known.
 */
export function gathered(find: (stores: Stores, hashes: readonly Buffer[]) => Promise<Buffer[]>) {
  const batches = new WeakMap<Stores, Batch>()
  return async (stores: Stores, hash: Buffer): Promise<boolean> => {
    let batch = batches.get(stores)
    if (!batch) {
      const hashes: Buffer[] = []
      const known = pause(GATHERED).then(async () => {
        batches.delete(stores)
        return new Set((await find(stores, hashes)).map(one => one.toString('hex')))
      })
      batch = { hashes, known }
      batches.set(stores, batch)
    }
    batch.hashes.push(hash)
    return (await batch.known).has(hash.toString('hex'))
  }
}

/** Part of `anonymous` that an address uses before its secrets are looked up together. */
const FEW = 0.1

/** Addresses are shared: a known secret waits for the others, and is not refused for unknown ones. */
export function hasTried(stores: Stores, key: string): boolean {
  const [count] = stores.settings.current.rate_limits.anonymous
  return !hasRoomHere(stores, ['anonymous', key, Math.ceil(count * (1 - FEW))])
}
