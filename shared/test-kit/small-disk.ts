import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const MIB = 1024 * 1024

/** A disk of its own that a test fills. */
export interface SmallDisk {
  path: string
  /** Fills the disk, but for `room` bytes. */
  fill(room?: number): void
  /** Gives the room back. */
  free(): void
  remove(): void
}

/** Mounts a disk of this size in memory. Returns undefined where that is not allowed: only root may on most systems. */
export function smallDisk(mebibytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'bothy-disk-'))
  const { status } = spawnSync('mount', [
    ...['-t', 'tmpfs', '-o', `size=${mebibytes}m,mode=755`, 'bothy-test', path],
  ])
  if (status !== 0) {
    rmSync(path, { recursive: true })
    return undefined
  }
  chmodSync(path, 0o755)
  const filler = join(path, 'filler')
  return {
    path,
    fill(room = 0) {
      const file = openSync(filler, 'a')
      try {
        for (let bytes = MIB; bytes >= 1; ) {
          try {
            writeSync(file, Buffer.alloc(bytes))
          } catch (err) {
            if ((err as NodeJS.ErrnoException).code !== 'ENOSPC') throw err
            bytes = Math.floor(bytes / 2)
          }
        }
      } finally {
        closeSync(file)
      }
      if (room > 0) spawnSync('truncate', ['-s', `-${room}`, filler])
    },
    free: () => rmSync(filler, { force: true }),
    remove() {
      // Lazily: a process that ends may have files open.
      spawnSync('umount', ['--lazy', path])
      rmSync(path, { recursive: true, force: true })
    },
  }
}
