import { expect } from 'chai'
import fc from 'fast-check'
import { hashOfEntries } from '#shared/domain/deltas.ts'
import { TrackedState } from './tracked-state.ts'

const mapOf = (state: Record<string, number>) => new Map(Object.entries(state))

describe('a tracked state', () => {
  it('returns the keys that changed since each remembered state', () => {
    const tracked = new TrackedState<number>()
    const empty = tracked.hash
    tracked.update(mapOf({ general: 1, random: 2 }), 0)
    const first = tracked.hash
    tracked.update(mapOf({ general: 1, support: 3 }), 1)
    expect([...tracked.keysSince(first)!].sort()).to.deep.equal(['random', 'support'])
    expect([...tracked.keysSince(empty)!].sort()).to.deep.equal(['general', 'random', 'support'])
    expect(tracked.keysSince(tracked.hash)!.size).to.equal(0)
    expect(tracked.keysSince('0123456789abcdef')).to.equal(undefined)
  })

  it('has the same hash for the same entries after any sequence of changes', () => {
    const states = fc.array(fc.dictionary(fc.string(), fc.nat(3)).map(mapOf))
    fc.assert(
      fc.property(states, all => {
        const tracked = new TrackedState<number>()
        for (const state of all) tracked.update(state, 0)
        return tracked.hash === hashOfEntries(all.at(-1) ?? new Map())
      }),
    )
  })

  it('replaces part of the entries and keeps the others', () => {
    const tracked = new TrackedState<number>()
    tracked.update(mapOf({ general: 1, random: 2, support: 3 }), 0)
    expect(tracked.update(mapOf({ general: 5 }), 1, ['general', 'random'])).to.equal(true)
    expect(Object.fromEntries(tracked.entries)).to.deep.equal({ general: 5, support: 3 })
    expect(tracked.update(mapOf({ general: 5 }), 2, ['general'])).to.equal(false)
  })

  it('forgets states after a minute, and beyond a number of changes', () => {
    const tracked = new TrackedState<number>()
    tracked.update(mapOf({ general: 1 }), 0)
    const first = tracked.hash
    tracked.update(mapOf({ general: 2 }), 59_000)
    expect(tracked.keysSince(first)).to.not.equal(undefined)
    tracked.update(mapOf({ general: 3 }), 125_000)
    expect(tracked.keysSince(first)).to.equal(undefined)
    const last = tracked.hash
    for (let i = 0; i < 100; i++) tracked.update(mapOf({ general: 10 + i }), 126_000)
    expect(tracked.keysSince(last)).to.equal(undefined)
  })
})
