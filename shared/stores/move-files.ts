import { createHash, randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pLimit from 'p-limit'
import type { FileStore } from './file-store.ts'

export interface Moved {
  copied: number
  bytes: number
  /** Were there already, with the same bytes. */
  there: number
  /** Removed at the source, with `deleteSource`. */
  deleted: number
  passes: number
}

const AT_ONCE = 4
/** Files wait for their turn in a batch, so that the list of the source may have any length. */
const BATCH = 500
/** Passes after the first take what people stored meanwhile; each is shorter than the one before. */
const MOST_PASSES = 10

/**
 * Copies all files while people write. Each is compared by its SHA-256 after it was stored, also those that a killed run
 * left, so that a run may be killed at any line and begun anew. A file that is removed at the source meanwhile may stay at
 * the target: the janitor's sweep takes files without a row. Uploads in parts are left behind; their clients begin anew.
 */
export async function moveFiles(
  source: FileStore,
  target: FileStore,
  { deleteSource = false, say = () => {} }: { deleteSource?: boolean; say?: (moved: Moved) => void } = {},
): Promise<Moved> {
  const moved: Moved = { copied: 0, bytes: 0, there: 0, deleted: 0, passes: 0 }
  const equal = new Set<string>()
  const limit = pLimit(AT_ONCE)
  for (let isNew = true; isNew && moved.passes < MOST_PASSES; moved.passes++) {
    isNew = false
    let batch: Promise<void>[] = []
    for await (const { name } of source.list()) {
      if (equal.has(name)) continue
      isNew = true
      batch.push(limit(() => one(name)))
      if (batch.length < BATCH) continue
      await Promise.all(batch)
      batch = []
      say(moved)
    }
    await Promise.all(batch)
    say(moved)
  }
  if (deleteSource) {
    for (const name of equal) {
      await source.remove(name)
      moved.deleted++
    }
  }
  return moved

  async function one(name: string) {
    const there = await target.size(name)
    if (there !== undefined && there === (await source.size(name))) {
      const [ours, theirs] = [await hashOf(source, name), await hashOf(target, name)]
      if (ours !== undefined && ours === theirs) {
        equal.add(name)
        moved.there++
        return
      }
    }
    const bytes = await copy(source, target, name)
    if (bytes === undefined) return
    equal.add(name)
    moved.copied++
    moved.bytes += bytes
  }
}

/** Returns the size; undefined if the file was removed meanwhile. */
async function copy(source: FileStore, target: FileStore, name: string): Promise<number | undefined> {
  const content = await source.read(name)
  if (!content) return undefined
  const path = join(target.incoming, randomUUID())
  const hash = createHash('sha256')
  let bytes = 0
  const tally = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  try {
    await pipeline(content, tally, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
    await target.keep(path, name)
  } catch (err) {
    await rm(path, { force: true })
    throw err
  }
  if ((await hashOf(target, name)) !== hash.digest('hex'))
    throw new Error(`${name} is not the same at the target after it was stored.`)
  return bytes
}

async function hashOf(files: FileStore, name: string): Promise<string | undefined> {
  const content = await files.read(name)
  if (!content) return undefined
  const hash = createHash('sha256')
  for await (const chunk of content) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
