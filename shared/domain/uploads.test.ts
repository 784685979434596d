import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import fc from 'fast-check'
import {
  imageName,
  imageOfThumbnail,
  imageSizeOf,
  isAnimated,
  isStoredName,
  needsThumbnail,
  THUMBNAIL_KINDS,
  thumbnailName,
} from './uploads.ts'

describe('names of images', () => {
  const side = fc.integer({ min: 1, max: 0xffff })
  const extension = fc.constantFrom('.jpg', '.jpeg', '.png', '.gif', '.webp')
  const uuid = fc.uuid({ version: 4 })

  it('contain the size and whether the image is animated', () => {
    fc.assert(
      fc.property(uuid, side, side, fc.boolean(), extension, (id, width, height, moves, ext) => {
        const name = imageName(id, { width, height }, moves, ext)
        expect(isStoredName(name)).to.equal(true)
        expect(imageSizeOf(name)).to.deep.equal({ width, height })
        expect(isAnimated(name)).to.equal(moves)
      }),
    )
  })

  it('are UUIDs of version 8 that keep 89 random bits', () => {
    fc.assert(
      fc.property(uuid, side, side, fc.boolean(), (id, width, height, moves) => {
        const name = imageName(id, { width, height }, moves, '.png')
        const drawn = BigInt(`0x${id.replaceAll('-', '')}`)
        const changed = drawn ^ BigInt(`0x${name.slice(0, 32)}`)
        // Width and height; version; animation bit.
        const ours = (0xffffffffn << 96n) | (0xfn << 76n) | (0x8n << 72n)
        expect(changed & ~ours).to.equal(0n)
        expect(name[12]).to.equal('8')
        expect(name[16]).to.match(/[89ab]/)
      }),
    )
    const names = Array.from({ length: 1_000 }, () =>
      imageName(randomUUID(), { width: 4, height: 3 }, false, '.png'),
    )
    expect(new Set(names)).to.have.length(1_000)
  })

  it('of older images and other text yield no size', () => {
    const old = `${randomUUID().replaceAll('-', '')}.png`
    const names = [
      old,
      '',
      `${'0'.repeat(32)}.png`,
      `${'8'.repeat(32)}_notes.txt`,
      `${'8'.repeat(32)}.svg`,
      `000000040000800080000000${'0'.repeat(8)}.png`,
    ]
    for (const name of names) {
      expect(imageSizeOf(name), name).to.equal(undefined)
      expect(isAnimated(name), name).to.equal(undefined)
    }
    fc.assert(fc.property(fc.string(), text => imageSizeOf(text) === undefined))
  })

  it('convert to names of thumbnails and back, which /files does not accept', () => {
    for (const kind of THUMBNAIL_KINDS) {
      const name = imageName(randomUUID(), { width: 900, height: 3 }, true, '.gif')
      const thumbnail = thumbnailName(name, kind)
      expect(isStoredName(thumbnail), thumbnail).to.equal(false)
      expect(imageOfThumbnail(thumbnail)).to.equal(name)
      expect(imageOfThumbnail(name)).to.equal(undefined)
    }
  })

  it('tell when no thumbnail is needed, so that none is larger than the image', () => {
    const named = (width: number, height: number, moves = false) =>
      imageName(randomUUID(), { width, height }, moves, '.webp')
    const alive = (size: 360 | 720) => ({ size, still: false })
    const still = (size: 360 | 720) => ({ size, still: true })
    expect(needsThumbnail(named(360, 20), alive(360))).to.equal(false)
    expect(needsThumbnail(named(20, 361), alive(360))).to.equal(true)
    expect(needsThumbnail(named(20, 361), alive(720))).to.equal(false)
    expect(needsThumbnail(named(20, 20, true), still(360))).to.equal(true)
    expect(needsThumbnail(named(900, 900), still(360)), 'what stands still is its own still').to.equal(false)
    expect(needsThumbnail(`${'a'.repeat(32)}.gif`, still(720)), 'an old name').to.equal(true)
  })
})
