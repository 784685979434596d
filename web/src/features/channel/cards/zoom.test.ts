import { expect } from 'chai'
import fc from 'fast-check'
import { MOST, moveBy, WHOLE, zoomBy, zoomToRead } from './zoom.ts'

const frame = { width: 1000, height: 600 }
const image = { width: 800, height: 600 }

describe('zooming into an image', () => {
  it('keeps the point under the pointer in place', () => {
    const at = { x: 200, y: 100 }
    const near = zoomBy(WHOLE, 4, at, image, frame)
    // A point p of the image is drawn at p * scale + offset.
    expect([(at.x - near.x) / near.scale, (at.y - near.y) / near.scale]).to.deep.equal([200, 100])
  })

  it('stops at the edges of the image and at eight times its size', () => {
    const near = zoomBy(WHOLE, 100, { x: 0, y: 0 }, image, frame)
    expect(near.scale).to.equal(MOST)
    const far = moveBy(near, { x: 1e6, y: -1e6 }, image, frame)
    expect([far.x, far.y]).to.deep.equal([(800 * 8 - 1000) / 2, -(600 * 8 - 600) / 2])
  })

  it('reaches the width of the frame for a long screenshot, by a double click alone', () => {
    const strip = { width: 20, height: 600 }
    expect(zoomBy(WHOLE, 100, { x: 0, y: 0 }, strip, frame).scale).to.equal(50)
    expect(zoomToRead({ x: 0, y: -300 }, strip, frame)).to.deep.equal({ scale: 50, x: 0, y: 14_700 })
    expect(zoomToRead({ x: 0, y: 0 }, image, frame).scale).to.equal(2.5)
  })

  it('returns to the centred whole image', () => {
    const side = fc.integer({ min: 1, max: 4_000 })
    const point = fc.record({
      x: fc.integer({ min: -500, max: 500 }),
      y: fc.integer({ min: -300, max: 300 }),
    })
    fc.assert(
      fc.property(
        side,
        side,
        point,
        point,
        fc.double({ min: 1, max: 20, noNaN: true }),
        (w, h, at, by, factor) => {
          const size = { width: Math.min(w, frame.width), height: Math.min(h, frame.height) }
          const near = moveBy(zoomBy(WHOLE, factor, at, size, frame), by, size, frame)
          expect(zoomBy(near, 0.001, at, size, frame)).to.deep.equal(WHOLE)
        },
      ),
    )
  })
})
