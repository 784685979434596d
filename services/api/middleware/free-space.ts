import { statfs } from 'node:fs/promises'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Cache time of a disk check. */
const KEPT: Milliseconds = 2_000

/**
 * Reports whether the file store's disk has room for uploads. PostgreSQL often shares that disk, and a full one stops
 * everything.
 */
export function freeSpace({ files, settings }: Pick<Stores, 'files' | 'settings'>): () => Promise<boolean> {
  let looked: { at: Milliseconds; percent: Promise<number> } | undefined

  return async () => {
    const least = settings.current.min_free_disk_percent
    if (least <= 0) return true
    const now = performance.now()
    if (looked === undefined || now - looked.at >= KEPT)
      looked = { at: now, percent: freePercent(files.incoming) }
    return (await looked.percent) >= least
  }
}

/** Like `df`: percent of the space for ordinary users. If the check fails, the write itself will report it. */
async function freePercent(folder: string): Promise<number> {
  try {
    const { bavail, bfree, blocks } = await statfs(folder)
    const usable = blocks - bfree + bavail
    return usable > 0 ? (100 * bavail) / usable : 100
  } catch {
    return 100
  }
}
