import { type FileHandle, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Milliseconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { StoredFile, UploadsInParts } from './file-store.ts'

/** Bytes per read and write: smaller steps spend more time between the threads. */
const STEP = 1024 * 1024
/** The database takes the lock from a transaction that is idle for 10 s. The client continues after the bytes copied. */
const COPIED_WITHIN: Milliseconds = 8_000

/** Uploads in parts as files of a folder. The size of a file is what was received. */
export function uploadFolder(
  folder: string,
  filesIn: (folder: string) => AsyncIterable<StoredFile>,
): UploadsInParts {
  const pathOf = (id: string) => join(folder, id)

  async function received(id: string) {
    try {
      return (await stat(pathOf(id))).size
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'ENOENT') return 0
      throw err
    }
  }

  return {
    received,
    async append(id, part, offset) {
      if (offset === 0) await rename(part, pathOf(id))
      else await copyInto(pathOf(id), offset, part)
    },
    async sync(id) {
      const file = await open(pathOf(id), 'r+').catch((err: NodeJS.ErrnoException) => {
        // Cancelled meanwhile.
        throw err.code === 'ENOENT' ? errors.notFound() : err
      })
      try {
        await file.datasync()
      } finally {
        await file.close()
      }
    },
    async whole(id) {
      const path = pathOf(id)
      // An empty file has no parts.
      if ((await received(id)) === 0) await writeFile(path, '')
      return { path, isCopy: false }
    },
    remove: id => rm(pathOf(id), { force: true }),
    list: () => filesIn(folder),
  }
}

async function copyInto(path: string, offset: number, part: string) {
  const from = await open(part, 'r')
  const to = await open(path, 'r+')
  try {
    const buffer = Buffer.allocUnsafe(STEP)
    const end = performance.now() + COPIED_WITHIN
    for (let at = 0; ; ) {
      if (performance.now() > end) throw errors.filesUnavailable()
      const { bytesRead } = await from.read(buffer, 0, STEP, at)
      if (bytesRead === 0) return
      await writeAll(to, buffer.subarray(0, bytesRead), offset + at)
      at += bytesRead
    }
  } finally {
    await from.close()
    await to.close()
  }
}

/** A single write may be short. */
async function writeAll(to: FileHandle, bytes: Buffer, position: number) {
  for (let done = 0; done < bytes.length; )
    done += (await to.write(bytes, done, bytes.length - done, position + done)).bytesWritten
}
