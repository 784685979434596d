import { expect } from 'chai'
import pg from 'pg'
import type { DmPayload } from '#shared/domain/payloads/channels.ts'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('channels and lists (interface 2.6, 3.6, 4.2, 7)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'] } })
  })
  after(() => world.end())

  it('lists public channels in configured order, and users except the caller case-insensitively', async () => {
    const zoe = await new Person('Beatrix', world.api[0]!.url).signUp()
    expect(await zoe.get('/channels')).to.deep.equal(['general', 'design'])
    expect(await world.ada.get('/users')).to.deep.equal(['Beatrix', 'bob', 'cleo', 'mallory'])
    expect(await world.ada.get('/channel_members/general')).to.deep.equal([
      'Beatrix',
      'bob',
      'cleo',
      'mallory',
    ])
    expect(await world.ada.get('/channel_members/dm:ada:bob:cleo')).to.deep.equal(['bob', 'cleo'])
  })

  it('does not send a list of people again to a client that names its validator', async () => {
    for (const path of ['/users', '/channel_members/general', '/user_colors', '/user_avatars']) {
      const first = await world.cleo.fetch(path)
      const etag = first.headers.get('ETag')!
      expect(first.headers.get('Cache-Control'), path).to.equal('no-store')
      const again = await world.cleo.fetch(path, { headers: { 'If-None-Match': etag } })
      expect([again.status, await again.text(), again.headers.get('ETag')], path).to.deep.equal([
        304,
        '',
        etag,
      ])
    }
    const known = { 'If-None-Match': (await world.cleo.fetch('/users')).headers.get('ETag')! }
    await new Person('newcomer', world.api[0]!.url).signUp()
    const changed = await world.cleo.fetch('/users', { headers: known })
    expect([changed.status, await changed.json()]).to.deep.equal([
      200,
      ['ada', 'Beatrix', 'bob', 'mallory', 'newcomer'],
    ])
  })

  it('counts others’ messages after the watermark, except deleted ones', async () => {
    const unread = async (who: Person) =>
      (await who.get<Record<string, number>>('/channel_unreads'))['design']
    const before = await unread(world.bob)
    const first = await world.ada.send('design', 'one')
    await world.ada.send('design', 'two')
    expect(await unread(world.bob)).to.equal(before! + 2)
    expect(await unread(world.ada)).to.equal(0)
    await world.ada.delete(first)
    expect(await unread(world.bob)).to.equal(before! + 1)
    expect((await world.bob.markRead('design')).status).to.equal(204)
    expect(await unread(world.bob)).to.equal(0)
    const again = await world.ada.send('design', 'three')
    expect(await unread(world.bob)).to.equal(1)
    await world.bob.send('design', 'answering reads')
    expect(await unread(world.bob)).to.equal(0)
    await world.ada.delete(again)
    expect(await unread(world.bob)).to.equal(0)
  })

  it('counts every public channel, including empty ones', async () => {
    expect(await world.cleo.get('/channel_unreads')).to.have.all.keys(['general', 'design'])
  })

  it('lists DMs from their first message, newest first; a closed one returns with its next message', async () => {
    const channels = async (who: Person) => (await who.get<DmPayload[]>('/dms')).map(dm => dm.channel)
    await world.ada.send('dm:ada:bob', 'hi bob')
    await world.cleo.send('dm:ada:bob:cleo', 'hi both')
    expect(await world.bob.get('/dms')).to.deep.equal([
      { channel: 'dm:ada:bob:cleo', users: ['ada', 'cleo'], unread: 1 },
      { channel: 'dm:ada:bob', users: ['ada'], unread: 1 },
    ])
    expect(await world.bob.get('/unread_count')).to.deep.equal({ count: 2 })

    const close = (channel: unknown) => world.bob.postJson('/dms/close', { channel })
    expect((await close('dm:bob:ada')).status).to.equal(204)
    expect(await channels(world.bob)).to.deep.equal(['dm:ada:bob:cleo'])
    expect(await channels(world.ada)).to.include('dm:ada:bob')
    expect(await world.bob.get('/unread_count')).to.deep.equal({ count: 1 })
    await world.ada.send('dm:ada:bob', 'still there?')
    expect(await channels(world.bob)).to.deep.equal(['dm:ada:bob', 'dm:ada:bob:cleo'])

    for (const wrong of [undefined, 7, '', 'general', 'dm:ada', 'dm:ada:cleo', ['dm:ada:bob']]) {
      expect((await close(wrong)).status, String(wrong)).to.equal(400)
    }
    expect(await world.mallory.get('/dms')).to.deep.equal([])
  })

  it('shows a closed DM again for a message with an earlier time that was committed later', async () => {
    const channel = 'dm:cleo:mallory'
    await world.mallory.send(channel, 'first')
    const client = new pg.Client(world.backing.env.DATABASE_URL)
    await client.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ newest_ts: number }>(
        `update channels
            set clock_us = (extract(epoch from clock_timestamp()) * 1000000)::bigint,
                newest_ts = extract(epoch from clock_timestamp()), message_count = message_count + 1
          where id = $1
         returning newest_ts`,
        [channel],
      )
      await client.query(
        `insert into messages (channel, ord, sender, content, ts) values ($1, 2, 'mallory', 'second', $2)`,
        [channel, rows[0]!.newest_ts],
      )
      expect((await world.cleo.postJson('/dms/close', { channel })).status).to.equal(204)
      expect((await world.cleo.get<DmPayload[]>('/dms')).map(dm => dm.channel)).to.not.include(channel)
      await client.query('commit')
    } finally {
      await client.end()
    }
    expect((await world.cleo.get<DmPayload[]>('/dms')).map(dm => dm.channel)).to.include(channel)
  })

  it('lists unread mentions, newest first, until they are read, edited away or deleted', async () => {
    const mentions = async (who: Person) =>
      (await who.get<MentionPayload[]>('/mentions')).map(mention => mention.content)
    await world.cleo.markRead('general')
    const first = await world.ada.send('general', 'one @cleo')
    await world.bob.send('general', 'two @everyone @cleo')
    expect(await mentions(world.cleo)).to.deep.equal(['two @everyone @cleo', 'one @cleo'])
    await world.ada.edit(first, 'nobody')
    expect(await mentions(world.cleo)).to.deep.equal(['two @everyone @cleo'])
    await world.ada.edit(first, 'again @cleo')
    expect(await mentions(world.cleo)).to.have.length(2)
    await world.ada.delete(first)
    expect(await mentions(world.cleo)).to.deep.equal(['two @everyone @cleo'])
    expect(await mentions(world.bob)).to.deep.equal([])
    await world.cleo.markRead('general')
    expect(await mentions(world.cleo)).to.deep.equal([])
    await world.bob.send('dm:ada:bob', 'for @ada only')
    expect(await mentions(world.mallory)).to.not.include('for @ada only')
  })

  it('keeps a user named __proto__ in every map', async () => {
    const proto = await new Person('__proto__', world.api[0]!.url).signUp()
    await proto.send('design', 'hello from the prototype')
    await proto.postJson('/presence', { state: 'active' })
    const receipts = JSON.stringify(await world.ada.get('/read_receipts/design'))
    expect(receipts).to.include('"__proto__"')
    expect(JSON.stringify(await world.ada.get('/online_users'))).to.include('"__proto__"')
    const id = await world.ada.send('design', 'react, prototype')
    expect(await (await proto.react(id, 'tada')).text()).to.include('__proto__')
  })
})
