import { expect } from 'chai'
import fc from 'fast-check'
import sharp, { type Sharp } from 'sharp'
import { findImage } from '#shared/runtime/images.ts'
import { withoutMetadata } from './strip-metadata.ts'

const WORDS = 'Hut on the hill, 57.07 N 3.66 W'

/** Every pixel differs, so that a shift shows. */
function picture(width = 48, height = 32): Sharp {
  const raw = Buffer.from(
    Array.from({ length: width * height * 3 }, (_, i) => (i * 7919 + Math.floor(i / 144) * 31) % 256),
  )
  return sharp(raw, { raw: { width, height, channels: 3 } })
}

function tellingAll(image: Sharp, orientation: number): Sharp {
  return image
    .withExif({
      IFD0: { ImageDescription: WORDS },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '57/1 4/1 0/1',
        GPSLongitudeRef: 'W',
        GPSLongitude: '3/1 39/1 0/1',
      },
    })
    .withMetadata({ orientation, icc: 'p3' })
    .withXmp(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="r"><a>${WORDS}</a></rdf:RDF></x:xmpmeta>`,
    )
}

async function stripped(bytes: Buffer): Promise<Buffer> {
  const found = (await findImage(bytes))!
  return withoutMetadata(bytes, found)!
}

const told = (format: string, orientation: number) => ({ format, orientation, width: 40, height: 30 })

const pixels = (bytes: Buffer) => sharp(bytes, { pages: -1 }).autoOrient().raw().toBuffer()

async function animated(format: 'gif' | 'webp'): Promise<Buffer> {
  const frames = await Promise.all(
    ['teal', 'gold', 'crimson'].map(background =>
      sharp({ create: { width: 20, height: 10, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  )
  return sharp(frames, { join: { animated: true } })
    .toFormat(format, { delay: [100, 200, 300], loop: 4 })
    .toBuffer()
}

describe('the metadata of an image', () => {
  for (const format of ['jpeg', 'png', 'webp'] as const) {
    for (let orientation = 1; orientation <= 8; orientation++) {
      it(`is removed, and ${format} of orientation ${orientation} looks the same`, async () => {
        const before = await tellingAll(picture(), orientation).toFormat(format).toBuffer()
        const told = await sharp(before).metadata()
        expect(told.exif!.includes(WORDS)).to.equal(true)
        expect(told.orientation).to.equal(orientation)
        expect(told.xmp).to.be.instanceOf(Buffer)

        const after = await stripped(before)
        const found = await sharp(after).metadata()
        expect(after.includes(WORDS)).to.equal(false)
        expect([found.xmp, found.iptc]).to.deep.equal([undefined, undefined])
        expect(found.exif?.length ?? 0, 'the orientation alone').to.be.below(40)
        expect(found.orientation ?? 1).to.equal(orientation)
        expect(found.icc!.equals(told.icc!)).to.equal(true)
        expect((await pixels(after)).equals(await pixels(before))).to.equal(true)
        expect((await stripped(after)).equals(after), 'and is left alone the second time').to.equal(true)
      })
    }
  }

  it('is removed from progressive, grey, four-colour and restart-marker JPEGs', async () => {
    const kinds = [
      picture(300, 200).jpeg({ progressive: true, mozjpeg: true }),
      picture(300, 200).greyscale().jpeg(),
      picture(300, 200).toColourspace('cmyk').jpeg({ chromaSubsampling: '4:4:4' }),
    ]
    for (const kind of kinds) {
      const before = await kind.toBuffer()
      const after = await stripped(before)
      expect((await pixels(after)).equals(await pixels(before))).to.equal(true)
    }
  })

  it('is removed with everything after the end: second pictures, videos, hidden data', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
      const before = await picture().toFormat(format).toBuffer()
      const after = await stripped(Buffer.concat([before, Buffer.from(WORDS)]))
      expect(after.includes(WORDS), format).to.equal(false)
      expect(after.equals(await stripped(before)), format).to.equal(true)
    }
  })

  it('is removed from JPEG comments, IPTC and the JFIF thumbnail', async () => {
    const before = await picture().jpeg().toBuffer()
    const segment = (marker: number, text: string) => {
      const head = Buffer.from([0xff, marker, 0, 0])
      head.writeUInt16BE(text.length + 2, 2)
      return Buffer.concat([head, Buffer.from(text, 'latin1')])
    }
    const small = segment(0xe0, `JFIF\0\x01\x01\0\0\x01\0\x01\x02\x02${'abc'.repeat(4)}`)
    expect(before.includes('JFIF'), 'sharp writes none').to.equal(false)
    const telling = Buffer.concat([
      before.subarray(0, 2),
      small,
      segment(0xed, `Photoshop 3.0\0${WORDS}`),
      segment(0xe2, `MPF\0${WORDS}`),
      segment(0xfe, WORDS),
      before.subarray(2),
    ])
    const after = await stripped(telling)
    expect(after.includes(WORDS)).to.equal(false)
    expect(after.includes('abcabc')).to.equal(false)
    expect((await pixels(after)).equals(await pixels(before))).to.equal(true)
    expect(after.length, 'JFIF itself stays').to.equal(before.length + 18)
  })

  it('is removed from the texts of a PNG', async () => {
    const before = await picture().withMetadata({ density: 300 }).png().toBuffer()
    const at = before.length - 12
    const text = Buffer.concat([
      Buffer.from([0, 0, 0, WORDS.length]),
      Buffer.from(`tEXt${WORDS}0000`, 'latin1'),
    ])
    const after = await stripped(Buffer.concat([before.subarray(0, at), text, before.subarray(at)]))
    expect(after.includes(WORDS)).to.equal(false)
    expect((await sharp(after).metadata()).density, 'its size on paper stays').to.equal(300)
  })

  it('is removed from GIFs, whose animation stays the same', async () => {
    const before = await animated('gif')
    const xmp = Buffer.concat([
      Buffer.from([0x21, 0xff, 0x0b]),
      Buffer.from(`XMP DataXMP<x>${WORDS}</x>`, 'latin1'),
      Buffer.from([1, ...Array.from({ length: 256 }, (_, i) => 255 - i), 0]),
    ])
    const comment = Buffer.concat([
      Buffer.from([0x21, 0xfe, WORDS.length]),
      Buffer.from(WORDS, 'latin1'),
      Buffer.from([0]),
    ])
    const at = before.indexOf(Buffer.from([0x21, 0xff, 0x0b]))
    const after = await stripped(Buffer.concat([before.subarray(0, at), xmp, comment, before.subarray(at)]))
    expect(after.equals(before)).to.equal(true)
    const cut = await stripped(before.subarray(0, -1))
    expect(cut.equals(before), 'a missing end').to.equal(true)
  })

  it('is removed from GIFs whose screen exceeds all frames, and the screen is set to the checked size', async () => {
    const before = await animated('gif')
    const wide = Buffer.from(before)
    wide.writeUInt16LE(0xffff, 6)
    wide.writeUInt16LE(0xffff, 8)
    expect((await stripped(wide)).equals(before)).to.equal(true)
  })

  it('is removed from animated WebPs, including within frames', async () => {
    const before = await animated('webp')
    const frame = before.indexOf('ANMF')
    const length = before.readUInt32LE(frame + 4)
    const unknown = Buffer.concat([Buffer.from('NOTE\x08\0\0\0', 'latin1'), Buffer.from('57.07 N ')])
    const telling = Buffer.concat([
      before.subarray(0, frame + 8 + length),
      unknown,
      before.subarray(frame + 8 + length),
      Buffer.from('XMP \x08\0\0\0', 'latin1'),
      Buffer.from('57.07 N '),
    ])
    telling.writeUInt32LE(length + unknown.length, frame + 4)
    telling.writeUInt32LE(telling.length - 8, 4)
    const after = await stripped(telling)
    expect(after.includes('57.07')).to.equal(false)
    expect(after.equals(before)).to.equal(true)
    const found = await sharp(after, { pages: -1 }).metadata()
    expect([found.pages, found.delay, found.loop]).to.deep.equal([3, [100, 200, 300], 4])
  })

  describe('of malformed files', () => {
    const FORMATS = ['jpeg', 'png', 'webp', 'gif'] as const

    it('gives undefined, without an exception', () => {
      const anything = fc.uint8Array({ maxLength: 200 })
      const heads = fc.constantFrom(
        '',
        '\xff\xd8\xff',
        '\xff\xd8\xff\xda\0\x02',
        '\x89PNG\r\n\x1a\n',
        '\x89PNG\r\n\x1a\n\0\0\0\0IHDR0000',
        'RIFF\xff\0\0\0WEBP',
        'RIFF\xff\0\0\0WEBPVP8X\x0a\0\0\0',
        'RIFF\xff\0\0\0WEBPANMF\x20\0\0\0',
        'GIF89a\x01\0\x01\0\0\0\0',
        'GIF89a\x01\0\x01\0\0\0\0\x21\xff',
      )
      fc.assert(
        fc.property(
          heads,
          anything,
          fc.constantFrom(...FORMATS, 'svg'),
          fc.integer(),
          (head, tail, format, turn) => {
            const result = withoutMetadata(
              Buffer.concat([Buffer.from(head, 'latin1'), tail]),
              told(format, turn),
            )
            expect(result === undefined || Buffer.isBuffer(result)).to.equal(true)
          },
        ),
        { numRuns: 5_000 },
      )
    })

    it('gives undefined, or a file that has not grown, for a damaged image', async () => {
      for (const format of FORMATS) {
        const bytes =
          format === 'gif'
            ? await animated(format)
            : await tellingAll(picture(), 6).toFormat(format).toBuffer()
        fc.assert(
          fc.property(fc.nat(bytes.length - 1), fc.nat(255), fc.nat(bytes.length), (at, value, length) => {
            const damaged = Buffer.from(bytes.subarray(0, length))
            if (at < length) damaged[at] = value
            const result = withoutMetadata(damaged, told(format, 6))
            expect(result === undefined || result.length <= bytes.length + 60).to.equal(true)
          }),
          { numRuns: 1_000 },
        )
      }
    })

    it('is processed quickly, however small the parts are', function () {
      this.timeout(2_000)
      const gif = Buffer.concat([
        Buffer.from('GIF89a\x01\0\x01\0\0\0\0', 'latin1'),
        Buffer.alloc(16_000_000, '!\xfe\0', 'latin1'),
      ])
      const jpeg = Buffer.concat([
        Buffer.from('\xff\xd8\xff\xda\0\x02', 'latin1'),
        Buffer.alloc(16_000_000, '\xff\0', 'latin1'),
      ])
      const png = Buffer.concat([
        Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\0IHDR0000', 'latin1'),
        Buffer.alloc(12_000_000, '\0\0\0\0IDAT0000\0\0\0\0tEXt0000', 'latin1'),
      ])
      expect(withoutMetadata(gif, told('gif', 1))).to.equal(undefined)
      expect(withoutMetadata(jpeg, told('jpeg', 1))?.length).to.equal(jpeg.length + 2)
      expect(withoutMetadata(png, told('png', 1))).to.equal(undefined)
    })
  })
})
