import { expect } from 'chai'
import {
  type CountsDelta,
  type DmEntry,
  diffLists,
  diffPresence,
  dmsOf,
  hashOf,
  hashOfMap,
  hashOfSeen,
  type ListsState,
  type SeenDelta,
  seenCounts,
} from '#shared/domain/deltas.ts'
import type { OnlineUsersPayload } from '#shared/domain/payloads/people.ts'
import { Held } from './held.ts'

const OFFICE: OnlineUsersPayload = { ada: 'active', bob: 'idle' }
const LATER: OnlineUsersPayload = { ada: 'active', cleo: 'active' }
const dm = (channel: string, at: number): DmEntry => ({ channel, users: [], unread: 0, at })

describe('the state that a tab holds of delta events', () => {
  it('is empty at first, and a delta without a base is refused', () => {
    const held = new Held()
    expect(held.opened(undefined)).to.equal('')
    expect(held.take('presence', diffPresence(OFFICE, LATER))).to.equal(undefined)
    expect(held.opened(undefined)).to.equal('')
  })

  it('is named by the hash of the last frame, and changes with each', () => {
    const held = new Held()
    const first = diffPresence(undefined, OFFICE)
    expect(held.take('presence', first)).to.deep.equal(OFFICE)
    expect(held.opened(undefined)).to.equal(`presence:${first.hash}`)
    const change = diffPresence(OFFICE, LATER)
    expect(held.take('presence', change)).to.deep.equal(LATER)
    expect(held.opened(undefined)).to.equal(`presence:${change.hash}`)
  })

  it('is dropped when the first change on a new stream belongs to another state', () => {
    const held = new Held()
    held.take('presence', diffPresence(undefined, OFFICE))
    held.opened(undefined)
    // From a gateway that takes the hash for that of a state with mallory.
    const other = diffPresence({ ...OFFICE, mallory: 'active' }, { ...LATER, mallory: 'active' })
    expect(held.take('presence', other)).to.equal(undefined)
    expect(held.opened(undefined)).to.equal('')
    expect(held.take('presence', diffPresence(undefined, LATER))).to.deep.equal(LATER)
  })

  it('is trusted after a whole state has shown that this gateway computes other hashes', () => {
    const held = new Held()
    const foreign = (delta: CountsDelta): CountsDelta => ({ ...delta, hash: '0123456789abcdef' })
    held.take('counts', foreign({ full: { general: 1 }, hash: '' }))
    held.opened(undefined)
    expect(held.take('counts', foreign({ set: { general: 2 }, hash: '' }))).to.equal(undefined)
    held.take('counts', foreign({ full: { general: 2 }, hash: '' }))
    held.opened(undefined)
    expect(held.take('counts', foreign({ set: { general: 3 }, hash: '' }))).to.deep.equal({ general: 3 })
  })

  it('is not named to a stream of another channel, if it belongs to one', () => {
    const held = new Held()
    const state = { channel: 'general', receipts: { ada: 1 } }
    const whole: SeenDelta = { channel: 'general', full: state.receipts, hash: hashOfSeen(state) }
    held.take('seen', whole)
    expect(held.opened('general')).to.equal(`seen:${whole.hash}`)
    expect(held.opened('design')).to.equal('')
    expect(held.opened('general')).to.equal('')
  })

  it('takes the reader counts of a large channel as they come', () => {
    const held = new Held()
    const messages = [{ id: 7, count: 800, names: ['bob'] }]
    held.take('seen', seenCounts('general', messages))
    held.opened('general')
    const more = [{ id: 8, count: 2, names: ['bob'] }]
    const now = held.take('seen', seenCounts('general', more))
    expect(now?.messages).to.deep.equal(more)
  })

  it('keeps the order of the interface in lists after a delta of one entry', () => {
    const held = new Held()
    const [a, b, c] = [dm('dm:ada:bob', 5), dm('dm:ada:cleo', 4), dm('dm:ada:dora', 3)]
    const before: ListsState = { entries: { [a.channel]: a, [b.channel]: b, [c.channel]: c }, unread: 0 }
    const after: ListsState = {
      entries: { ...before.entries, [c.channel]: { ...c, unread: 1, at: 9 } },
      unread: 1,
    }
    held.take('lists', diffLists(undefined, before))
    const now = held.take('lists', diffLists(before, after))!
    expect(dmsOf(now).map(one => one.channel)).to.deep.equal(['dm:ada:dora', 'dm:ada:bob', 'dm:ada:cleo'])
    expect(now.unread).to.equal(1)
  })

  it('names the lists of the page by the same hash', () => {
    const held = new Held()
    held.begin('counts', { general: 3, __proto__: 1 } as Record<string, number>)
    expect(held.opened(undefined)).to.equal(`counts:${hashOfMap({ general: 3 })}`)
    expect(
      held.take('counts', {
        gone: ['general'],
        set: { design: 1 },
        hash: hashOfMap({ design: 1 }),
      }),
    ).to.deep.equal({ design: 1 })
  })

  it('names an event of the interface by its text, until it comes as deltas', () => {
    const held = new Held()
    held.noteEvent('mentions', '[]')
    held.noteEvent('typing', '["bob"]')
    held.noteEvent('sidebar', '{}')
    expect(held.opened(undefined)).to.equal(`mentions:${hashOf('[]')},sidebar:${hashOf('{}')}`)
    held.noteEvent('sidebar', undefined)
    expect(held.opened(undefined)).to.equal(`mentions:${hashOf('[]')}`)
    held.noteEvent('mentions', undefined)
    expect(held.opened(undefined)).to.equal('')
  })
})
