import { signal } from '@preact/signals'
import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { row } from '../../store/messages/rows.fixture.ts'
import { noteCounts, noteReplies } from './reply-counts.ts'

const replies = (count: number, last: number) => ({ count, last_id: last, last_ts: last, people: ['bob'] })
const root = (count: number, last: number): MessagePayload =>
  row(1, { extra: { replies: replies(count, last) } })
const reply = (id: number): MessagePayload => row(id, { ts: id, reply_to_id: 1, extra: { thread: 1 } })
const channelWith = (loaded: MessagePayload) =>
  ({
    replyCounts: signal(new Map()),
    liveWindow: signal({ rows: [loaded] }),
    historyWindow: signal(undefined),
  }) as unknown as Channel

describe('counts of replies', () => {
  it('go on with the replies of frames', () => {
    const channel = channelWith(root(2, 20))
    noteReplies(channel, [reply(30)])
    expect(channel.replyCounts.value.get(1)).to.include({ count: 3, last_id: 30 })
  })

  it('have a reply that comes in one frame with its root', () => {
    const channel = channelWith(row(9))
    noteReplies(channel, [row(1), reply(30)])
    expect(channel.replyCounts.value.get(1)).to.include({ count: 1, last_id: 30 })
  })

  it('have a reply that comes before the page with its root', () => {
    const channel = channelWith(row(9))
    const since = performance.now()
    noteReplies(channel, [reply(30)])
    noteCounts(channel, [root(2, 20)], since)
    expect(channel.replyCounts.value.get(1)).to.include({ count: 3, last_id: 30 })
    const other = channelWith(row(9))
    noteReplies(other, [reply(30)])
    noteCounts(other, [root(3, 30)], since)
    expect(other.replyCounts.value.get(1), 'counted already').to.include({ count: 3, last_id: 30 })
    const later = channelWith(row(9))
    noteReplies(later, [reply(30)])
    noteCounts(later, [root(2, 20)], performance.now() + 1)
    expect(later.replyCounts.value.has(1), 'deleted since').to.equal(false)
  })

  it('are those of a page that was requested later, although a reply was deleted meanwhile', () => {
    const channel = channelWith(root(2, 20))
    noteReplies(channel, [reply(30)])
    noteCounts(channel, [root(2, 20)], performance.now() + 1)
    expect(channel.replyCounts.value.has(1), 'the count of the row').to.equal(false)
  })

  it('are not those of a page that was requested before the last reply came', () => {
    const channel = channelWith(root(2, 20))
    const since = performance.now() - 1
    noteReplies(channel, [reply(30)])
    noteCounts(channel, [root(2, 20)], since)
    expect(channel.replyCounts.value.get(1)).to.include({ count: 3 })
  })
})
