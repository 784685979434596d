import { mkdtempSync, truncateSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect } from 'chai'
import { startS3, type TestS3 } from '#shared/test-kit/s3.ts'
import { openFileStore } from './files.ts'

const MIB = 1024 * 1024

describe('a large file in a bucket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bothy-bucket-'))
  const environment = { ...process.env }
  let s3: TestS3
  before(async () => {
    s3 = await startS3()
    Object.assign(process.env, s3.keys, { INCOMING_DIR: join(folder, 'incoming') })
  })
  after(async () => {
    process.env = environment
    await s3.stop()
    await rm(folder, { recursive: true, force: true })
  })

  it('is never in memory as a whole, whether it comes or goes', async () => {
    const files = await openFileStore(s3.urlOf('office'))
    const path = join(files.incoming, 'large')
    writeFileSync(path, '')
    truncateSync(path, 400 * MIB)
    let most = 0
    const before = process.memoryUsage().arrayBuffers
    const sampling = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }, 10)
    try {
      await files.keep(path, 'large.bin')
      let bytes = 0
      const sink = new Writable({
        write(chunk: Buffer, _, done) {
          bytes += chunk.length
          done()
        },
      })
      await pipeline((await files.read('large.bin'))!, sink)
      expect(bytes).to.equal(400 * MIB)
    } finally {
      clearInterval(sampling)
    }
    // The server of the test is in this process, too.
    expect(most / MIB).to.be.lessThan(200)
  }).timeout(240_000)
})
