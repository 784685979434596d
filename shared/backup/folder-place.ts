import { constants, createWriteStream, type Stats } from 'node:fs'
import { access, lstat, mkdir, open, readdir, rename, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BACKUP, BackupFault, CHECKSUM, MANIFEST, Missing } from './layout.ts'
import type { Place } from './place.ts'

/** A folder with this ending is the remainder of a killed backup, or of one that is being removed. */
const PARTIAL = '.partial'

/** Backups in a folder: one gets its name when everything in it is on the disk. */
export class FolderPlace implements Place {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  get address() {
    return this.folder
  }

  addressOf(backup: string): string {
    return join(this.folder, backup)
  }

  async problem(): Promise<string | undefined> {
    try {
      await mkdir(this.folder, { recursive: true, mode: 0o700 })
      await access(this.folder, constants.W_OK)
    } catch (err) {
      return `BACKUP_DIR cannot be written: ${(err as Error).message}`
    }
  }

  async prepare(): Promise<void> {
    await makeFolder(this.folder)
    for (const name of await readdir(this.folder))
      if (name.endsWith(PARTIAL) && BACKUP.test(name.slice(0, -PARTIAL.length)))
        await rm(join(this.folder, name), { recursive: true, force: true })
  }

  async backups(): Promise<string[]> {
    const names = await this.namesIn('.')
    return names
      .filter(name => BACKUP.test(name))
      .toSorted()
      .toReversed()
  }

  async freeSpace(): Promise<number> {
    const { bavail, bsize } = await statfs(this.folder)
    return bavail * bsize
  }

  async namesIn(folder: string): Promise<string[]> {
    const kind = folder === '.' ? 'folder' : await this.#kindOf(folder)
    if (kind === undefined) return []
    if (kind !== 'folder') throw new BackupFault(`${folder} is no folder.`)
    try {
      return await readdir(join(this.folder, folder))
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'ENOENT') return []
      throw err
    }
  }

  async has(path: string): Promise<boolean> {
    const kind = await this.#kindOf(path)
    if (kind === 'folder') throw new BackupFault(`${path} is a folder.`)
    return kind !== undefined
  }

  /** Opens without following a link, and without waiting for the other end of a pipe. */
  async read(path: string): Promise<Readable> {
    if (!(await this.has(path))) throw new Missing(`${path} is missing.`)
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    const file = await open(join(this.folder, path), O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    return file.createReadStream()
  }

  /**
   * Throws BackupFault unless every folder of a path within the place is one, and its end a folder or file: a link could
   * lead out of the place. Undefined if there is none.
   */
  async #kindOf(path: string): Promise<'folder' | 'file' | undefined> {
    const names = path.split('/')
    if (names.some(name => name === '' || name === '.' || name === '..'))
      throw new BackupFault(`${path} is not a path in a backup.`)
    for (let count = 1; count <= names.length; count++) {
      const part = names.slice(0, count).join('/')
      const stats = await this.#lstat(part)
      if (!stats) return undefined
      if (stats.isDirectory()) continue
      if (!stats.isFile())
        throw new BackupFault(`${part} is ${stats.isSymbolicLink() ? 'a symbolic link' : 'no file'}.`)
      if (count < names.length) throw new BackupFault(`${part} is no folder.`)
      return 'file'
    }
    return 'folder'
  }

  async #lstat(path: string): Promise<Stats | undefined> {
    try {
      return await lstat(join(this.folder, path))
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw err
    }
  }

  async write(path: string, bytes: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<void> {
    const to = join(this.folder, path)
    await this.#kindOf(dirname(path))
    await makeFolder(dirname(to))
    const file = createWriteStream(`${to}.new`, { flush: true, mode: 0o600 })
    try {
      await pipeline(bytes, file, signal ? { signal } : {})
    } catch (err) {
      // On a full disk it would keep the room that others need.
      await rm(`${to}.new`, { force: true })
      throw err
    }
    await rename(`${to}.new`, to)
    await syncFolder(dirname(to))
  }

  async remove(path: string): Promise<void> {
    await this.#kindOf(dirname(path))
    await rm(join(this.folder, path), { force: true })
  }

  async begin(backup: string): Promise<string> {
    await mkdir(join(this.folder, `${backup}${PARTIAL}`), { mode: 0o700 })
    return `${backup}${PARTIAL}`
  }

  async complete(
    backup: string,
    manifest: string,
    checksum: string,
    paths: readonly string[],
  ): Promise<void> {
    const folder = join(this.folder, `${backup}${PARTIAL}`)
    for (const path of paths) await stat(join(folder, path))
    await writeFile(join(folder, MANIFEST), manifest, { flush: true })
    await writeFile(join(folder, CHECKSUM), checksum, { flush: true })
    await syncFolder(folder)
    await rename(folder, join(this.folder, backup))
    await syncFolder(this.folder)
  }

  async removeBackup(backup: string): Promise<void> {
    const doomed = join(this.folder, `${backup}${PARTIAL}`)
    try {
      await rename(join(this.folder, backup), doomed)
    } catch (err) {
      if ((err as NodeJS.ErrnoException).code !== 'ENOENT') throw err
    }
    await rm(doomed, { recursive: true, force: true })
  }
}

/** Creates a folder whose entry survives a power cut. */
async function makeFolder(path: string): Promise<void> {
  if ((await mkdir(path, { recursive: true, mode: 0o700 })) !== undefined) await syncFolder(join(path, '..'))
}

/** Makes the names in a folder as durable as the bytes behind them. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}
