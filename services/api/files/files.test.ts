import { expect } from 'chai'
import sharp from 'sharp'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('files (interface 4.4)', () => {
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

  it('serves the bytes inline to readers of the channel, sandboxed and cacheable for ever', async () => {
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

  it('knows nothing of it for everybody else', async () => {
    expect((await world.mallory.fetch(path)).status).to.equal(404)
    expect((await fetch(world.ada.at + path, { redirect: 'manual' })).status).to.equal(302)
  })

  it('answers 404 to names that are none', async () => {
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
