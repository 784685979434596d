import { expect } from 'chai'
import { LEVELS, levelsOf } from './levels.ts'

describe('the bars of a sound', () => {
  it('are the loudest samples of its parts, relative to the loudest of all', () => {
    const samples = new Float32Array(LEVELS * 10)
    samples[3] = -0.25
    samples[15] = 0.5
    expect(levelsOf(samples).slice(0, 3)).to.deep.equal([0.5, 1, 0])
  })

  it('are flat for silence and for less than a sample a bar', () => {
    expect(levelsOf(new Float32Array(1_000))).to.deep.equal(new Array(LEVELS).fill(0))
    expect(levelsOf(new Float32Array(5))).to.have.length(LEVELS)
  })
})
