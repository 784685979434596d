import { expect } from 'chai'
import { claims, type Pending } from './pending.ts'
import { row } from './rows.fixture.ts'

function pending(key: string, text: string, more: Partial<Pending> = {}): Pending {
  return {
    key,
    channel: 'general',
    text,
    replyTo: null,
    row: row(-1, { content: text }),
    state: 'sending',
    after: 10,
    startedAt: 0,
    ...more,
  }
}

const said = (id: number, content: string) => row(id, { content })
const pairs = (of: Map<string, { id: number }>) => [...of].map(([key, one]) => [key, one.id])

describe('a message of our own that comes back', () => {
  it('is known by its id when the answer came first, whatever else looks like it', () => {
    const sent = pending('a', 'ok', { state: 'sent', id: 12 })
    expect(pairs(claims([sent], [said(11, 'ok'), said(12, 'ok')], 'ada'))).to.deep.equal([['a', 12]])
  })

  it('is known by its words when the frame came first, in the order of sending', () => {
    const found = claims(
      [pending('a', 'three'), pending('b', 'three')],
      [said(11, 'three'), said(12, 'three')],
      'ada',
    )
    expect(pairs(found)).to.deep.equal([
      ['a', 11],
      ['b', 12],
    ])
  })

  it('is never one from before it was sent, or from somebody else, or another answer', () => {
    const mine = [pending('a', 'ok')]
    expect(claims(mine, [said(9, 'ok')], 'ada').size).to.equal(0)
    expect(claims(mine, [row(11, { content: 'ok', sender: 'bob' })], 'ada').size).to.equal(0)
    expect(claims(mine, [row(11, { content: 'ok', reply_to_id: 3 })], 'ada').size).to.equal(0)
  })

  it('cannot be one that still waits for its turn', () => {
    expect(claims([pending('a', 'ok', { state: 'waiting' })], [said(11, 'ok')], 'ada').size).to.equal(0)
  })

  it('is an image where an image was sent, not the text beside it', () => {
    const image = pending('a', '', { file: {} as File })
    const found = claims([image], [said(11, ''), row(12, { content: '', filename: 'x.png' })], 'ada')
    expect(pairs(found)).to.deep.equal([['a', 12]])
  })
})
