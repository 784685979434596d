import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, opendir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isFileName } from '#shared/domain/file-names.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { imageExtension, THUMBNAIL_KINDS, thumbnailName } from '#shared/domain/uploads.ts'
import type { FileStore, StoredFile } from './file-store.ts'
import { uploadFolder } from './upload-folder.ts'

/** Files in a folder, which several processes may share. */
export async function openFileFolder(filesUrl: string): Promise<FileStore> {
  const folder = fileURLToPath(filesUrl)
  const incoming = join(folder, 'incoming')
  const uploads = join(folder, 'uploads')
  await mkdir(incoming, { recursive: true })
  await mkdir(uploads, { recursive: true })

  /** Throws for a name that is a path. */
  function pathOf(name: string): string {
    if (basename(name) !== name || name === '.' || name === '..') throw new Error('Not a name of a file.')
    return join(folder, name)
  }

  async function keep(path: string, name: string) {
    await sync(path, 'r+')
    try {
      await rename(path, pathOf(name))
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'EXDEV') throw err
      await copyFile(path, pathOf(name))
      await sync(pathOf(name), 'r+')
      await rm(path, { force: true })
    }
    await sync(folder, 'r')
  }

  /** Keeps the file that `write` makes, or nothing of it. */
  async function moveIn(write: (path: string) => Promise<void>, name: string) {
    const path = join(incoming, randomUUID())
    try {
      await write(path)
      await keep(path, name)
    } catch (err) {
      await rm(path, { force: true }).catch(() => {})
      throw err
    }
  }

  async function keepCopy(path: string, name: string) {
    await sync(path, 'r+')
    // A link has the time of its file: an old one would count as forgotten.
    const now = new Date()
    await utimes(path, now, now)
    try {
      await link(path, pathOf(name))
      await sync(folder, 'r')
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'ENOENT') throw err
      // The file system has no links.
      await moveIn(copy => copyFile(path, copy), name)
    }
  }

  return {
    incoming,
    uploads: uploadFolder(uploads, filesIn),
    keep,
    keepCopy,
    copy: (name, newName) => keepCopy(pathOf(name), newName),
    put: (bytes, name) => moveIn(path => writeFile(path, bytes), name),
    async size(name) {
      try {
        return (await stat(pathOf(name))).size
      } catch (err) {
        if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw err
      }
    },
    async read(name, range) {
      const bytes = createReadStream(pathOf(name), range)
      try {
        await once(bytes, 'open')
        return bytes
      } catch (err) {
        if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw err
      }
    },
    async remove(name) {
      const made =
        imageExtension(name) === undefined ? [] : THUMBNAIL_KINDS.map(kind => thumbnailName(name, kind))
      await Promise.all([name, ...made].map(one => rm(pathOf(one), { force: true })))
    },
    async *list() {
      for await (const file of filesIn(folder)) if (isFileName(file.name)) yield file
    },
    removeIncoming: before => removeOldFiles(incoming, before),
  }
}

/** Removes the files of a folder that are older; returns their number. */
export async function removeOldFiles(folder: string, before: Seconds): Promise<number> {
  let removed = 0
  for await (const { name, ts } of filesIn(folder)) {
    if (ts >= before) continue
    await rm(join(folder, name), { force: true })
    removed++
  }
  return removed
}

export async function* filesIn(folder: string): AsyncIterable<StoredFile> {
  for await (const entry of await opendir(folder)) {
    if (!entry.isFile()) continue
    try {
      const { size, mtimeMs } = await stat(join(folder, entry.name))
      yield { name: entry.name, size, ts: mtimeMs / 1000 }
    } catch (err) {
      // Removed meanwhile.
      if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
    }
  }
}

/** The caller writes a row that names the file next: bytes and name must be as durable as the row. */
async function sync(path: string, flags: 'r' | 'r+') {
  const file = await open(path, flags)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
