import { crc32, deflateSync } from 'node:zlib'
import { expect } from 'chai'
import sharp, { type Sharp } from 'sharp'
import { openSite, type Page, type Site } from '#shared/test-kit/site.ts'
import { cardPicture } from './card-picture.ts'
import { FetchError, type Guard, openGuard } from './guarded-fetch.ts'

const plain = (width: number, height: number, background = 'teal') =>
  sharp({ create: { width, height, channels: 3, background } })
const noise = (width: number, height: number) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'gray',
      noise: { type: 'gaussian', mean: 128, sigma: 80 },
    },
  })

describe('the picture of a card (interface 2.9)', () => {
  let site: Site
  let guard: Guard
  before(async () => {
    site = await openSite()
    guard = openGuard({ allow: () => [site.host] })
  })
  after(async () => {
    await guard.close()
    site.close()
  })

  let count = 0
  async function picture(page: Page, signal = new AbortController().signal, card = 'card') {
    const path = `/${count++}`
    site.pages[path] = page
    return cardPicture(guard, new URL(site.url + path), card, signal)
  }
  const made = async (image: Sharp, type = 'image/png', card?: string) =>
    picture({ type, body: await image.toBuffer() }, undefined, card)
  const sizeOf = async (bytes: Buffer) => {
    const { format, width, height, pages } = await sharp(bytes).metadata()
    return [format, width, height, pages ?? 1]
  }

  it('is re-encoded from each of the four formats, small enough to store', async () => {
    const images: [Sharp, string][] = [
      [plain(1200, 600).png(), 'image/png'],
      [plain(1200, 600).jpeg(), 'image/jpeg'],
      [plain(1200, 600).webp(), 'image/webp'],
      [plain(1200, 600).gif(), 'image/gif'],
      [plain(1200, 600).png(), 'application/octet-stream'],
      [plain(1200, 600).jpeg(), 'image/png'],
    ]
    for (const [image, type] of images) {
      const { bytes } = (await made(image, type))!
      expect(await sizeOf(bytes), type).to.deep.equal(['webp', 480, 240, 1])
    }
  })

  it('is not enlarged, and is upright', async () => {
    expect(await sizeOf((await made(plain(100, 50).png()))!.bytes)).to.deep.equal(['webp', 100, 50, 1])
    const turned = plain(600, 300).jpeg().withMetadata({ orientation: 6 })
    expect(await sizeOf((await made(turned))!.bytes)).to.deep.equal(['webp', 240, 480, 1])
  })

  it('is the first frame of an animation', async () => {
    const frames = await Promise.all(
      ['red', 'green', 'blue'].map(colour => plain(64, 64, colour).png().toBuffer()),
    )
    const moving = sharp(frames, { join: { animated: true } }).gif()
    expect((await sharp(await moving.toBuffer()).metadata()).pages).to.equal(3)
    const { bytes } = (await made(moving, 'image/gif'))!
    expect(await sizeOf(bytes)).to.deep.equal(['webp', 64, 64, 1])
    const [red, green, blue] = (await sharp(bytes).stats()).channels.map(channel => channel.mean)
    expect(red! > 200 && green! < 60 && blue! < 60, `${red} ${green} ${blue}`).to.equal(true)
  })

  it('contains no metadata', async () => {
    const image = plain(64, 64)
      .withExif({
        IFD0: { Copyright: 'heather' },
        IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '57/1 0/1 0/1' },
      })
      .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/">heather</x:xmpmeta>')
      .jpeg()
    const { bytes } = (await made(image))!
    const { exif, xmp, icc, iptc } = await sharp(bytes).metadata()
    expect({ exif, xmp, icc, iptc }).to.deep.equal({
      exif: undefined,
      xmp: undefined,
      icc: undefined,
      iptc: undefined,
    })
  })

  it('takes at most 60 KiB, whatever its content', async () => {
    const { bytes } = (await made(noise(1600, 1600).jpeg({ quality: 60 }), 'image/jpeg'))!
    expect(bytes.length).to.be.at.most(60 * 1024)
  })

  it('has an id made of its bytes and its card', async () => {
    const [one, again, other] = [
      await made(plain(64, 64).png()),
      await made(plain(64, 64).png()),
      await made(plain(64, 64).png(), 'image/png', 'another card'),
    ]
    expect(one!.id).to.match(/^[0-9a-f]{32}$/)
    expect(again!.id).to.equal(one!.id)
    expect(other!.id).to.not.equal(one!.id)
  })

  it('is missing for other file types', async () => {
    const png = await plain(64, 64).png().toBuffer()
    const bodies: [string, string | Buffer][] = [
      ['text with an image type', 'this is no picture'],
      ['nothing', ''],
      ['SVG in disguise', '<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64"><script/></svg>'],
      ['a truncated picture', png.subarray(0, png.length / 2)],
      ['only a header', png.subarray(0, 33)],
      ['TIFF', await plain(64, 64).tiff().toBuffer()],
      ['AVIF', await plain(64, 64).avif().toBuffer()],
      ['a PDF', '%PDF-1.7\n%âãÏÓ\n'],
      ['a tracking pixel', await plain(1, 1).gif().toBuffer()],
      ['a separator line', await plain(800, 2).png().toBuffer()],
    ]
    for (const [what, body] of bodies)
      expect(await picture({ type: 'image/png', body }), what).to.equal(undefined)
  })

  it('is missing for a decompression bomb', async () => {
    for (const side of [8_000, 12_001, 65_000]) {
      const began = performance.now()
      expect(await picture({ type: 'image/png', body: pngOf(side, side) }), `${side}`).to.equal(undefined)
      expect(performance.now() - began).to.be.below(1_000)
    }
  })

  it('is refused for a wrong content type or an excessive length', async () => {
    const refused: Page[] = [
      { type: 'image/svg+xml', body: '<svg/>' },
      { type: 'image/x-icon', body: 'x' },
      { type: 'text/html', body: await plain(64, 64).png().toBuffer() },
      { type: 'image/png', body: Buffer.alloc(5 * 1024 * 1024 + 1) },
    ]
    for (const page of refused) {
      const outcome = await picture(page).catch((err: unknown) => err)
      expect(outcome, page.type).to.be.instanceOf(FetchError)
    }
  })

  it('is aborted with its card', async () => {
    const ending = new AbortController()
    const outcome = picture(
      { type: 'image/png', body: '', after: new Promise(() => {}) },
      ending.signal,
    ).catch((err: unknown) => err)
    ending.abort()
    expect(await outcome).to.be.instanceOf(FetchError)
  })
})

/** A PNG that claims a size, with rows that would compress well. */
function pngOf(width: number, height: number) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const rows = deflateSync(Buffer.alloc(1024 * 1024))
  const signature = Buffer.from('89504e470d0a1a0a', 'hex')
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', rows),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const checksum = Buffer.alloc(4)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}
