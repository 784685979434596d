import { expect } from 'chai'
import type { Stream } from './stream.ts'
import {
  addStream,
  beginEvaluation,
  invalidate,
  Meter,
  newWatch,
  nextDue,
  noteDuration,
  removeStream,
  takeBatch,
  undoEvaluation,
  type Watch,
} from './watch.ts'
import { allKinds } from './watch-kinds.ts'

const kinds = allKinds()
const kindOf = (name: string) => kinds.find(kind => kind.name === name)!
const streamWith = (...deltas: string[]) => ({ deltas: new Set(deltas), isOpen: true }) as unknown as Stream

/** A watch whose streams were up to date at time 0. */
function watchOf(name: string, ...streams: Stream[]): Watch {
  const watch = newWatch(kindOf(name), 'ada')
  for (const stream of streams) addStream(watch, stream, () => new Meter())
  beginEvaluation(watch, 0)
  return watch
}

describe('a watch', () => {
  it('reads only the channels that notices name', () => {
    const watch = watchOf('channel_unreads', streamWith())
    invalidate(watch, 'general')
    invalidate(watch, 'random')
    expect(nextDue(watch)).to.equal(500)
    expect(beginEvaluation(watch, 500).reads).to.deep.equal(new Set(['general', 'random']))
    expect(watch.dirty).to.equal(undefined)
  })

  it('reads everything when a notice names no channel, or notices name very many', () => {
    const watch = watchOf('channel_unreads', streamWith())
    invalidate(watch, 'general')
    invalidate(watch, undefined)
    expect(beginEvaluation(watch, 500).reads).to.equal('full')
    for (let i = 0; i < 20; i++) invalidate(watch, `channel-${i}`)
    expect(beginEvaluation(watch, 1_000).reads).to.equal('full')
  })

  it('makes new streams wait as long as the last evaluation for new streams took', () => {
    const [first, second] = [streamWith(), streamWith()]
    const watch = watchOf('channel_unreads', first)
    watch.newSubscribers.add(first)
    const evaluation = beginEvaluation(watch, 100)
    noteDuration(evaluation, 100, 140)
    addStream(watch, second, () => new Meter())
    watch.newSubscribers.add(second)
    expect(nextDue(watch)).to.equal(180)
    expect(beginEvaluation(watch, 180).newSubscribers).to.deep.equal([second])
    // An evaluation for the streams that are open serves new ones earlier.
    invalidate(watch, 'general')
    watch.newSubscribers.add(second)
    noteDuration({ ...evaluation, newSubscribers: [second] }, 200, 2_000)
    expect(nextDue(watch)).to.equal(500)
  })

  it('reads everything at once for a new stream; the others get it when they are due', () => {
    const [first, second] = [streamWith(), streamWith()]
    const watch = watchOf('channel_unreads', first)
    invalidate(watch, 'general')
    addStream(watch, second, () => new Meter())
    watch.newSubscribers.add(second)
    const evaluation = beginEvaluation(watch, 100)
    expect(evaluation).to.deep.include({ due: [], newSubscribers: [second], reads: 'full' })
    expect(nextDue(watch)).to.equal(500)
    // The state is known by now, so nothing is read.
    expect(beginEvaluation(watch, 500)).to.deep.include({ due: watch.forms, reads: undefined })
  })

  it('is due for each of its forms separately', () => {
    const watch = watchOf('online_users', streamWith(), streamWith('presence'))
    invalidate(watch, undefined)
    expect(beginEvaluation(watch, 1_000).due.map(({ form }) => form.event)).to.deep.equal(['online_users'])
    expect(nextDue(watch)).to.equal(2_000)
    expect(beginEvaluation(watch, 2_000).due.map(({ form }) => form.event)).to.deep.equal(['presence'])
  })

  it('is not due before the bytes sent are within the budget', () => {
    const watch = watchOf('online_users', streamWith())
    watch.forms[0]!.meter.spend(50_000_000, 0, 5_000)
    invalidate(watch, undefined)
    expect(nextDue(watch)).to.equal(10_000)
  })

  it('is due again after a failure, with everything invalidated', () => {
    const watch = watchOf('channel_unreads', streamWith())
    invalidate(watch, 'general')
    const evaluation = beginEvaluation(watch, 500)
    invalidate(watch, 'random')
    undoEvaluation(evaluation)
    expect(beginEvaluation(watch, 1_000).reads).to.deep.equal(new Set(['general', 'random']))
  })

  it('is never due without streams, and keeps what was invalidated', () => {
    const stream = streamWith()
    const watch = watchOf('channel_unreads', stream)
    removeStream(watch, stream)
    invalidate(watch, 'general')
    expect(nextDue(watch)).to.equal(Infinity)
    expect(watch.dirty).to.deep.equal(new Set(['general']))
  })
})

describe('the viewers of a query', () => {
  const watches = (count: number) =>
    Array.from({ length: count }, (_, i) => newWatch(kindOf('mentions'), `u${i}`))

  it('are at most 500', () => {
    const waiting = watches(1_200)
    expect(
      [takeBatch(waiting), takeBatch(waiting), takeBatch(waiting)].map(({ length }) => length),
    ).to.deep.equal([500, 500, 200])
    expect(waiting).to.have.length(0)
  })

  it('are halved after each time-out, down to one, apart from those that did not time out', () => {
    const waiting = watches(1_000)
    for (let timeouts = 0; timeouts < 10; timeouts++) {
      const batch = takeBatch(waiting)
      expect(batch).to.have.length(Math.max(1, Math.floor(500 / 2 ** timeouts)))
      for (const watch of batch) watch.timeouts++
      waiting.unshift(...batch)
    }
    for (const watch of waiting.slice(0, 1)) expect(watch.timeouts).to.equal(10)
    expect(waiting).to.have.length(1_000)
  })
})
