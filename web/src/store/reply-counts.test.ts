import { expect } from 'chai'
import { withReply } from './reply-counts.ts'

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
