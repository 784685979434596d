import { expect } from 'chai'
import pg from 'pg'
import type { EditPayload } from '#shared/domain/payloads/messages.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('earlier versions of a text (interface 11.7)', () => {
  let world: World
  let db: pg.Client
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const versions = async (person: Person, id: number) =>
    (await person.get<EditPayload[]>(`/message/${id}/edits`)).map(({ content }) => content)
  const kept = async () =>
    (await db.query<{ count: number }>('select count(*)::integer as count from message_edits')).rows[0]!.count
  /** Edits within a minute after the send leave nothing. */
  const sendLongAgo = async (person: Person, text: string) => {
    const id = await person.send('general', text)
    await world.backing.admin(`update messages set ts = ts - 120 where id = ${id}`)
    return id
  }
  const keep = async (keep_edits: boolean) => {
    world.backing.settings({ rate_limit_enabled: false, channels: ['general'], keep_edits })
    for (const { url } of world.api)
      await eventually(async () => {
        world.ada.at = url
        expect(await world.ada.get('/workspace')).to.deep.include({ keep_edits })
      })
  }

  it('are not kept by default', async () => {
    const { ada, bob } = world
    const id = await sendLongAgo(ada, 'one')
    await ada.edit(id, 'two')
    expect(await versions(bob, id)).to.deep.equal(['two'])
    expect(await kept()).to.equal(0)
  })

  it('are listed for readers while the setting is on, and a deletion removes them', async () => {
    await keep(true)
    const { ada, bob, mallory } = world
    const id = await sendLongAgo(ada, 'one')
    for (const text of ['two', 'two', 'three']) expect((await ada.edit(id, text)).status).to.equal(200)
    const listed = await bob.get<EditPayload[]>(`/message/${id}/edits`)
    expect(listed.map(({ content }) => content)).to.deep.equal(['one', 'two', 'three'])
    const row = (await bob.messages('general')).find(one => one.id === id)!
    expect([listed[0]!.ts, listed[2]!.ts]).to.deep.equal([row.ts, row.edited_ts])
    expect(listed[1]!.ts).to.be.within(row.ts, row.edited_ts!)

    const soon = await ada.send('general', 'a slip')
    await ada.edit(soon, 'corrected at once')
    expect(await versions(bob, soon), 'within a minute').to.deep.equal(['corrected at once'])

    const den = await world.privateChannel('den', [ada, bob])
    const secret = await ada.send(den, 'between us')
    for (const other of [secret, 999_999, 'x'])
      expect((await mallory.fetch(`/message/${other}/edits`)).status, String(other)).to.equal(404)

    await ada.delete(id)
    expect((await bob.fetch(`/message/${id}/edits`)).status).to.equal(404)
    expect(await kept()).to.equal(0)
  })

  it('are at most 100 per message', async () => {
    const { ada, bob } = world
    const id = await sendLongAgo(ada, 'one')
    await world.backing.admin(
      `insert into message_edits (message_id, ts, content) select ${id}, i, 'version ' || i from generate_series(1, 150) i`,
    )
    for (const text of ['two', 'three']) expect((await ada.edit(id, text)).status).to.equal(200)
    expect(await kept()).to.equal(100)
    expect((await versions(bob, id)).slice(-4)).to.deep.equal(['version 150', 'one', 'two', 'three'])
    await ada.delete(id)
  })

  it('survive no deletion that runs at the same time', async () => {
    const { ada } = world
    for (let round = 0; round < 5; round++) {
      const id = await sendLongAgo(ada, 'a password')
      await Promise.all([ada.edit(id, 'without it'), ada.delete(id), ada.edit(id, 'nor this')])
      await ada.delete(id)
      expect(await kept()).to.equal(0)
    }
  })

  it('are no longer shown once the setting is off', async () => {
    const { ada, bob } = world
    const id = await sendLongAgo(ada, 'one')
    await ada.edit(id, 'two')
    expect(await versions(bob, id)).to.deep.equal(['one', 'two'])
    await keep(false)
    expect(await versions(bob, id)).to.deep.equal(['two'])
    expect(await kept()).to.equal(1)
  })

  it('from before the setting was off stay hidden when it is on again', async () => {
    const { ada, bob } = world
    const choose = async (keep_edits: boolean | null) => {
      expect((await ada.patchJson('/admin/settings', { keep_edits })).status).to.equal(204)
      for (const { url } of world.api)
        await eventually(async () => {
          ada.at = url
          expect(await ada.get('/workspace')).to.deep.include({ keep_edits: keep_edits === true })
        })
    }
    await choose(true)
    const id = await sendLongAgo(ada, 'one')
    await ada.edit(id, 'two')
    expect(await versions(bob, id)).to.deep.equal(['one', 'two'])
    // Back to the file, where it is off.
    for (const off of [false, null]) {
      await choose(off)
      await choose(true)
      expect(await versions(bob, id)).to.deep.equal(['two'])
    }
    await ada.edit(id, 'three')
    expect(await versions(bob, id), 'written before, kept since').to.deep.equal(['two', 'three'])
  })
})
