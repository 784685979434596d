import { expect } from 'chai'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { type OpenStores, openStores } from '#shared/stores/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { channelUnreads } from './channel-unreads.ts'
import type { ChannelEntries, PartialCollection } from './collection.ts'
import { dms } from './dms.ts'
import { privateChannels } from './private-channels.ts'
import { unreadCount } from './unread-count.ts'

describe('partial reads', () => {
  let world: World
  let stores: OpenStores
  let den: ChannelId
  let loft: ChannelId
  const names: Username[] = ['ada', 'bob', 'cleo', 'mallory']

  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'random', '7'] } })
    const { DATABASE_URL, REDIS_URL, REDIS_PREFIX, FILES_URL, SETTINGS_FILE } = world.backing.env
    stores = await openStores({
      databaseUrl: DATABASE_URL,
      redisUrl: REDIS_URL,
      redisPrefix: REDIS_PREFIX,
      filesUrl: FILES_URL,
      settingsFile: SETTINGS_FILE,
    })
    den = await world.privateChannel('den', [world.ada, world.bob])
    loft = await world.privateChannel('loft', [world.ada, world.cleo])
    for (const channel of ['general', 'dm:ada:bob', 'dm:ada:cleo', 'dm:ada:bob:cleo', den]) {
      await world.ada.send(channel, 'hello')
    }
  })
  after(async () => {
    await stores.stop()
    await world.end()
  })

  /** Checks that a whole read after `change` equals the one before it with the entries of `channels` merged in. */
  async function follows<Event extends keyof ChannelEntries>(
    collection: PartialCollection<Event>,
    channels: ChannelId[],
    change: () => Promise<unknown>,
  ) {
    const held = await collection.readPart(stores, names)
    await change()
    const parts = await collection.readPart(stores, names, channels)
    const whole = await collection.read(stores, names)
    for (const name of names) {
      const entries = held.get(name)!
      for (const channel of channels) {
        const entry = parts.get(name)!.get(channel)
        if (entry === undefined) entries.delete(channel)
        else entries.set(channel, entry)
      }
      expect([...parts.get(name)!.keys()].filter(channel => !channels.includes(channel))).to.deep.equal([])
      expect(JSON.stringify(collection.payloadOf(entries)), name).to.equal(JSON.stringify(whole.get(name)))
    }
  }

  it('follow the unread count of a public channel, also of one that has no message yet', async () => {
    await follows(channelUnreads, ['general'], () => world.bob.send('general', 'more'))
    await follows(channelUnreads, ['7', 'general'], () => world.bob.send('7', 'first'))
    await follows(channelUnreads, ['no such channel', den], async () => {})
  })

  it('move a DM to the top, remove a hidden one and return it with the next message', async () => {
    for (const collection of [dms, unreadCount]) {
      await follows(collection, ['dm:ada:bob'], () => world.bob.send('dm:ada:bob', 'hi'))
      const close = () => world.ada.postJson('/dms/close', { channel: 'dm:ada:bob' })
      await follows(collection, ['dm:ada:bob'], close)
      await follows(collection, ['dm:ada:bob'], () => world.bob.send('dm:ada:bob', 'again'))
      await follows(collection, ['dm:ada:bob:cleo'], () => world.bob.markRead('dm:ada:bob:cleo'))
    }
    expect((await dms.read(stores, ['ada'])).get('ada')![0]).to.have.all.keys('channel', 'users', 'unread')
  })

  it('remove a private channel that was left, and put one that was joined again at the end', async () => {
    await follows(privateChannels, [den], () => world.bob.send(den, 'hi'))
    await follows(privateChannels, [den], () => world.ada.leave(den))
    await follows(privateChannels, [den, loft], () => world.bob.addMember(den, 'ada'))
    const listed = (await privateChannels.read(stores, ['ada'])).get('ada')!
    expect(listed.map(entry => entry.channel)).to.deep.equal([loft, den])
    expect(listed[0]).to.have.all.keys('id', 'channel', 'name', 'unread')
  })

  it('share a query for the list of DMs and the count of unread messages in them', () => {
    expect(unreadCount.readPart).to.equal(dms.readPart)
  })
})
