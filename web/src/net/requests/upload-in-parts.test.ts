import { expect } from 'chai'
import { nextSize } from './upload-in-parts.ts'

describe('parts of an upload', () => {
  const KIB = 1024

  it('grow on a fast line up to the limit of the server, and shrink on a slow one', () => {
    expect(nextSize(256 * KIB, 200, 8_192 * KIB)).to.equal(512 * KIB)
    expect(nextSize(8_192 * KIB, 200, 8_192 * KIB)).to.equal(8_192 * KIB)
    expect(nextSize(256 * KIB, 4_000, 8_192 * KIB), 'each part costs a round trip').to.equal(512 * KIB)
    expect(nextSize(256 * KIB, 6_000, 8_192 * KIB)).to.equal(256 * KIB)
    expect(nextSize(256 * KIB, 32_000, 8_192 * KIB)).to.equal(128 * KIB)
    expect(nextSize(64 * KIB, 32_000, 8_192 * KIB)).to.equal(64 * KIB)
  })
})
