import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import sharp from 'sharp'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const MIB = 1024 * 1024
const AT_ONCE = 4
/** MiB; 153 on a quiet machine, 280 beside other tests. A container of the api has 1 GiB (security 11). */
const MOST_GROWTH = 384

describe('the memory of a process that takes large images', function () {
  this.timeout(240_000)
  let world: World
  before(async () => {
    world = await newWorld({ settings: { max_upload_size_mb: 64, max_request_size_mb: 65 } })
  })
  after(() => world.end())

  /** The largest resident set so far, in MiB. */
  const peak = () =>
    Number(/^VmHWM:\s+(\d+) kB/m.exec(readFileSync(`/proc/${world.api[0]!.pid}/status`, 'utf8'))![1]) / 1024

  it('grows by a bounded amount when four of the largest that are read whole come at once', async function () {
    if (process.platform !== 'linux') return this.skip()
    // Noise, which no format makes smaller.
    const side = 3_300
    const bytes = await sharp(randomBytes(side * side * 3), {
      raw: { width: side, height: side, channels: 3 },
    })
      .png({ compressionLevel: 0 })
      .toBuffer()
    expect(bytes.length / MIB).to.be.within(31, 32)
    const { ada } = world
    await ada.sendImages('general', [{ name: 'small.png', bytes: await smallImage() }])
    const before = peak()
    const sent = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, i) => ada.sendImages('general', [{ name: `${i}.png`, bytes }])),
    )
    expect(sent.map(({ status }) => status)).to.deep.equal(Array(AT_ONCE).fill(200))
    const growth = peak() - before
    expect(growth).to.be.lessThan(MOST_GROWTH)
  })

  const smallImage = () =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } })
      .png()
      .toBuffer()
})
