import { statfs } from 'node:fs/promises'
import type { Milliseconds } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Cache time of a disk check. */
const KEPT: Milliseconds = 2_000

/**
 * Reports whether the disk of the file store has room for an upload. PostgreSQL often shares that
 * disk, and a full one stops everything.
 */
export function freeSpace({
  files,
  settings,
}: Pick<Stores, 'files' | 'settings'>): (bytes?: number) => Promise<boolean> {
  let looked: { at: Milliseconds; space: Promise<Space> } | undefined

  return async (bytes = 0) => {
    const least = settings.current.min_free_disk_percent
    if (least <= 0) return true
    const now = performance.now()
    if (looked === undefined || now - looked.at >= KEPT) looked = { at: now, space: spaceOf(files.incoming) }
    const { free, usable } = await looked.space
    return usable <= 0 || (100 * (free - bytes)) / usable >= least
  }
}

interface Space {
  free: number
  usable: number
}

/** Like `df`: bytes for ordinary users. If the check fails, the write itself will report it. */
async function spaceOf(folder: string): Promise<Space> {
  try {
    const { bavail, bfree, blocks, bsize } = await statfs(folder)
    return { free: bavail * bsize, usable: (blocks - bfree + bavail) * bsize }
  } catch {
    return { free: 0, usable: 0 }
  }
}
