import { existsSync, renameSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { crc32, deflateSync } from 'node:zlib'
import { expect } from 'chai'
import sharp from 'sharp'
import { imageSizeOf, isAnimated } from '#shared/domain/uploads.ts'
import { animatedPng } from '#shared/test-kit/animated-png.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('files (interface 4.4, 7)', () => {
  let world: World
  let path: string
  let bytes: Buffer
  before(async () => {
    world = await newWorld()
    bytes = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'teal' } })
      .webp()
      .toBuffer()
    await world.ada.sendImages('dm:ada:bob', [{ name: 'tile.webp', bytes }])
    path = `/files/${(await world.ada.messages('dm:ada:bob')).at(-1)!.filename}`
  })
  after(() => world.end())

  it('are served inline to readers of the channel, sandboxed and cacheable indefinitely', async () => {
    const response = await world.bob.fetch(path)
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).to.equal(true)
    expect(response.headers.get('Content-Type')).to.equal('image/webp')
    expect(response.headers.get('Content-Disposition')).to.match(/^inline/)
    expect(response.headers.get('X-Content-Type-Options')).to.equal('nosniff')
    expect(response.headers.get('Content-Security-Policy')).to.equal("default-src 'none'; sandbox")
    expect(response.headers.get('Cache-Control')).to.match(/private.*immutable/)
    const again = await world.bob.fetch(path, { headers: { 'If-None-Match': response.headers.get('ETag')! } })
    expect(again.status).to.equal(304)
  })

  it('are neither accepted nor lost while their folder is missing, which is not recreated', async () => {
    const folder = fileURLToPath(world.backing.env.FILES_URL)
    renameSync(folder, `${folder}-away`)
    try {
      for (const attempt of [
        () => world.ada.sendImages('general', [{ name: 'tile.webp', bytes }]),
        () => {
          const body = new FormData()
          body.set('avatar', new File([new Uint8Array(bytes)], 'me.webp'))
          return world.ada.fetch('/avatar', { method: 'POST', body })
        },
      ]) {
        const response = await attempt()
        expect([response.status, await response.text()]).to.deep.equal([
          503,
          'files cannot be stored or read at the moment',
        ])
      }
      expect(existsSync(folder)).to.equal(false)
    } finally {
      renameSync(`${folder}-away`, folder)
    }
    expect((await world.ada.sendImages('general', [{ name: 'tile.webp', bytes }])).status).to.equal(200)
  })

  it('return 304 for each form of a matching If-None-Match', async () => {
    const etag = (await world.bob.fetch(path)).headers.get('ETag')!
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, `"x",W/${etag} , "y"`, '*']) {
      const response = await world.bob.fetch(path, { headers: { 'If-None-Match': known } })
      expect([response.status, await response.text(), response.headers.get('ETag')], known).to.deep.equal([
        304,
        '',
        etag,
      ])
      expect(response.headers.get('Cache-Control')).to.match(/immutable/)
    }
    for (const other of ['"x"', etag.replaceAll('"', ''), `"${etag}"`, '']) {
      const response = await world.bob.fetch(path, { headers: { 'If-None-Match': other } })
      expect(response.status, other).to.equal(200)
    }
  })

  it('return all headers without a body for HEAD', async () => {
    const get = await world.bob.fetch(path)
    const head = await world.bob.fetch(path, { method: 'HEAD' })
    expect(await head.text()).to.equal('')
    for (const name of ['Content-Length', 'Content-Type', 'ETag', 'Accept-Ranges', 'Cache-Control'])
      expect(head.headers.get(name), name).to.equal(get.headers.get(name))
    expect(Number(head.headers.get('Content-Length'))).to.equal(bytes.length)
    expect(head.headers.get('Cross-Origin-Resource-Policy')).to.equal('same-origin')
    const range = await world.bob.fetch(path, { method: 'HEAD', headers: { Range: 'bytes=0-3' } })
    expect(range.status, 'a range belongs to GET').to.equal(200)
  })

  it('support ranges (RFC 9110, 14)', async () => {
    const size = bytes.length
    const last = size - 1
    const table: [range: string, status: number, start?: number, end?: number][] = [
      ['bytes=0-0', 206, 0, 0],
      ['bytes=0-3', 206, 0, 3],
      ['bytes=10-', 206, 10, last],
      ['bytes=-5', 206, size - 5, last],
      ['bytes=0-999999', 206, 0, last],
      ['bytes=-999999', 206, 0, last],
      [`bytes=${last}-${last}`, 206, last, last],
      [`bytes=${size}-`, 416],
      ['bytes=999999-', 416],
      ['bytes=-0', 416],
      ['bytes=0-1,4-5', 200],
      ['bytes=0-,0-,0-,0-', 200],
      ['bytes=5-2', 200],
      ['bytes=x-y', 200],
      ['bytes=', 200],
      ['bytes', 200],
      ['lines=0-3', 200],
      ['bytes=0-99999999999999999999999', 206, 0, last],
    ]
    for (const [range, status, start = 0, end = last] of table) {
      const response = await world.bob.fetch(path, { headers: { Range: range } })
      const body = Buffer.from(await response.arrayBuffer())
      expect(response.status, range).to.equal(status)
      if (response.status === 416) {
        expect(response.headers.get('Content-Range'), range).to.equal(`bytes */${size}`)
        expect([body.length, response.headers.get('Cache-Control')]).to.deep.equal([0, 'no-store'])
        continue
      }
      expect(body.equals(bytes.subarray(start, end + 1)), range).to.equal(true)
      expect(Number(response.headers.get('Content-Length')), range).to.equal(body.length)
      const contentRange = response.status === 206 ? `bytes ${start}-${end}/${size}` : null
      expect(response.headers.get('Content-Range'), range).to.equal(contentRange)
    }
  })

  it('continue a range only if the file is unchanged (If-Range)', async () => {
    const etag = (await world.bob.fetch(path)).headers.get('ETag')!
    const status = async (ifRange: string) =>
      (await world.bob.fetch(path, { headers: { Range: 'bytes=0-3', 'If-Range': ifRange } })).status
    expect(await status(etag)).to.equal(206)
    expect(await status(`W/${etag}`), 'weak tags do not count here').to.equal(200)
    expect(await status('"x"')).to.equal(200)
    expect(await status(new Date().toUTCString())).to.equal(200)
  })

  it('do not exist for users who cannot read the channel', async () => {
    expect((await world.mallory.fetch(path)).status).to.equal(404)
    expect((await fetch(world.ada.at + path, { redirect: 'manual' })).status).to.equal(302)
  })

  it('return 404 for malformed names', async () => {
    const names = [
      'x',
      '..%2f..%2fetc%2fpasswd',
      '%00',
      `${'a'.repeat(32)}.png`,
      `${'a'.repeat(32)}.svg`,
      '%',
    ]
    for (const name of names) {
      const { status } = await world.ada.fetch(`/files/${name}`)
      expect(status, name).to.be.oneOf(name === '%' ? [400] : [404])
    }
  })
})

describe('images in messages (interface 4.4)', () => {
  let world: World
  before(async () => {
    world = await newWorld()
  })
  after(() => world.end())

  const send = (name: string, bytes: Buffer) => world.ada.sendImages('dm:ada:bob', [{ name, bytes }])
  const newest = async () => (await world.bob.messages('dm:ada:bob')).at(-1)!.filename!
  const plain = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: 'teal' } })

  it('carry their size in their name, without new fields in messages', async () => {
    for (const [extension, bytes] of [
      ['.JPG', await plain(30, 20).jpeg().toBuffer()],
      ['.jpeg', await plain(30, 20).withMetadata({ orientation: 3 }).jpeg().toBuffer()],
      ['.png', await plain(30, 20).png().toBuffer()],
      ['.gif', await plain(30, 20).gif().toBuffer()],
      ['.webp', await plain(30, 20).webp().toBuffer()],
      ['.jpg', await plain(20, 30).withMetadata({ orientation: 6 }).jpeg().toBuffer()],
    ] as const) {
      expect((await send(`pic${extension}`, bytes)).status).to.equal(200)
      const name = await newest()
      expect(name).to.match(/^[0-9a-f]{32}\.[a-z]+$/)
      expect([imageSizeOf(name), isAnimated(name)]).to.deep.equal([{ width: 30, height: 20 }, false])
    }
  })

  it('lose their location, and are upright', async () => {
    for (const format of ['jpeg', 'png', 'webp'] as const) {
      const bytes = await plain(30, 20)
        .withExif({
          IFD0: { Make: 'hut camera' },
          IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '57/1 4/1 0/1' },
        })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><a>57.07 N</a></x:xmpmeta>')
        .withMetadata({ orientation: 6 })
        .toFormat(format)
        .toBuffer()
      expect((await sharp(bytes).metadata()).exif!.includes('hut camera')).to.equal(true)
      await send(`pic.${format}`, bytes)
      const response = await world.bob.fetch(`/files/${await newest()}`)
      const served = Buffer.from(await response.arrayBuffer())
      const found = await sharp(served).metadata()
      expect([found.orientation, found.xmp, found.exif!.length < 40], format).to.deep.equal([
        6,
        undefined,
        true,
      ])
      expect(served.includes('hut camera') || served.includes('57.07')).to.equal(false)
      expect(Number(response.headers.get('Content-Length'))).to.equal(served.length)
    }
  })

  it('are skipped when they are not an image, or too large to decode', async () => {
    const png = (width: number, height: number, kind = [8, 2]) => {
      const header = Buffer.alloc(13)
      header.writeUInt32BE(width, 0)
      header.writeUInt32BE(height, 4)
      header.set(kind, 8)
      return pngOf(header)
    }
    const refused: Record<string, [string, Buffer]> = {
      'too many pixels': ['bomb.png', png(20_000, 20_000)],
      'more than 110 million': ['bomb.png', png(11_000, 10_001)],
      'rows that need the whole': ['bomb.png', png(11_000, 9_000, [16, 6, 0, 0, 1])],
      'too long a side': ['strip.png', png(65_536, 2)],
      'too many pixels in an animated PNG': [
        'film.png',
        animatedPng(await plain(2_000, 2_000).png().toBuffer(), 101),
      ],
      'too many frames': ['frames.gif', gifOf(1, 1, 2_001)],
      'too many pixels in all frames': ['film.gif', gifOf(4_000, 4_000, 26, true)],
      'a name alone': ['hello.png', Buffer.from('hello')],
      nothing: ['empty.jpg', Buffer.alloc(0)],
      'another format': ['pic.jpg', await plain(4, 4).png().toBuffer()],
      svg: ['pic.png', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>')],
      'the head of one': ['pic.png', (await plain(400, 400).png().toBuffer()).subarray(0, 60)],
      'script with a head': ['pic.gif', Buffer.from('GIF89a=1;alert(1)//')],
    }
    for (const [why, [name, bytes]] of Object.entries(refused)) {
      const response = await send(name, bytes)
      expect([response.status, await response.text()], why).to.deep.equal([400, 'empty'])
    }
    expect((await send('frames.gif', gifOf(1, 1, 2_000))).status, 'just within').to.equal(200)
    expect((await send('strip.png', await plain(65_535, 2).png().toBuffer())).status).to.equal(200)
  })
})

/** A GIF with this screen size; its frames declare the same size, or one pixel. */
function gifOf(width: number, height: number, frames: number, isFilled = false): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  const frame = Buffer.from([0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0])
  if (isFilled) head.copy(frame, 5, 6, 10)
  return Buffer.concat([head, ...Array<Buffer>(frames).fill(frame), Buffer.from(';')])
}

/** A PNG that declares a large size. */
function pngOf(header: Buffer): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
    const ends = Buffer.alloc(8)
    ends.writeUInt32BE(data.length, 0)
    ends.writeUInt32BE(crc32(body), 4)
    return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
  }
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  const data = deflateSync(Buffer.alloc(1_000))
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}
