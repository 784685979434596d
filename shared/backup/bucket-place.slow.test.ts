import { createHash, randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { startS3, type TestS3 } from '#shared/test-kit/s3.ts'
import { openPlace } from './open-place.ts'

const MIB = 1024 * 1024

describe('a bucket of backups', () => {
  const environment = { ...process.env }
  let s3: TestS3
  before(async () => {
    s3 = await startS3()
    Object.assign(process.env, s3.keys)
  })
  after(async () => {
    process.env = environment
    await s3.stop()
  })

  it('stores and reads a stream of any length, of which little is in memory', async () => {
    const place = openPlace(s3.urlOf('backups'))
    const chunk = randomBytes(64 * 1024)
    const count = (300 * MIB) / chunk.length
    const [written, read] = [createHash('sha256'), createHash('sha256')]
    async function* source() {
      for (let i = 0; i < count; i++) {
        written.update(chunk)
        yield chunk
      }
    }
    let most = 0
    const before = process.memoryUsage().arrayBuffers
    const sampling = setInterval(() => {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
    }, 10)
    try {
      await place.write('large', source())
      for await (const bytes of await place.read('large')) read.update(bytes as Buffer)
    } finally {
      clearInterval(sampling)
    }
    expect(read.digest('hex')).to.equal(written.digest('hex'))
    // The server of the test is in this process, too.
    expect(most / MIB).to.be.lessThan(200)
  }).timeout(240_000)

  it('reads a content on where the bucket broke off', async () => {
    const place = openPlace(s3.urlOf('backups'))
    const bytes = randomBytes(3 * MIB)
    async function* source() {
      yield bytes
    }
    await place.write('film', source())
    let reads = 0
    s3.atRequest = line => {
      s3.door = line.startsWith('GET') && reads++ === 0 ? 'cut' : 'open'
    }
    const chunks: Buffer[] = []
    for await (const chunk of await place.read('film')) chunks.push(chunk as Buffer)
    s3.atRequest = undefined
    expect(Buffer.concat(chunks).equals(bytes)).to.equal(true)
    expect(reads).to.equal(2)
  })

  it('ends a write at once when it is aborted, and leaves no parts', async () => {
    const place = openPlace(s3.urlOf('backups'))
    const ending = new AbortController()
    async function* source() {
      for (let i = 0; ; i++) {
        if (i === 400) ending.abort()
        yield randomBytes(64 * 1024)
      }
    }
    const failed = await place.write('endless', source(), ending.signal).then(
      () => undefined,
      err => err,
    )
    expect(failed).to.be.instanceOf(Error)
    expect(await place.has('endless')).to.equal(false)
    expect([...s3.begun]).to.deep.equal([])
  })
})
