import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import pLimit from 'p-limit'
import type { Milliseconds } from '#shared/domain/units.ts'
import { bucketAddress } from '#shared/runtime/bucket-address.ts'
import { Bucket, FOR_BACKUPS } from '#shared/stores/bucket.ts'
import { FilesAway } from '#shared/stores/files-away.ts'
import { BACKUP, BackupFault, CHECKSUM, FILES, MANIFEST, Missing } from './layout.ts'
import type { Place } from './place.ts'

/** A content that broke off is read on from there, so often without a further byte. */
const BREAKS = 5
const BREAK: Milliseconds = 2_000
/** The names of backups begin so until the year 2999. */
const CENTURY = '2'
/** Requests to remove. */
const AT_ONCE = 8

/**
 * Backups in a bucket, by the same paths as in a folder. Nothing can be renamed there: a backup is complete when it has a
 * manifest, which is stored last and removed first.
 */
export class BucketPlace implements Place {
  readonly address: string
  readonly folder = undefined
  readonly #bucket: Bucket

  constructor(address: string) {
    this.address = address
    this.#bucket = new Bucket(address, FOR_BACKUPS)
  }

  addressOf(backup: string): string {
    const [place = '', query] = this.address.split('?', 2)
    const path = `${place.replace(/\/+$/, '')}/${backup}`
    return query === undefined ? path : `${path}?${query}`
  }

  async problem(): Promise<string | undefined> {
    try {
      await this.#bucket.check()
    } catch (err) {
      if (!(err instanceof FilesAway)) throw err
      return `The bucket of BACKUP_DIR cannot be used: ${err.message}.`
    }
  }

  async prepare(): Promise<void> {
    await this.#bucket.check()
    for (const { name, isComplete } of await this.#begun()) if (!isComplete) await this.removeBackup(name)
    await this.#bucket.endUploads(key => {
      const [first = '', second = ''] = key.split('/')
      return BACKUP.test(first) || (first === FILES && /^[0-9a-f]{2}$/.test(second))
    })
  }

  async backups(): Promise<string[]> {
    return (await this.#begun()).filter(({ isComplete }) => isComplete).map(({ name }) => name)
  }

  /** Newest first. A backup has some 70 objects besides its files. */
  async #begun(): Promise<{ name: string; isComplete: boolean }[]> {
    const begun = new Map<string, boolean>()
    for await (const { key } of this.#bucket.list(CENTURY)) {
      const [name = '', ...rest] = key.split('/')
      if (BACKUP.test(name)) begun.set(name, begun.get(name) === true || rest.join('/') === MANIFEST)
    }
    return [...begun]
      .map(([name, isComplete]) => ({ name, isComplete }))
      .toSorted((a, b) => (a.name < b.name ? 1 : -1))
  }

  async freeSpace(): Promise<undefined> {
    return undefined
  }

  async namesIn(folder: string): Promise<string[]> {
    const names: string[] = []
    for await (const { key } of this.#bucket.list(`${folder}/`)) names.push(key.slice(folder.length + 1))
    return names
  }

  async has(path: string): Promise<boolean> {
    return (await this.#bucket.head(path)) !== undefined
  }

  async read(path: string): Promise<Readable> {
    const there = await this.#bucket.head(path)
    if (!there) throw new Missing(`${path} is missing.`)
    return Readable.from(this.#contentOf(path, there.size), { objectMode: false })
  }

  /** A restore may take no byte for minutes, while the database builds an index: the bucket then ends the connection. */
  async *#contentOf(path: string, size: number): AsyncGenerator<Buffer> {
    let [at, breaks] = [0, 0]
    while (at < size) {
      const content = await this.#bucket.read(path, { start: at, end: size - 1 })
      if (!content) throw new Missing(`${path} is missing.`)
      try {
        for await (const chunk of content as AsyncIterable<Buffer>) {
          at += chunk.length
          breaks = 0
          yield chunk
        }
        if (at < size) throw new FilesAway('the content is shorter than the bucket said')
      } catch (err) {
        if (!(err instanceof FilesAway) || ++breaks > BREAKS) throw err
        await pause(BREAK)
      }
    }
  }

  write(path: string, bytes: AsyncIterable<Buffer>, signal?: AbortSignal): Promise<void> {
    return this.#bucket.putStream(path, bytes, signal)
  }

  remove(path: string): Promise<void> {
    return this.#bucket.remove(path)
  }

  async begin(backup: string): Promise<string> {
    return backup
  }

  async complete(
    backup: string,
    manifest: string,
    checksum: string,
    paths: readonly string[],
  ): Promise<void> {
    // Another process that had reason to think that this one is dead has removed them.
    const there = new Set(await this.namesIn(backup))
    const lost = paths.find(path => !there.has(path))
    if (lost !== undefined) throw new BackupFault(`${backup}/${lost} was removed by another process.`)
    await this.#bucket.put(`${backup}/${CHECKSUM}`, Buffer.from(checksum))
    await this.#bucket.put(`${backup}/${MANIFEST}`, Buffer.from(manifest))
  }

  async removeBackup(backup: string): Promise<void> {
    await this.#bucket.remove(`${backup}/${MANIFEST}`)
    const limit = pLimit(AT_ONCE)
    const names = await this.namesIn(backup)
    await Promise.all(names.map(name => limit(() => this.#bucket.remove(`${backup}/${name}`))))
  }
}

/** True if one of both would take objects of the other for its own. */
export function isSamePlace(backups: string, files: string): boolean {
  if (!backups.startsWith('s3:') || !files.startsWith('s3:')) return false
  const [ours, theirs] = [bucketAddress(backups), bucketAddress(files)]
  if (ours.url.href !== theirs.url.href) return false
  const within = (inner: string, outer: string) =>
    [`${outer}files/`, `${outer}uploads/`].some(folder => inner.startsWith(folder))
  return (
    ours.prefix === theirs.prefix || within(ours.prefix, theirs.prefix) || within(theirs.prefix, ours.prefix)
  )
}
