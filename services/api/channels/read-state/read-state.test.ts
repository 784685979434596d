import { expect } from 'chai'
import pg from 'pg'
import type { SeenPayload } from '#shared/domain/payloads/messages.ts'
import { somebody } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('read state (interface 2.5, 4.3)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
  })
  after(() => world.end())

  const receipts = () => world.ada.get<Record<string, number>>('/read_receipts/general')

  it('moves the watermark to the newest message, and the sender’s to their own', async () => {
    const id = await world.ada.send('general', 'read me')
    const { ts } = (await world.ada.messages('general')).find(row => row.id === id)!
    expect((await receipts())['ada']).to.equal(ts)
    expect((await receipts())['bob']).to.be.lessThan(ts)
    await world.bob.markRead('general')
    expect((await receipts())['bob']).to.equal(ts)
  })

  it('never moves the watermark back while calls race with sends on two processes', async () => {
    let highest = 0
    for (let i = 0; i < 10; i++) {
      await Promise.all([
        world.ada.send('general', `race ${i}`),
        world.bob.markRead('general'),
        world.bob.markRead('general'),
      ])
      const mark = (await receipts())['bob']!
      expect(mark).to.be.at.least(highest)
      highest = mark
    }
    await world.bob.markRead('general')
    expect((await world.bob.get<Record<string, number>>('/channel_unreads'))['general']).to.equal(0)
  })

  it('names only the caller in a channel with more readers than `most`', async () => {
    const own = { ada: (await receipts())['ada'] }
    expect(await world.ada.get('/read_receipts/general?most=3')).to.deep.equal(own)
    // The others have joined and read nothing.
    const { ada, bob } = await receipts()
    expect(await world.ada.get('/read_receipts/general?most=4')).to.deep.equal({ ada, bob })
    expect(await world.ada.get('/read_receipts/general?most=many')).to.deep.equal(await receipts())
    expect(await world.ada.get('/read_receipts/general?most=1e99')).to.deep.equal({ ada, bob })
    await world.ada.send('dm:ada:bob', 'between us')
    await world.bob.markRead('dm:ada:bob')
    expect(await world.ada.get('/read_receipts/dm:ada:bob?most=1')).to.have.all.keys('ada')
    expect(await world.ada.get('/read_receipts/dm:ada:bob?most=2')).to.have.all.keys('ada', 'bob')
    const made = await world.ada.postJson('/private_channels/create', { name: 'den', members: ['bob'] })
    const { channel } = (await made.json()) as { channel: string }
    await world.ada.send(channel, 'in the den')
    expect(await world.ada.get(`/read_receipts/${channel}?most=1`)).to.have.all.keys('ada')
    expect((await world.mallory.fetch(`/read_receipts/${channel}?most=1`)).status).to.equal(403)
  })

  describe('of one message', () => {
    const seen = (id: number, query = '', who = world.ada) => who.get<SeenPayload>(`/seen/${id}${query}`)

    it('lists everybody who has read it, except its author', async () => {
      const id = await world.ada.send('general', 'seen by whom')
      expect(await seen(id)).to.deep.equal({ count: 0, names: [], cursor: null })
      await world.cleo.markRead('general')
      await world.bob.markRead('general')
      for (const who of [world.ada, world.bob])
        expect(await seen(id, '', who)).to.deep.equal({ count: 2, names: ['bob', 'cleo'], cursor: null })
    })

    it('is returned in pages of a hundred names, each name once', async () => {
      const names = Array.from({ length: 250 }, (_, at) => `reader-${at}`)
      const db = new pg.Client({ connectionString: world.backing.env.DATABASE_URL })
      await db.connect()
      await db.query(
        `insert into users (username, password_hash, created_ts) select name, 'x', 0 from unnest($1::text[]) name`,
        [names],
      )
      const id = await world.ada.send('design', 'for many')
      await db.query(
        `insert into read_watermarks (channel, username, last_read_ts, last_read_ord)
         select id, name, newest_ts, message_count from channels, unnest($1::text[]) name where id = 'design'`,
        [names],
      )
      await db.end()
      const pages: SeenPayload[] = []
      for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.cursor)
        pages.push(await seen(id, `?cursor=${encodeURIComponent(cursor)}`))
      expect(pages.map(page => page.names.length)).to.deep.equal([100, 100, 50])
      expect(pages.flatMap(page => page.names)).to.have.members(names)
      expect(new Set(pages.map(page => page.count))).to.deep.equal(new Set([250]))
      expect(await seen(id, '?cursor=zzz')).to.deep.equal({ count: 250, names: [], cursor: null })
      for (const wrong of ['?cursor=a&cursor=b', '?cursor=%00'])
        expect((await world.ada.fetch(`/seen/${id}${wrong}`)).status, wrong).to.equal(400)
    })

    it('does not name people who joined later and have opened nothing', async () => {
      const { ada, bob } = world
      await ada.postJson('/public_channels', { name: 'Annex' })
      const before = await ada.send('annex', 'before they came')
      const { url } = world.api[0]!
      const newcomers = await Promise.all(Array.from({ length: 3 }, () => somebody(url).signUp()))
      const old = await ada.send('general', 'before the next one came')
      const late = await somebody(url).signUp()
      for (const one of newcomers) await one.postJson('/public_channels/annex/join', {})
      await ada.postJson('/public_channels/annex/add', { usernames: ['cleo'] })
      expect(await seen(before), 'joined').to.deep.equal({ count: 0, names: [], cursor: null })
      expect((await seen(old)).names, 'signed up').to.not.include(late.name)

      const after = await ada.send('annex', 'after they came')
      for (const one of [newcomers[0]!, bob]) await one.markRead('annex')
      expect((await seen(after)).names).to.have.members([newcomers[0]!.name, 'bob'])
      expect((await seen(before)).names, 'reading later messages').to.deep.equal(['bob'])
      await late.markRead('general')
      expect((await seen(await ada.send('general', 'next'))).count).to.equal(0)
      expect((await seen(old)).names).to.not.include(late.name)
      const shown = (query: string) => ada.get<object>(`/read_receipts/annex${query}`)
      const joined = newcomers.map(({ name }) => name)
      expect(await shown(''), 'the base interface').to.include.all.keys('bob', 'cleo', ...joined)
      expect(await shown('?most=999')).to.have.all.keys('ada', 'bob', joined[0]!)
    })

    it('names nobody for a system line', async () => {
      const { ada, bob, cleo } = world
      const den = await world.privateChannel('lines', [ada, bob])
      await ada.addMember(den, 'cleo')
      await bob.markRead(den)
      await cleo.markRead(den)
      const line = (await ada.messages(den)).find(row => row.content_type === 'system')!
      expect(await seen(line.id)).to.deep.equal({ count: 0, names: [], cursor: null })
    })

    it('does not name a member who came later and cannot read it', async () => {
      const made = await world.ada.postJson('/private_channels/create', { name: 'burrow', members: ['bob'] })
      const { id: n, channel } = (await made.json()) as { id: number; channel: string }
      const id = await world.ada.send(channel, 'before cleo')
      await world.ada.postJson(`/private_channels/${n}/add_member`, { username: 'cleo' })
      await world.bob.markRead(channel)
      await world.cleo.markRead(channel)
      expect((await seen(id)).names).to.deep.equal(['bob'])
      expect((await world.cleo.fetch(`/seen/${id}`)).status).to.equal(404)
    })
  })

  it('the closing line of a call is read by its participants who had read everything before it', async () => {
    const { bob, cleo } = world
    const unread = async (person: typeof bob, channel: string) =>
      (await person.get<{ channel: string; unread: number }[]>('/dms')).find(one => one.channel === channel)
        ?.unread
    const call = async (answer: boolean) => {
      const begun = await cleo.postJson('/calls/initiate', { channel: 'dm:bob:cleo' })
      const { call_id } = (await begun.json()) as { call_id: string }
      await bob.postForm(`/calls/${call_id}/${answer ? 'accept' : 'reject'}`)
      if (answer) await cleo.postForm(`/calls/${call_id}/end`)
    }
    await call(false)
    expect([await unread(cleo, 'dm:bob:cleo'), await unread(bob, 'dm:bob:cleo')]).to.deep.equal([0, 1])
    await bob.markRead('dm:bob:cleo')
    await call(true)
    expect([await unread(cleo, 'dm:bob:cleo'), await unread(bob, 'dm:bob:cleo')]).to.deep.equal([0, 0])
    const last = await cleo.send('dm:bob:cleo', 'talk to you soon')
    await bob.delete(last)
    await call(true)
    expect(await unread(bob, 'dm:bob:cleo'), 'a message before it is unread').to.equal(2)
    await cleo.delete(last)
    await call(true)
    expect(await unread(cleo, 'dm:bob:cleo')).to.equal(0)
  })

  it('is for readers of the channel', async () => {
    await world.ada.send('dm:ada:bob', 'hi')
    expect((await world.mallory.markRead('dm:ada:bob')).status).to.equal(403)
    expect((await world.mallory.fetch('/read_receipts/dm:ada:bob')).status).to.equal(403)
  })
})
