import {
  closeSync,
  fstatSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import type { Milliseconds } from '#shared/domain/units.ts'

/** Size of a log, bytes; with the previous one it takes twice as much, and what is written within LOOK_EVERY. */
const LIMIT = 10 * 1024 * 1024
const LOOK_EVERY: Milliseconds = 60_000

/**
 * Bounds a file to which another program appends: a full one is copied to `<path>.old` and emptied. The program keeps its
 * file open, so it cannot be renamed. Lines written between the two steps are lost. Returns the undo.
 */
export function boundFile(path: string, { limit = LIMIT, every = LOOK_EVERY } = {}): () => void {
  const look = () => {
    try {
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > limit) startAnew(path, limit)
    } catch {
      // A full disk: the next look tries again.
    }
  }
  look()
  const timer = setInterval(look, every).unref()
  return () => clearInterval(timer)
}

function startAnew(path: string, limit: number) {
  const file = openSync(path, 'r')
  try {
    const { size } = fstatSync(file)
    const kept = Buffer.alloc(Math.min(size, limit))
    const read = readSync(file, kept, 0, kept.length, size - kept.length)
    writeFileSync(`${path}.old.new`, kept.subarray(0, read), { mode: 0o600 })
  } finally {
    closeSync(file)
  }
  renameSync(`${path}.old.new`, `${path}.old`)
  truncateSync(path)
}
