import { expect } from 'chai'
import type { SeenPayload } from '#shared/domain/payloads/messages.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { readSeen } from './seen.ts'

describe('who has read the newest messages of a channel', () => {
  let world: World
  let stores: OpenStores
  before(async () => {
    world = await newWorld()
    stores = await storesOf(world.backing)
  })
  after(async () => {
    await stores.stop()
    await world.end()
  })

  async function crowd(count: number) {
    await stores.db.query(
      `insert into users (username, password_hash, created_ts)
       select 'reader-' || i, 'x', 0 from generate_series(1, $1::int) i`,
      [count],
    )
  }
  /** Sets everybody's watermark to a random message of the channel. */
  const read = (channel: ChannelId) =>
    stores.db.query(
      `insert into read_watermarks (channel, username, last_read_ts, last_read_ord)
       select $1, username, message.ts, message.ord
         from users
        cross join lateral (
              select ts, ord from messages where channel = $1 and username <> '' order by random() limit 1) message
        where username like 'reader-%'
       on conflict do nothing`,
      [channel],
    )

  async function messagesFor(viewer: Username, channel: ChannelId) {
    return (await readSeen(stores, [viewer], channel)).get(viewer)?.messages
  }

  /** Checks each message against GET /seen. */
  async function agrees(viewer: Person, channel: ChannelId, count: number) {
    const messages = await messagesFor(viewer.name, channel)
    expect(messages).to.have.length(count)
    for (const { id, count, names } of messages!) {
      const all = await viewer.get<SeenPayload>(`/seen/${id}`)
      expect([count, names], `${id}`).to.deep.equal([all.count, all.names.slice(0, 5)])
    }
  }

  it('is everybody’s watermark while at most fifty people may read the channel', async () => {
    await world.ada.send('general', 'few')
    await world.bob.markRead('general')
    const states = await readSeen(stores, ['ada', 'bob'], 'general')
    expect(states.get('ada')).to.equal(states.get('bob'))
    expect(states.get('ada')!.receipts).to.deep.equal(await world.ada.get('/read_receipts/general?most=50'))
    expect((await readSeen(stores, ['cleo'], 'dm:ada:bob')).size).to.equal(0)
  })

  it('is a count and the first names for each of the newest twenty messages when more people may read it', async () => {
    await crowd(80)
    for (let i = 0; i < 25; i++) await [world.ada, world.bob][i % 2]!.send('general', `message ${i}`)
    await read('general')
    await world.cleo.markRead('general')
    const gone = await world.ada.send('general', 'gone')
    await world.ada.delete(gone)
    await agrees(world.ada, 'general', 20)
    await agrees(world.mallory, 'general', 20)
    const states = await readSeen(stores, ['ada', 'bob', 'mallory'], 'general')
    expect(new Set(states.values()).size, 'one object for all').to.equal(1)
  })

  it('hides messages from before a member joined, and does not count that member as their reader', async () => {
    const den = await world.privateChannel('den', [world.ada, world.bob])
    const id = Number(den.slice('private:'.length))
    for (let i = 0; i < 5; i++) await world.ada.send(den, `early ${i}`)
    await world.ada.addMember(den, 'cleo')
    await world.bob.send(den, 'late')
    await stores.db.query(
      `insert into private_channel_members (channel_id, username, joined_ts, history_start_ts)
       select $1, username, 0, message.ts
         from users
        cross join lateral (
              select ts from messages where channel = $2 and username <> '' order by random() limit 1) message
        where username like 'reader-%'`,
      [id, den],
    )
    await read(den)
    await world.cleo.markRead(den)
    await agrees(world.ada, den, 6)
    await agrees(world.cleo, den, 1)
    expect(await messagesFor('mallory', den)).to.equal(undefined)
  })

  it('counts and names for a guest only those who have joined the channel', async () => {
    await stores.db.query(`update users set role = 'guest' where username = 'mallory'`)
    await stores.db.query(
      `insert into channel_memberships (username, channel, joined, changed_ts)
       select username, 'general', username = 'mallory', 0
         from users where username ~ '^(mallory|bob|reader-1[0-9])$'`,
    )
    await agrees(world.ada, 'general', 20)
    await agrees(world.mallory, 'general', 20)
    const whole = (await messagesFor('ada', 'general'))!
    const own = (await messagesFor('mallory', 'general'))!
    expect(JSON.stringify(own)).to.not.match(/"(bob|reader-1\d)"/)
    const { rows } = await stores.db.query<{ id: number; gone: number }>(
      `select message.id, count(*)::integer as gone
         from messages message
         join read_watermarks marker on marker.channel = 'general' and marker.last_read_ts >= message.ts
         join channel_memberships membership
           on membership.username = marker.username and membership.channel = 'general' and not membership.joined
        where message.id = any($1) and marker.username <> message.sender
        group by message.id`,
      [whole.map(({ id }) => id)],
    )
    const gone = new Map(rows.map(row => [row.id, row.gone]))
    expect(own.map(({ count }) => count)).to.deep.equal(
      whole.map(({ id, count }) => count - (gone.get(id) ?? 0)),
    )
    expect(gone.size).to.be.greaterThan(0)
  })
})
