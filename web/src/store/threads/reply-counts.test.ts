import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { newReplies, withReply } from './reply-counts.ts'

const reply = (id: number, ts: number, sender: string) => ({ id, ts, sender })

describe('a count of replies', () => {
  it('begins with the first reply and names the latest three people', () => {
    let count = withReply(undefined, reply(1, 10, 'ada'))
    expect(count).to.deep.equal({ count: 1, last_id: 1, last_ts: 10, people: ['ada'] })
    for (const [at, name] of ['bob', 'cleo', 'dora', 'bob'].entries())
      count = withReply(count, reply(at + 2, at + 11, name))
    expect(count).to.deep.equal({ count: 5, last_id: 5, last_ts: 14, people: ['bob', 'dora', 'cleo'] })
  })

  it('does not count a reply that the server has counted already', () => {
    const before = { count: 3, last_id: 9, last_ts: 20, people: ['ada'] }
    expect(withReply(before, reply(9, 20, 'ada'))).to.equal(before)
    expect(withReply(before, reply(8, 19, 'bob'))).to.equal(before)
  })
})

describe('new replies', () => {
  const row = (id: number, changes: Partial<MessagePayload> = {}) =>
    ({ id, ts: id, sender: 'bob', deleted: 0, extra: { thread: 1 }, ...changes }) as MessagePayload

  it('are those of others after the New line, each send once', () => {
    const rows = [
      row(2),
      row(4),
      row(5, { extra: { thread: 1, part: 2 } }),
      row(6, { sender: 'ada' }),
      row(7, { deleted: 1 }),
      row(8, { extra: { thread: 3 } }),
      row(9, { extra: {} }),
      row(10),
    ]
    expect([...newReplies([...rows, row(10)], 'ada', 3, new Map())]).to.deep.equal([
      [1, 2],
      [3, 1],
    ])
  })

  it('leave out what was read in the thread by itself', () => {
    expect([...newReplies([row(4), row(6)], 'ada', 3, new Map([[1, 4]]))]).to.deep.equal([[1, 1]])
  })
})
