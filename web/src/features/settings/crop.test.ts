import { expect } from 'chai'
import { type Crop, LARGEST_ZOOM, moved, squareOf, wholeOf, zoomed } from './crop.ts'

describe('cropping a picture', () => {
  const wide = { width: 400, height: 200 }

  it('starts with the largest centred square', () => {
    expect(squareOf(wide, wholeOf(wide))).to.deep.equal({ x: 100, y: 0, side: 200 })
    const tall = { width: 30, height: 90 }
    expect(squareOf(tall, wholeOf(tall))).to.deep.equal({ x: 0, y: 30, side: 30 })
  })

  it('moves by shares of the visible part', () => {
    expect(squareOf(wide, moved(wide, wholeOf(wide), 0.25, 0))).to.deep.equal({ x: 150, y: 0, side: 200 })
    const closer = zoomed(wide, wholeOf(wide), 2)
    expect(squareOf(wide, moved(wide, closer, 0.25, 0.25))).to.deep.equal({ x: 175, y: 75, side: 100 })
  })

  it('stops at the edges of the picture', () => {
    expect(squareOf(wide, moved(wide, wholeOf(wide), 9, 9))).to.deep.equal({ x: 200, y: 0, side: 200 })
    expect(squareOf(wide, moved(wide, wholeOf(wide), -9, -9))).to.deep.equal({ x: 0, y: 0, side: 200 })
  })

  it('zooms around its middle, and returns into the picture', () => {
    const corner = moved(wide, zoomed(wide, wholeOf(wide), LARGEST_ZOOM), 99, 99)
    expect(squareOf(wide, corner)).to.deep.equal({ x: 350, y: 150, side: 50 })
    expect(squareOf(wide, zoomed(wide, corner, 1))).to.deep.equal({ x: 200, y: 0, side: 200 })
  })

  it('zooms within its limits', () => {
    expect(zoomed(wide, wholeOf(wide), 0.1).zoom).to.equal(1)
    expect(zoomed(wide, wholeOf(wide), 99).zoom).to.equal(LARGEST_ZOOM)
  })

  it('never leaves the picture', () => {
    let seed = 1
    const random = () => {
      seed = (seed * 48271) % 2147483647
      return seed / 2147483647
    }
    let crop: Crop = wholeOf(wide)
    for (let i = 0; i < 2_000; i++) {
      crop =
        random() < 0.5
          ? zoomed(wide, crop, random() * 6)
          : moved(wide, crop, random() * 4 - 2, random() * 4 - 2)
      const { x, y, side } = squareOf(wide, crop)
      expect(Math.min(x, y, wide.width - x - side, wide.height - y - side)).to.be.at.least(-1e-9)
    }
  })
})
