import { expect } from 'chai'
import type { PresenceState } from '#shared/domain/payloads/people.ts'
import { itemsOf } from './items.ts'
import { row, rows } from './rows.fixture.ts'
import {
  answeredInSight,
  byName,
  concerns,
  countForTitle,
  countsByItem,
  marked,
  matchingPeople,
  nearestFirst,
  neighbourOf,
  reactionsOf,
  readersByItem,
  toggled,
} from './selectors.ts'

describe('the read marker of a person', () => {
  const items = itemsOf(
    rows(1, 3).map(one => ({ key: `m${one.id}`, row: one })),
    'ada',
  )

  it('stands at the last message that each has read', () => {
    const marks = new Map([
      ['bob', 2],
      ['cleo', 2.5],
      ['dora', 99],
      ['mallory', 0],
    ])
    expect([...readersByItem(items, marks, 'ada')]).to.deep.equal([
      ['m2', ['bob', 'cleo']],
      ['m3', ['dora']],
    ])
  })

  it('is shown at the last message with each count in a large channel', () => {
    const seen = new Map([
      [1, { id: 1, count: 900, names: ['bob'] }],
      [2, { id: 2, count: 900, names: ['bob'] }],
      [3, { id: 3, count: 3, names: ['ada', 'cleo', 'dora'] }],
    ])
    expect([...countsByItem(items, seen, 'ada')]).to.deep.equal([
      ['m3', { names: ['cleo', 'dora'], count: 3, message: 3 }],
      ['m2', { names: ['bob'], count: 900, message: 2 }],
    ])
    expect(countsByItem(items, new Map([[3, { id: 3, count: 0, names: [] }]]), 'ada').size).to.equal(0)
  })

  it('is computed in linear time for two thousand people and as many rows', () => {
    const many = itemsOf(
      rows(1, 2_000).map(one => ({ key: `m${one.id}`, row: one })),
      'ada',
    )
    const marks = new Map(Array.from({ length: 2_000 }, (_, at) => [`p${at}`, at % 2 === 0 ? 2_000 : 1]))
    let looks = 0
    const watched = many.map(item =>
      Object.defineProperty({ ...item }, 'lastTs', {
        get: () => {
          looks++
          return (item as { lastTs: number }).lastTs
        },
      }),
    )
    expect(readersByItem(watched, marks, 'ada').get('m2000')).to.have.length(1_000)
    expect(looks).to.be.below(2_000 * 15)
  })

  it('is not shown under the person’s own message', () => {
    const own = itemsOf(
      [1, 2].map(id => ({ key: `m${id}`, row: row(id, { ts: id, sender: id === 2 ? 'bob' : 'cleo' }) })),
      'ada',
    )
    const marks = new Map([
      ['bob', 2],
      ['cleo', 2],
    ])
    expect([...readersByItem(own, marks, 'ada')]).to.deep.equal([['m2', ['cleo']]])
  })

  it('never includes the viewer', () => {
    expect(readersByItem(items, new Map([['ada', 3]]), 'ada').size).to.equal(0)
  })
})

describe('a reaction that is pressed', () => {
  const loved = row(1, { reactions: '{"heart":["bob"],"eyes":["ada"]}' })

  it('is added to its chip, or at the end as a new chip', () => {
    expect(toggled(loved, 'heart', 'ada')).to.equal('{"heart":["bob","ada"],"eyes":["ada"]}')
    expect(toggled(loved, 'tada', 'ada')).to.equal('{"heart":["bob"],"eyes":["ada"],"tada":["ada"]}')
  })

  it('is removed on a second press, and its chip with the last reaction', () => {
    expect(toggled(loved, 'eyes', 'ada')).to.equal('{"heart":["bob"]}')
    expect(toggled(row(1, { reactions: '{"eyes":["ada"]}' }), 'eyes', 'ada')).to.equal(null)
  })
})

describe('names that are properties of Object.prototype', () => {
  it('are treated as usernames', () => {
    const marks = byName(JSON.parse('{"__proto__":5,"constructor":6}'))
    expect(marks.get('__proto__')).to.equal(5)
    expect(marks.get('constructor')).to.equal(6)
    expect(marks.get('toString')).to.equal(undefined)
    expect(reactionsOf(row(1, { reactions: '{"__proto__":["bob"]}' }))).to.deep.equal([
      ['__proto__', ['bob']],
    ])
  })
})

describe('messages for the viewer', () => {
  it('are mentions of the viewer or of everyone by somebody else', () => {
    expect(concerns(row(1, { sender: 'bob', mentions: '["ada"]' }), 'ada')).to.equal(true)
    expect(concerns(row(1, { sender: 'bob', mentions: '["@everyone"]' }), 'ada')).to.equal(true)
    expect(concerns(row(1, { sender: 'bob', mentions: '["cleo"]' }), 'ada')).to.equal(false)
    expect(concerns(row(1, { sender: 'ada', mentions: '["ada"]' }), 'ada')).to.equal(false)
    expect(concerns(row(1, { sender: 'bob', mentions: 'not json' }), 'ada')).to.equal(false)
  })

  it('are counted for the title: direct messages and mentions, without duplicates', () => {
    const mention = (channel: string) => ({
      id: 1,
      channel,
      sender: 'bob',
      content: '',
      filename: null,
      ts: 1,
    })
    const dms = [{ channel: 'dm:ada:bob', users: ['bob'], unread: 2 }]
    expect(countForTitle(dms, [mention('general'), mention('dm:ada:bob')])).to.equal(3)
  })
})

describe('the next conversation', () => {
  const all = [
    { channel: 'general', unread: 0 },
    { channel: 'design', unread: 2 },
    { channel: 'private:7', unread: 0 },
    { channel: 'dm:ada:bob', unread: 0 },
  ]
  const mention = { id: 1, channel: 'private:7', sender: 'bob', content: '', filename: null, ts: 1 }

  it('is the one below in the sidebar, and the first after the last', () => {
    expect(neighbourOf(all, [], 'general', 1, false)).to.equal('design')
    expect(neighbourOf(all, [], 'dm:ada:bob', 1, false)).to.equal('general')
    expect(neighbourOf(all, [], 'general', -1, false)).to.equal('dm:ada:bob')
  })

  it('is the next one with unread messages or a mention, if requested', () => {
    expect(neighbourOf(all, [mention], 'general', 1, true)).to.equal('design')
    expect(neighbourOf(all, [mention], 'design', 1, true)).to.equal('private:7')
    expect(neighbourOf(all, [], 'design', 1, true)).to.equal(undefined)
  })

  it('is the first or the last when no listed channel is open', () => {
    expect(neighbourOf(all, [], undefined, 1, false)).to.equal('general')
    expect(neighbourOf(all, [], 'dm:gone:gone2', -1, false)).to.equal('dm:ada:bob')
    expect(neighbourOf([], [], undefined, 1, false)).to.equal(undefined)
  })
})

describe('finding people', () => {
  it('lists names with the prefix first, and among these the most recent speakers', () => {
    const people = ['oksana', 'sanna', 'Sam', 'bob']
    expect(matchingPeople('sa', people, [])).to.deep.equal(['Sam', 'sanna', 'oksana'])
    expect(matchingPeople('sa', people, ['sanna'])).to.deep.equal(['sanna', 'Sam', 'oksana'])
  })
})

describe('the people of a channel', () => {
  it('are sorted by presence: active, idle, in another tab, offline', () => {
    const states = new Map<string, PresenceState>([
      ['ada', 'idle'],
      ['bob', 'active'],
      ['cleo', 'hidden'],
      ['dora', 'active'],
    ])
    const sorted = nearestFirst(
      ['mallory', 'bob', 'cleo', 'ada', 'dora'],
      name => states.get(name) ?? 'offline',
    )
    expect(sorted).to.deep.equal(['bob', 'dora', 'ada', 'cleo', 'mallory'])
  })
})

describe('typed letters', () => {
  it('are marked once in a choice, without regard to case', () => {
    expect(marked('Bob', 'b')).to.deep.equal([
      { text: 'B', hit: true },
      { text: 'ob', hit: false },
    ])
    expect(marked('hotdog', 'DOG').map(part => part.text)).to.deep.equal(['hot', 'dog'])
    expect(marked('ada', 'b')).to.deep.equal([{ text: 'ada', hit: false }])
    expect(marked('100% [a](b)', '% [').map(part => part.text)).to.deep.equal(['100', '% [', 'a](b)'])
    expect(marked('text', '  ')).to.deep.equal([{ text: 'text', hit: false }])
  })
})

describe('a reply in sight', () => {
  it('is one of the next four rows', () => {
    const list = rows(1, 9)
    const answer = (at: number, to: number) => Object.assign(list[at - 1]!, { reply_to_id: to })
    answer(4, 1)
    answer(9, 3)
    Object.assign(answer(6, 5), { deleted: 1 })
    const items = itemsOf(
      list.map(one => ({ key: `m${one.id}`, row: one })),
      'ada',
    )
    expect([...answeredInSight(items)]).to.deep.equal([1])
  })
})
