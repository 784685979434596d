import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { imageName } from '#shared/domain/uploads.ts'
import { boxOf, drawnWidth, mayMove, sourcesOf, TILE } from './picture.ts'

const named = (width: number, height: number, moves = false) =>
  imageName(randomUUID(), { width, height }, moves, '.webp')
const old = `${'a'.repeat(32)}.gif`

describe('the box of an image', () => {
  it('is at most 360 by 270 and never larger than the image', () => {
    expect(boxOf({ width: 4000, height: 3000 })).to.deep.equal({
      width: 360,
      height: 270,
      isWhole: false,
      drawn: 360,
    })
    expect(boxOf({ width: 1600, height: 900 })).to.deep.equal({
      width: 360,
      height: 203,
      isWhole: false,
      drawn: 360,
    })
    expect(boxOf({ width: 600, height: 900 })).to.deep.equal({
      width: 180,
      height: 270,
      isWhole: false,
      drawn: 180,
    })
    expect(boxOf({ width: 120, height: 90 })).to.deep.equal({
      width: 120,
      height: 90,
      isWhole: false,
      drawn: 120,
    })
  })

  it('has the ratio of a tall or flat image, without bands beside it', () => {
    expect(boxOf({ width: 600, height: 1400 })).to.deep.equal({
      width: 116,
      height: 270,
      isWhole: false,
      drawn: 116,
    })
    expect(boxOf({ width: 2000, height: 400 })).to.deep.equal({
      width: 360,
      height: 72,
      isWhole: false,
      drawn: 360,
    })
  })

  it('is bounded for strips, which are shown whole', () => {
    expect(boxOf({ width: 4000, height: 100 })).to.deep.equal({
      width: 360,
      height: 44,
      isWhole: true,
      drawn: 360,
    })
    expect(boxOf({ width: 100, height: 4000 })).to.deep.equal({
      width: 44,
      height: 270,
      isWhole: true,
      drawn: 7,
    })
  })

  it('is large enough for a finger, however small the image', () => {
    expect(boxOf({ width: 4, height: 4 })).to.deep.equal({ width: 44, height: 44, isWhole: true, drawn: 4 })
    expect(boxOf({ width: 300, height: 20 })).to.deep.equal({
      width: 300,
      height: 44,
      isWhole: true,
      drawn: 300,
    })
  })

  it('is 3:2 for an unknown size', () => {
    expect(boxOf(undefined)).to.deep.equal({ width: 360, height: 240, isWhole: false, drawn: 360 })
  })

  it('is filled in a gallery, so the image is drawn wider or higher', () => {
    expect(drawnWidth(TILE, { width: 400, height: 400 })).to.equal(186)
    expect(drawnWidth(TILE, { width: 400, height: 100 })).to.equal(472)
    expect(drawnWidth(TILE, undefined)).to.equal(186)
  })
})

describe('the addresses of an image', () => {
  it('are thumbnails with their true widths', () => {
    const name = named(600, 1200)
    expect(sourcesOf(name, false)).to.deep.equal({
      src: `/files/${name}?size=720`,
      srcset: `/files/${name}?size=360 180w, /files/${name}?size=720 360w`,
    })
  })

  it('include the image itself when it is small', () => {
    const name = named(500, 300)
    expect(sourcesOf(name, false)).to.deep.equal({
      src: `/files/${name}`,
      srcset: `/files/${name}?size=360 360w, /files/${name} 500w`,
    })
    const small = named(300, 300)
    expect(sourcesOf(small, false)).to.deep.equal({ src: `/files/${small}` })
  })

  it('are stills when motion is off', () => {
    const name = named(300, 300, true)
    expect(sourcesOf(name, true).srcset).to.equal(
      `/files/${name}?size=360&still=1 300w, /files/${name}?size=720&still=1 300w`,
    )
    expect([mayMove(name), mayMove(named(3, 3)), mayMove(old)]).to.deep.equal([true, false, true])
  })

  it('are a single one for an unknown size', () => {
    expect(sourcesOf(old, false)).to.deep.equal({ src: `/files/${old}?size=720` })
  })
})
