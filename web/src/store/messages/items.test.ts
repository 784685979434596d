import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { type Item, itemsOf, sameItem } from './items.ts'
import { row } from './rows.fixture.ts'

const NOON = new Date(2026, 10, 21, 12).getTime() / 1000
const at = (id: number, seconds: number, more: Partial<MessagePayload> = {}) =>
  row(id, { ts: NOON + seconds, ...more })
const shown = (list: MessagePayload[]) => list.map(one => ({ key: `m${one.id}`, row: one }))
const sketch = (items: Item[]) =>
  items.map(item => {
    if (item.kind === 'message')
      return `${item.first ? 'first ' : ''}${item.key}${item.images.length > 0 ? ` +${item.images.length}` : ''}`
    return item.kind === 'deleted' ? `deleted ${item.rows.length}` : item.kind
  })
const itemsFor = (list: MessagePayload[], unreadAfter?: number) =>
  sketch(itemsOf(shown(list), 'ada', unreadAfter))

describe('the message list', () => {
  it('groups the messages of a person within five minutes', () => {
    expect(itemsFor([at(1, 0), at(2, 299), at(3, 600)])).to.deep.equal(['day', 'first m1', 'm2', 'first m3'])
    expect(itemsFor([at(1, 0), at(2, 10, { sender: 'bob' })])).to.deep.equal(['day', 'first m1', 'first m2'])
  })

  it('begins a new group at a quote, a system message, a tombstone and the New line', () => {
    expect(itemsFor([at(1, 0), at(2, 1, { reply_to_id: 1 })])).to.deep.equal(['day', 'first m1', 'first m2'])
    expect(itemsFor([at(1, 0), at(2, 1, { sender: 'system' }), at(3, 2)])).to.deep.equal([
      'day',
      'first m1',
      'system',
      'first m3',
    ])
    expect(itemsFor([at(1, 0), at(2, 1, { deleted: 1 }), at(3, 2)])).to.deep.equal([
      'day',
      'first m1',
      'deleted 1',
      'first m3',
    ])
    const bob = { sender: 'bob' }
    expect(itemsFor([at(1, 0, bob), at(2, 1, bob)], NOON)).to.deep.equal([
      'day',
      'first m1',
      'new',
      'first m2',
    ])
  })

  it('shows the quote once above a run of replies to the same message', () => {
    const reply = (id: number, sender: string, reply_to_id: number | null) =>
      at(id, id, { sender, reply_to_id })
    const items = itemsOf(
      shown([
        reply(1, 'ada', null),
        reply(2, 'bob', 1),
        reply(3, 'cleo', 1),
        reply(4, 'cleo', 1),
        reply(5, 'cleo', 2),
        reply(6, 'cleo', null),
        reply(7, 'bob', 1),
      ]),
      'ada',
    )
    const folded = items.filter(item => item.kind === 'message' && item.sameParent).map(item => item.key)
    expect(folded).to.deep.equal(['m3', 'm4'])
    expect(sketch(items)).to.deep.equal([
      'day',
      'first m1',
      'first m2',
      'first m3',
      'm4',
      'first m5',
      'm6',
      'first m7',
    ])
  })

  it('folds three welcomes in a row, except the own one', () => {
    const welcome = (id: number, name: string) =>
      at(id, id, {
        sender: 'system',
        content_type: 'system',
        content: `Welcome to bothy, ${name}! Say hello.`,
      })
    const folded = (list: MessagePayload[]) =>
      itemsOf(shown(list), 'ada').flatMap(item => (item.kind === 'system' ? item.rows.length : []))
    expect(folded([welcome(1, 'bob'), welcome(2, 'cleo')])).to.deep.equal([1, 1])
    expect(folded([1, 2, 3, 4].map(id => welcome(id, `n${id}`)))).to.deep.equal([4])
    const list = ['bob', 'cleo', 'dora', 'ada', 'erin', 'fred'].map((name, i) => welcome(i + 1, name))
    expect(folded(list)).to.deep.equal([3, 1, 1, 1])
    expect(folded([welcome(1, 'b'), welcome(2, 'c'), at(3, 3), welcome(4, 'd')])).to.deep.equal([1, 1, 1])
  })

  it('puts a date between days', () => {
    expect(itemsFor([at(1, 0), at(2, 86_400)])).to.deep.equal(['day', 'first m1', 'day', 'first m2'])
  })

  it('shows the New line once, above the first message of somebody else', () => {
    const list = [
      at(1, 0, { sender: 'bob' }),
      at(2, 1),
      at(3, 2, { sender: 'bob' }),
      at(4, 3, { sender: 'cleo' }),
    ]
    expect(itemsFor(list, NOON).filter(item => item === 'new').length).to.equal(1)
    expect(itemsFor(list, NOON)[3]).to.equal('new')
    expect(itemsFor(list, NOON + 5)).to.not.include('new')
    expect(itemsFor(list)).to.not.include('new')
  })

  it('makes one gallery of images within two seconds, with the text before them', () => {
    const image = { content: '', filename: 'a.png' }
    expect(itemsFor([at(1, 0), at(2, 1, image), at(3, 3, image)])).to.deep.equal(['day', 'first m1 +2'])
    expect(itemsFor([at(1, 0, image), at(2, 1, image)])).to.deep.equal(['day', 'first m1 +2'])
    expect(itemsFor([at(1, 0), at(2, 3, image)])).to.deep.equal(['day', 'first m1', 'm2 +1'])
    expect(itemsFor([at(1, 0), at(2, 1, { ...image, sender: 'bob' })])).to.deep.equal([
      'day',
      'first m1',
      'first m2 +1',
    ])
  })

  it('folds three and more tombstones in a row, not two, and not across days', () => {
    const gone = { deleted: 1 as const }
    expect(itemsFor([at(1, 0, gone), at(2, 1, gone)])).to.deep.equal(['day', 'deleted 1', 'deleted 1'])
    expect(itemsFor([at(1, 0, gone), at(2, 1, gone), at(3, 2, gone), at(4, 3, gone)])).to.deep.equal([
      'day',
      'deleted 4',
    ])
    expect(itemsFor([at(1, 0, gone), at(2, 1, gone), at(3, 86_400, gone)])).to.not.include('deleted 3')
    const root = at(3, 2, { ...gone, extra: { replies: { count: 1, last_id: 9, last_ts: 9, people: [] } } })
    const run = [at(1, 0, gone), at(2, 1, gone), root, at(4, 3, gone), at(5, 4, gone)]
    expect(itemsFor(run), 'the root of a thread').to.deep.equal(['day', ...Array(5).fill('deleted 1')])
  })

  it('recognizes a row that need not be rendered again', () => {
    const [first, second] = [itemsOf(shown([row(1)]), 'ada'), itemsOf(shown([row(1)]), 'ada')]
    const same = shown([row(1)])
    expect(sameItem(itemsOf(same, 'ada')[1]!, itemsOf(same, 'ada')[1]!)).to.equal(true)
    expect(sameItem(first[1]!, second[1]!)).to.equal(false)
  })
})
