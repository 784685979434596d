import { expect } from 'chai'
import { placedIn } from './placed-rows.ts'

describe('the rows that a move of the sidebar places', () => {
  const placed = (order: string[], moved: string, positioned: string[] = []) =>
    placedIn(order, moved, channel => positioned.includes(channel))

  it('end with the moved row, so that the rows behind it stay sorted', () => {
    expect(placed(['c', 'a', 'b'], 'c')).to.deep.equal(['c'])
    expect(placed(['a', 'c', 'b'], 'c')).to.deep.equal(['a', 'c'])
  })

  it('contain all rows that were placed before', () => {
    expect(placed(['c', 'a', 'b', 'd'], 'c', ['a', 'b'])).to.deep.equal(['c', 'a', 'b'])
  })
})
