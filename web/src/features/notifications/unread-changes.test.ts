import { expect } from 'chai'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import { type Counts, countsOf, newsBetween } from './unread-changes.ts'

const mention = (id: number, channel = 'general'): MentionPayload => ({
  id,
  channel,
  sender: 'bob',
  content: '@ada',
  filename: null,
  ts: id,
})
const counts = (unread: Record<string, number>, mentions: MentionPayload[] = []): Counts => ({
  unread: new Map(Object.entries(unread)),
  mentions,
})

describe('news between two counts', () => {
  it('counts the additional unread messages', () => {
    const news = newsBetween(counts({ general: 1, 'dm:ada:bob': 0 }), counts({ general: 3, 'dm:ada:bob': 1 }))
    expect(news.more).to.deep.equal([
      { channel: 'general', by: 2 },
      { channel: 'dm:ada:bob', by: 1 },
    ])
    expect(news.read).to.deep.equal([])
  })

  it('has nothing for a lower count and lists channels without unread messages', () => {
    const news = newsBetween(counts({ general: 3, random: 2 }), counts({ general: 1, random: 0 }))
    expect(news).to.deep.equal({ mentions: [], more: [], read: ['random'] })
  })

  it('includes the first message of a conversation, but not the history of a channel the viewer was added to', () => {
    const news = newsBetween(counts({}), counts({ 'dm:ada:bob': 2, 'private:1': 7 }))
    expect(news.more).to.deep.equal([{ channel: 'dm:ada:bob', by: 2 }])
  })

  it('lists a channel as read only when neither list names it', () => {
    const read = (before: Counts, after: Counts) => newsBetween(before, after).read
    expect(read(counts({ general: 1 }, [mention(1)]), counts({ general: 0 }, [mention(1)]))).to.deep.equal([])
    expect(read(counts({ general: 0 }, [mention(1)]), counts({ general: 0 }))).to.deep.equal(['general'])
  })

  it('lists a closed conversation as read', () => {
    expect(newsBetween(counts({ 'dm:ada:bob': 2 }), counts({})).read).to.deep.equal(['dm:ada:bob'])
  })

  it('includes every new mention, in the order of writing', () => {
    const news = newsBetween(counts({}, [mention(1)]), counts({}, [mention(4), mention(3), mention(1)]))
    expect(news.mentions.map(one => one.id)).to.deep.equal([3, 4])
  })

  it('includes no mention of the first list', () => {
    expect(
      newsBetween({ unread: new Map(), mentions: undefined }, counts({}, [mention(1)])).mentions,
    ).to.deep.equal([])
  })

  it('counts channels of every kind', () => {
    const all = countsOf(
      new Map([['general', 1]]),
      [{ id: 1, channel: 'private:1', name: 'Rev C', unread: 2 }],
      [{ channel: 'dm:ada:bob', users: ['bob'], unread: 3 }],
      undefined,
    )
    expect([...all.unread]).to.deep.equal([
      ['general', 1],
      ['private:1', 2],
      ['dm:ada:bob', 3],
    ])
  })
})
