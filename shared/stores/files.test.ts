import { existsSync, mkdtempSync, readlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { type FileStore, openFileStore } from './files.ts'

describe('the file store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bothy-files-'))
  let files: FileStore
  before(async () => {
    files = await openFileStore(pathToFileURL(folder).href)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  it('syncs a stored file and its folder, so that both survive a power cut', async function () {
    // Requires /proc to read the paths of open files.
    if (process.platform !== 'linux') return this.skip()
    const synced = await syncedBy(() => files.put(Buffer.from('bytes'), 'a.png'))
    expect(synced).to.have.length(2)
    expect(synced[0]).to.match(/\/incoming\//)
    expect(synced[1]).to.equal(folder)
  })

  it('gives a copy of an old upload the time of its storage, so that the sweep does not take it', async () => {
    const path = join(folder, 'uploads', 'old')
    writeFileSync(path, 'bytes')
    utimesSync(path, 1, 1)
    const name = `${'0'.repeat(32)}_copy.bin`
    await files.keepCopy(path, name)
    const times = new Map<string, number>()
    for await (const file of files.list()) times.set(file.name, file.ts)
    expect(times.get(name)).to.be.greaterThan(Date.now() / 1_000 - 60)
  })

  it('stores nothing and does not recreate its folder while that is missing', async () => {
    await rm(folder, { recursive: true })
    const outcome = await files.put(Buffer.from('bytes'), 'b.png').catch((err: NodeJS.ErrnoException) => err)
    expect(outcome).to.have.property('code', 'ENOENT')
    expect(existsSync(folder)).to.equal(false)
  })

  /** Returns the paths that `work` synced, in order. */
  async function syncedBy(work: () => Promise<void>): Promise<string[]> {
    const handle = await open(folder)
    const prototype = Object.getPrototypeOf(handle) as { sync(this: { fd: number }): Promise<void> }
    await handle.close()
    const { sync } = prototype
    const synced: string[] = []
    prototype.sync = function () {
      synced.push(readlinkSync(`/proc/self/fd/${this.fd}`))
      return sync.call(this)
    }
    try {
      await work()
    } finally {
      prototype.sync = sync
    }
    return synced
  }
})
