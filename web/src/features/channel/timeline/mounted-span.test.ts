import { expect } from 'chai'
import { itemsOf } from '../../../store/messages/items.ts'
import { row } from '../../../store/messages/rows.fixture.ts'
import {
  grown,
  MOST_MOUNTED,
  MOST_MOVING,
  OVERSCAN,
  type Span,
  spanFor,
  spanOf,
  timesOf,
} from './mounted-span.ts'

describe('the mounted rows of a list', () => {
  /** A thousand rows of 40 px. */
  const tops = Array.from({ length: 1_001 }, (_, at) => at * 40)
  const view = (top: number) => ({ top, bottom: top + 700 })
  const nothing: Span = { from: 0, to: 0 }
  const reaches = ({ from, to }: Span, top: number, beyond: number) =>
    tops[from]! <= Math.max(0, top - beyond) && tops[to]! >= Math.min(40_000, top + 700 + beyond)
  /** The span after enough frames. */
  const settled = (top: number, before: Span) => {
    let span = before
    for (let frame = 0; frame < 20; frame++) span = spanFor(tops, view(top), span)
    return span
  }

  it('are the visible ones and the overscan on both sides', () => {
    for (const top of [0, 5, 20_000, 39_300]) {
      const span = settled(top, nothing)
      expect(reaches(span, top, OVERSCAN), `${top}`).to.equal(true)
      expect(span.to - span.from).to.be.at.most(55)
    }
  })

  it('come a few per frame, except the visible and nearly visible ones', () => {
    const before = settled(20_000, nothing)
    const span = spanFor(tops, view(19_700), before)
    expect(before.from - span.from).to.equal(6)
    expect(reaches(spanFor(tops, view(19_000), before), 19_000, 200)).to.equal(true)
    expect(spanFor(tops, view(19_700), before, { bite: 0 })).to.equal(before)
    expect(reaches(spanFor(tops, view(19_000), before, { bite: 0 }), 19_000, 200)).to.equal(true)
  })

  it('stay the same while they cover the viewport', () => {
    const span = settled(20_000, nothing)
    expect(spanFor(tops, view(20_000), span)).to.equal(span)
    expect(spanFor(tops, view(20_700), span)).to.not.equal(span)
  })

  it('stay while scrolling, up to about sixty, and the farthest go first', () => {
    let span = nothing
    for (let top = 39_300; top > 0; top -= 90) {
      span = spanFor(tops, view(top), span)
      expect(reaches(span, top, 200)).to.equal(true)
      expect(span.to - span.from).to.be.at.most(MOST_MOVING)
    }
    span = settled(0, span)
    expect(span.from).to.equal(0)
    expect(span.to).to.equal(MOST_MOVING)
  })

  it('go a few per frame too', () => {
    const rested = { from: 400, to: 600 }
    expect(spanFor(tops, view(16_400), rested)).to.deep.equal({ from: 394, to: 588 })
  })

  it('are replaced after a jump', () => {
    const span = spanFor(tops, view(1_000), settled(30_000, nothing))
    expect(reaches(span, 1_000, 200)).to.equal(true)
    expect(span.to).to.be.below(100)
  })

  it('are only the visible ones at first, and more when idle', () => {
    let span = spanFor(tops, view(20_000), nothing, { overscan: 0 })
    expect(span).to.deep.equal({ from: 500, to: 518 })
    for (let i = 0; i < 100; i++) span = grown(span, 1_000, 24)
    expect(span.to - span.from).to.equal(MOST_MOUNTED)
    expect(grown(span, 1_000, 24)).to.equal(span)
    expect(grown({ from: 0, to: 3 }, 3, 24)).to.deep.equal({ from: 0, to: 3 })
  })

  it('stay the same when older rows are prepended or merged into one item', () => {
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
