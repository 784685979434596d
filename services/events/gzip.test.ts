import { createGunzip, gunzipSync } from 'node:zlib'
import { expect } from 'chai'
import fc from 'fast-check'
import { addTo, type Block, deflatedBlock, GZIP_HEAD, gzipTail, storedBlock } from './gzip.ts'

function body(blocks: Block[]): Buffer {
  const sum = { crc: 0, length: 0 }
  for (const block of blocks) addTo(sum, block)
  return Buffer.concat([GZIP_HEAD, ...blocks.map(block => block.bytes), gzipTail(sum)])
}

describe('a gzip body of blocks', () => {
  it('decodes to the original data, with a valid checksum and length', () => {
    const part = fc.record({ text: fc.string({ unit: 'binary' }), times: fc.nat(100), stored: fc.boolean() })
    fc.assert(
      fc.property(fc.array(part, { maxLength: 5 }), parts => {
        const texts = parts.map(({ text, times }) => Buffer.from(text.repeat(times)))
        const blocks = texts.map((text, i) => (parts[i]!.stored ? storedBlock : deflatedBlock)(text))
        expect(gunzipSync(body(blocks)).equals(Buffer.concat(texts))).to.equal(true)
      }),
      { numRuns: 20 },
    )
  })

  it('may repeat a block many times', () => {
    const text = Buffer.from(`${'a frame that many streams share, '.repeat(10)}\n`)
    const block = deflatedBlock(text)
    expect(block.bytes.length).to.be.below(text.length / 3)
    expect(gunzipSync(body([block, storedBlock(text), block, block])).length).to.equal(4 * text.length)
  })

  it('stores more than 64 KiB', () => {
    const text = Buffer.alloc(200_000, 'äb')
    expect(gunzipSync(body([storedBlock(text)])).equals(text)).to.equal(true)
  })

  it('deflates a megabyte in one block', () => {
    const text = Buffer.from(JSON.stringify(Array.from({ length: 60_000 }, (_, i) => `reader-${i}`)))
    const block = deflatedBlock(text)
    expect(block.bytes.length).to.be.below(text.length / 2)
    expect(gunzipSync(body([block])).equals(text)).to.equal(true)
  })

  it('is decoded block by block as each arrives', async () => {
    const gunzip = createGunzip()
    gunzip.write(GZIP_HEAD)
    for (const [i, make] of [storedBlock, deflatedBlock, storedBlock, deflatedBlock].entries()) {
      const text = `frame ${i} `.repeat(50)
      const arrived = new Promise(resolve => gunzip.once('data', resolve))
      gunzip.write(make(Buffer.from(text)).bytes)
      expect(String(await arrived)).to.equal(text)
    }
    gunzip.destroy()
  })
})
