import { expect } from 'chai'
import { totalIn } from './total-in.ts'

describe('the number of channels in a list of Browse that is longer than a page', () => {
  const counts = { open: 430, joined: 30, archived: 250 }

  it('is known for each filter', () => {
    expect(totalIn('all', counts, undefined)).to.equal(430)
    expect(totalIn('not-joined', counts, undefined)).to.equal(400)
    expect(totalIn('archived', counts, 3)).to.equal(253)
  })

  it('is unknown before the numbers have come, and when there may be more private ones than are listed', () => {
    expect(totalIn('all', undefined, 0)).to.equal(undefined)
    expect(totalIn('archived', counts, undefined)).to.equal(undefined)
    expect(totalIn('archived', counts, 200)).to.equal(undefined)
  })
})
