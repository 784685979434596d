import { expect } from 'chai'
import type { ChannelCollection, GlobalCollection } from './collection.ts'
import { channelCollections, globalCollections } from './index.ts'
import { messages } from './messages.ts'

describe('the events and their intervals (interface 6)', () => {
  const tableOf = (collections: (ChannelCollection | GlobalCollection)[]) =>
    collections.map(collection => [
      collection.event,
      collection.scope,
      collection.minInterval,
      collection.changesAt === undefined ? 'no' : 'yes',
    ])

  it('are those of the table: scope, minimum interval, whether time alone changes them', () => {
    expect([...tableOf(channelCollections), ...tableOf(globalCollections)]).to.deep.equal([
      ['typing', 'channel', 1_000, 'yes'],
      ['read_receipts', 'channel', 500, 'no'],
      ['screenshares', 'channel', 500, 'no'],
      ['online_users', 'global', 1_000, 'yes'],
      ['dms', 'global', 500, 'no'],
      ['channel_unreads', 'global', 500, 'no'],
      ['private_channels', 'global', 1_000, 'no'],
      ['mentions', 'global', 1_000, 'no'],
      ['unread_count', 'global', 1_000, 'no'],
      ['incoming_calls', 'global', 1_000, 'yes'],
    ])
  })

  it('begin with messages: of a channel, every 0.1 s at most, every 30 s at least', () => {
    expect([messages.event, messages.scope]).to.deep.equal(['messages', 'channel'])
    expect([messages.minInterval, messages.maxInterval]).to.deep.equal([100, 30_000])
  })
})
