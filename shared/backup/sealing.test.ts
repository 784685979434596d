import { randomBytes } from 'node:crypto'
import { Readable, type Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { expect } from 'chai'
import { Key, newSalt } from './sealing.ts'

describe('a sealed file of a backup', () => {
  let key: Key
  before(async () => {
    key = await Key.of('four words on paper', newSalt())
  })

  const through = async (bytes: Buffer, transform: Transform, step = 10_000) => {
    const pieces = Array.from({ length: Math.ceil(bytes.length / step) }, (_, i) =>
      bytes.subarray(i * step, (i + 1) * step),
    )
    const found: Buffer[] = []
    await pipeline(Readable.from(pieces), transform, async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) found.push(chunk)
    })
    return Buffer.concat(found)
  }
  const failure = (work: Promise<unknown>) => work.then(() => 'opened', String)

  it('opens to the same bytes, whatever its size', async () => {
    for (const size of [0, 1, 65_535, 65_536, 65_537, 131_072, 200_001]) {
      const bytes = randomBytes(size)
      const sealed = await through(bytes, key.seal('a'), 7_001)
      expect((await through(sealed, key.open('a'), 9_973)).equals(bytes), String(size)).to.equal(true)
    }
  })

  it('does not open with another passphrase, under another name, or once it is changed, cut or put together anew', async () => {
    const sealed = await through(randomBytes(200_000), key.seal('a'))
    const other = await Key.of('five words on paper', key.salt)
    expect(other.matches(key.check)).to.equal(false)
    expect((await Key.of('four words on paper', key.salt)).matches(key.check)).to.equal(true)
    expect(await failure(through(sealed, other.open('a')))).to.include('authenticate')
    expect(await failure(through(sealed, key.open('b')))).to.include('authenticate')
    const [head, chunk] = [15 + 16, 65_536 + 16]
    for (const at of [0, 20, head + 5, head + chunk + 9, sealed.length - 1]) {
      const changed = Buffer.from(sealed)
      changed[at]! ^= 1
      expect(await failure(through(changed, key.open('a'))), `byte ${at}`).to.not.equal('opened')
    }
    for (const length of [0, 10, head, head + chunk, head + 2 * chunk, sealed.length - 1])
      expect(await failure(through(sealed.subarray(0, length), key.open('a')))).to.not.equal('opened')
    const exchanged = Buffer.concat([
      sealed.subarray(0, head),
      sealed.subarray(head + chunk, head + 2 * chunk),
      sealed.subarray(head, head + chunk),
      sealed.subarray(head + 2 * chunk),
    ])
    expect(await failure(through(exchanged, key.open('a')))).to.include('authenticate')
  })
})
