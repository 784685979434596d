import { expect } from 'chai'
import { itemsOf } from '../store/items.ts'
import { row } from '../store/rows.fixture.ts'
import { grown, MOST_MOUNTED, OVERSCAN, type Span, spanFor, spanOf, timesOf } from './list-window.ts'

describe('the rows of a list that are in the page', () => {
  /** A thousand rows of forty pixels. */
  const tops = Array.from({ length: 1_001 }, (_, at) => at * 40)
  const view = (top: number) => ({ top, bottom: top + 700 })
  const nothing: Span = { from: 0, to: 0 }
  const isThere = ({ from, to }: Span, top: number) =>
    tops[from]! <= Math.max(0, top - OVERSCAN) && tops[to]! >= Math.min(40_000, top + 700 + OVERSCAN)

  it('are those that are seen and some beyond both edges', () => {
    for (const top of [0, 5, 20_000, 39_300]) {
      const span = spanFor(tops, view(top), nothing)
      expect(isThere(span, top), `${top}`).to.equal(true)
      expect(span.to - span.from).to.be.at.most(75)
    }
  })

  it('stay the same while there is enough of them', () => {
    const span = spanFor(tops, view(20_000), nothing)
    expect(spanFor(tops, view(20_300), span)).to.equal(span)
    expect(spanFor(tops, view(20_700), span)).to.not.equal(span)
  })

  it('stay on the way, up to a hundred or so, and the farthest go first', () => {
    let span = nothing
    for (let top = 39_300; top > 0; top -= 90) {
      span = spanFor(tops, view(top), span)
      expect(isThere(span, top)).to.equal(true)
      expect(span.to - span.from).to.be.at.most(MOST_MOUNTED)
    }
    expect(span.from).to.equal(0)
    expect(span.to).to.equal(110)
  })

  it('are others after a leap', () => {
    const span = spanFor(tops, view(1_000), spanFor(tops, view(30_000), nothing))
    expect(isThere(span, 1_000)).to.equal(true)
    expect(span.to).to.be.below(100)
  })

  it('only what is seen at first, more when there is time', () => {
    let span = spanFor(tops, view(20_000), nothing, 0)
    expect(span).to.deep.equal({ from: 500, to: 518 })
    for (let i = 0; i < 100; i++) span = grown(span, 1_000, 24)
    expect(span.to - span.from).to.equal(MOST_MOUNTED)
    expect(grown(span, 1_000, 24)).to.equal(span)
    expect(grown({ from: 0, to: 3 }, 3, 24)).to.deep.equal({ from: 0, to: 3 })
  })

  it('are the same ones when older rows come in front of them, or become one item', () => {
    const shown = Array.from({ length: 30 }, (_, at) => ({
      key: `m${at}`,
      row: row(at + 1, { ts: 1_000 + at * 400 }),
    }))
    const later = itemsOf(shown.slice(10), 'ada')
    const times = timesOf(later, { from: 3, to: 9 }, true)
    const all = itemsOf(shown, 'ada')
    const { from, to } = spanOf(all, times)
    expect(all.slice(from, to).map(item => item.key)).to.deep.equal(later.slice(3, 9).map(item => item.key))
    const newer = [0, 1].map(at => ({ key: `n${at}`, row: row(at + 90, { ts: 900_000 + at * 400 }) }))
    const toEnd = timesOf(later, { from: 3, to: later.length }, true)
    expect(spanOf([...all, ...itemsOf(newer, 'ada')], toEnd).to).to.equal(all.length + newer.length + 1)
    const inTheMiddle = timesOf(later, { from: 3, to: later.length }, false)
    expect(spanOf([...all, ...itemsOf(newer, 'ada')], inTheMiddle).to).to.equal(all.length)
  })
})
