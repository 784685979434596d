import { expect } from 'chai'
import fc from 'fast-check'
import {
  applyCounts,
  applyLists,
  applyPresence,
  applySeen,
  type DmEntry,
  diffCounts,
  diffLists,
  diffPresence,
  dmsOf,
  hashOf,
  hashOfEntries,
  type ListEntry,
  type ListsState,
  mapDelta,
  type PrivateChannelEntry,
  privateChannelsOf,
  type SeenState,
  StateSum,
  seenCounts,
} from './deltas.ts'

const overTheWire = <T>(delta: T): T => JSON.parse(JSON.stringify(delta))
const plain = (state: unknown) => JSON.parse(JSON.stringify(state))

const dm = (channel: string, unread: number, at: number): DmEntry => ({ channel, users: ['bob'], unread, at })
const group = (id: number, name: string, unread: number): PrivateChannelEntry => ({
  id,
  channel: `private:${id}`,
  name,
  unread,
  at: id,
})
const lists = (...entries: ListEntry[]): ListsState => ({
  entries: Object.fromEntries(entries.map(entry => [entry.channel, entry])),
  unread: entries.reduce((sum, entry) => sum + ('users' in entry ? entry.unread : 0), 0),
})

describe('hashOf', () => {
  it('is 64-bit FNV-1a over code units, low byte first', () => {
    const reference = (text: string) => {
      let hash = 0xcbf29ce484222325n
      for (const byte of Buffer.from(text, 'utf16le')) {
        hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn
      }
      return hash.toString(16).padStart(16, '0')
    }
    expect(hashOf('')).to.equal('cbf29ce484222325')
    fc.assert(fc.property(fc.string({ unit: 'binary' }), text => hashOf(text) === reference(text)))
  })

  it('reads a megabyte in well under a second', () => {
    const text = 'äb'.repeat(500_000)
    const since = performance.now()
    hashOf(text)
    expect(performance.now() - since).to.be.below(500)
  })
})

describe('the hash of a state', () => {
  const states = fc.dictionary(fc.string(), fc.integer()).map(state => new Map(Object.entries(state)))

  it('follows additions and removals', () => {
    fc.assert(
      fc.property(states, states, (from, to) => {
        const sum = new StateSum('general')
        for (const [key, value] of from) sum.add(key, value)
        for (const [key, value] of from) sum.remove(key, value)
        for (const [key, value] of to) sum.add(key, value)
        return sum.hash === hashOfEntries(to, 'general') && /^[0-9a-f]{16}$/.test(sum.hash)
      }),
    )
  })

  it('differs for states that differ by small counts', () => {
    const hashes = new Set<string>()
    for (let i = 0; i < 20; i++) {
      for (let j = 0; j < 20; j++) {
        for (let k = 0; k < 20; k++) {
          hashes.add(
            hashOfEntries(
              new Map([
                ['general', i],
                ['random', j],
                ['support', k],
              ]),
            ),
          )
        }
      }
    }
    expect(hashes.size).to.equal(8_000)
  })
})

describe('presence and counts', () => {
  it('are full at first and changes afterwards', () => {
    const [first, second] = [
      { ada: 'active', bob: 'idle' } as const,
      { ada: 'idle', cleo: 'active' } as const,
    ]
    expect(diffPresence(undefined, first)).to.deep.include({ full: first })
    const { hash, ...change } = diffPresence(first, second)
    expect(plain(change)).to.deep.equal({ set: { ada: 'idle', cleo: 'active' }, gone: ['bob'] })
    expect(hash)
      .to.equal(diffPresence(undefined, second).hash)
      .and.match(/^[0-9a-f]{16}$/)
  })

  it('omit set and gone when empty', () => {
    expect(Object.keys(diffCounts({ general: 1 }, { general: 1 }))).to.deep.equal(['hash'])
  })

  it('give the same state after any sequence of changes', () => {
    const map = fc.dictionary(fc.string(), fc.integer(), { noNullPrototype: false })
    fc.assert(
      fc.property(fc.array(map, { minLength: 1 }), states => {
        let held: Record<string, number> | undefined
        let last: Record<string, number> | undefined
        for (const state of states) {
          held = applyCounts(held, overTheWire(diffCounts(last, state)))
          last = state
          expect(plain(held)).to.deep.equal(plain(state))
          expect(diffCounts(undefined, held!).hash).to.equal(diffCounts(undefined, state).hash)
        }
      }),
    )
  })

  it('accept __proto__ as a username', () => {
    const state = JSON.parse('{"__proto__":"active","ada":"idle"}')
    const held = applyPresence(undefined, overTheWire(diffPresence(undefined, state)))!
    expect(JSON.stringify(held)).to.equal('{"__proto__":"active","ada":"idle"}')
    const gone = applyPresence(held, overTheWire(diffPresence(held, { ada: 'idle' })))!
    expect(Object.keys(gone)).to.deep.equal(['ada'])
  })

  it('are not applied without a state to change', () => {
    expect(applyPresence(undefined, { set: { ada: 'idle' }, hash: '' })).to.equal(undefined)
  })

  it('have the same hash for any order of keys', () => {
    const [one, other] = [diffCounts(undefined, { a: 1, b: 2 }), diffCounts(undefined, { b: 2, a: 1 })]
    expect(one.hash).to.equal(other.hash)
    expect(one.hash).to.not.equal(diffCounts(undefined, { a: 2, b: 1 }).hash)
  })
})

describe('seen', () => {
  const small: SeenState = { channel: 'general', receipts: { ada: 1, bob: 2 } }
  const counted = [{ id: 7, count: 60, names: ['ada', 'bob'] }]

  it('changes the watermarks of a small channel', () => {
    const change = { channel: 'general', ...mapDelta(new Map([['ada', 3]]), ['ada', 'bob'], '') }
    const held = applySeen(small, overTheWire(change))
    expect(plain(held)).to.deep.equal({ channel: 'general', receipts: { ada: 3 } })
  })

  it('replaces watermarks by counts when a channel grows, and counts by watermarks when it shrinks', () => {
    const grown = applySeen(small, overTheWire(seenCounts('general', counted)))
    expect(grown).to.deep.equal({ channel: 'general', messages: counted })
    const full = { channel: 'general', ...mapDelta(new Map([['ada', 1]]), undefined, '') }
    expect(plain(applySeen(grown, overTheWire(full)))).to.deep.equal({
      channel: 'general',
      receipts: { ada: 1 },
    })
  })

  it('does not apply a change of watermarks to counts, nor to another channel', () => {
    const change = { channel: 'general', ...mapDelta(new Map([['ada', 3]]), ['ada'], '') }
    expect(applySeen({ channel: 'general', messages: counted }, change)).to.equal(undefined)
    expect(applySeen({ channel: 'random', receipts: { ada: 1 } }, change)).to.equal(undefined)
  })
})

describe('lists', () => {
  it('contain the changed entries and the number of unread_count', () => {
    const from = lists(dm('dm:ada:bob', 0, 5), dm('dm:ada:cleo', 1, 4), group(7, 'den', 0))
    const to = lists(dm('dm:ada:bob', 2, 6), dm('dm:ada:cleo', 1, 4))
    const { hash, ...delta } = diffLists(from, to)
    expect(delta).to.deep.equal({ set: [dm('dm:ada:bob', 2, 6)], gone: ['private:7'], unread: 3 })
    const held = applyLists(applyLists(undefined, overTheWire(diffLists(undefined, from))), {
      ...delta,
      hash,
    })!
    expect(plain(held)).to.deep.equal(to)
    expect(diffLists(undefined, held).hash).to.equal(hash)
  })

  it('keep the order of the interface', () => {
    const state = lists(
      group(9, 'late', 0),
      dm('dm:ada:dan', 0, 5),
      dm('dm:ada:bob', 0, 5),
      group(2, 'early', 1),
      dm('dm:ada:cleo', 0, 8),
    )
    expect(dmsOf(state).map(({ channel }) => channel)).to.deep.equal([
      'dm:ada:cleo',
      'dm:ada:bob',
      'dm:ada:dan',
    ])
    expect(privateChannelsOf(state)).to.deep.equal([
      { id: 2, channel: 'private:2', name: 'early', unread: 1 },
      { id: 9, channel: 'private:9', name: 'late', unread: 0 },
    ])
  })
})
