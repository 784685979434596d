import { expect } from 'chai'
import pg from 'pg'
import type { AllReadPayload } from '#shared/domain/payloads/channels.ts'
import type { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('mark unread, mute and mark all read (interface 12.2)', () => {
  let world: World
  let db: pg.Client
  let den: string
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    den = await world.privateChannel('den', [world.ada, world.bob])
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const DM = 'dm:ada:bob'

  async function counts(person: Person): Promise<Record<string, number>> {
    const [open, closed, direct] = await Promise.all([
      person.get<Record<string, number>>('/channel_unreads'),
      person.get<{ channel: string; unread: number }[]>('/private_channels'),
      person.get<{ channel: string; unread: number }[]>('/dms'),
    ])
    return {
      ...open,
      ...Object.fromEntries([...closed, ...direct].map(({ channel, unread }) => [channel, unread])),
    }
  }
  /** The channels with a mute or a mark as unread. */
  const sidebar = async (person: Person) =>
    (await person.get<SidebarPayload>('/sidebar')).channels.filter(
      ({ muted_until, marked_unread }) => muted_until !== null || marked_unread !== null,
    )
  const mentioned = async (person: Person) =>
    (await person.get<{ id: number }[]>('/mentions')).map(({ id }) => id)
  const receipt = async (channel: string) =>
    (await world.ada.get<Record<string, number>>(`/read_receipts/${channel}`))['bob']

  /** The counts that both processes return; the next request goes to the other one. */
  async function countsOnBoth(person: Person) {
    const [here, there] = [person.at, world.api.find(({ url }) => url !== person.at)!.url]
    const before = await counts(person)
    person.at = there
    expect(await counts(person), `${there} after a write to ${here}`).to.deep.equal(before)
    return before
  }

  for (const channel of ['general', 'dm:ada:bob', 'the private channel']) {
    it(`counts ${channel} from the message that was marked as unread on both replicas, and leaves the watermark`, async () => {
      const { ada, bob } = world
      const id = channel.startsWith('the') ? den : channel
      await ada.send(id, 'before')
      const marked = await ada.send(id, 'from here')
      await bob.send(id, 'own message')
      await ada.send(id, 'hello @bob')
      const gone = await ada.send(id, 'deleted later')
      await bob.markRead(id)
      const mark = await receipt(id)
      expect((await bob.markUnread(id, marked)).status).to.equal(204)
      expect((await countsOnBoth(bob))[id]).to.equal(3)
      await ada.delete(gone)
      expect((await countsOnBoth(bob))[id]).to.equal(2)
      expect(await mentioned(bob)).to.have.length(1)
      expect(await receipt(id)).to.equal(mark)
      const [row] = await sidebar(bob)
      expect(row).to.deep.include({ channel: id, muted_until: null })
      expect(row!.marked_unread).to.be.a('number')

      await bob.markRead(id)
      expect((await countsOnBoth(bob))[id]).to.equal(0)
      expect(await sidebar(bob)).to.deep.equal([])

      await bob.markUnread(id, marked)
      await bob.send(id, 'a send reads as well')
      expect((await countsOnBoth(bob))[id]).to.equal(0)
      expect(await mentioned(bob)).to.deep.equal([])
      expect(await sidebar(bob)).to.deep.equal([])
    })
  }

  it('counts an own message marked as unread from the next message of others', async () => {
    const own = await world.bob.send('general', 'mine')
    await world.ada.send('general', 'theirs')
    await world.bob.markRead('general')
    await world.bob.markUnread('general', own)
    expect((await counts(world.bob))['general']).to.equal(1)
    await world.bob.markRead('general')
  })

  it('shows no read receipt of a person who has only marked a message as unread', async () => {
    await world.ada.send('dm:ada:bob:cleo', 'one')
    const marked = await world.ada.send('dm:ada:bob:cleo', 'two')
    await world.cleo.markUnread('dm:ada:bob:cleo', marked)
    expect(await world.ada.get('/read_receipts/dm:ada:bob:cleo')).to.have.all.keys('ada')
    expect((await counts(world.cleo))['dm:ada:bob:cleo']).to.equal(1)
  })

  it('refuses messages that are deleted, of another channel, unreadable or too old', async () => {
    const { ada, bob, mallory } = world
    const id = await ada.send('general', 'deleted')
    await ada.delete(id)
    const elsewhere = await ada.send('design', 'elsewhere')
    const secret = await ada.send(DM, 'secret')
    const refused = async (
      person: Person,
      channel: string,
      message: unknown,
      status: number,
      code: string,
    ) => {
      const response = await person.markUnread(channel, message)
      expect(response.status).to.equal(status)
      expect(await response.json()).to.include({ code })
    }
    await refused(bob, 'general', id, 404, 'not_found')
    await refused(bob, 'general', elsewhere, 404, 'not_found')
    await refused(mallory, DM, secret, 404, 'not_found')
    await refused(bob, 'general', undefined, 400, 'required')
    await refused(bob, 'general', '7', 400, 'required')
    const old = await ada.send('design', 'old')
    await db.query(`update channels set message_count = message_count + 10000 where id = 'design'`)
    await refused(bob, 'design', old, 400, 'invalid')
    await db.query(`update channels set message_count = message_count - 10000 where id = 'design'`)
  })

  it('marks everything as read, and the returned messages restore every count', async () => {
    const { ada, bob } = world
    await Promise.all(['general', 'design', den, DM].map(channel => ada.send(channel, 'new')))
    const marked = await ada.send('general', 'hello @bob')
    await ada.send('general', 'and more')
    await bob.markRead('general')
    await bob.markUnread('general', marked)
    const [before, named] = [await counts(bob), await mentioned(bob)]
    expect(before).to.include({ general: 2 })

    const response = await bob.postForm('/mark_all_read')
    const { channels } = (await response.json()) as AllReadPayload
    expect(Object.values(await counts(bob)).every(count => count === 0)).to.equal(true)
    expect(await mentioned(bob)).to.deep.equal([])
    expect(channels.map(({ channel }) => channel)).to.include.members(['general', 'design', den, DM])

    const message_ids = channels.map(({ message_id }) => message_id)
    expect((await bob.postJson('/mark_unread', { message_ids })).status).to.equal(204)
    expect(await counts(bob)).to.deep.equal(before)
    expect(await mentioned(bob)).to.deep.equal(named)
    await bob.postForm('/mark_all_read')
    expect(await (await bob.postForm('/mark_all_read')).json()).to.deep.equal({ channels: [] })
  })

  it('marks one channel as read, and undoes it', async () => {
    const { ada, bob } = world
    const first = await ada.send('design', 'for the undo')
    await ada.send('design', 'and this')
    await ada.send('general', 'left alone')
    const before = await counts(bob)
    const response = await bob.postForm('/mark_read/design?undo=1')
    expect(await response.json()).to.deep.equal({ channels: [{ channel: 'design', message_id: first }] })
    expect(await counts(bob)).to.deep.equal({ ...before, design: 0 })
    await bob.postJson('/mark_unread', { message_ids: [first] })
    expect(await counts(bob)).to.deep.equal(before)
    await bob.postForm('/mark_all_read')
    expect(await (await bob.postForm('/mark_read/design?undo=1')).json()).to.deep.equal({ channels: [] })
    expect((await bob.postForm('/mark_read/nowhere?undo=1')).status).to.equal(403)
  })

  it('mutes for a time or for ever, for the person alone, and leaves the counts', async () => {
    const { ada, bob } = world
    expect((await bob.mute('general', { muted_for_minutes: 60 })).status).to.equal(204)
    const [muted] = await sidebar(bob)
    expect(muted!.muted_until).to.be.closeTo(Date.now() / 1_000 + 3_600, 60)
    expect(await sidebar(ada)).to.deep.equal([])
    await ada.send('general', 'psst')
    expect((await counts(bob))['general']).to.equal(1)
    await bob.mute('general', { muted_for_minutes: -1 })
    expect((await sidebar(bob))[0]!.muted_until).to.equal('forever')
    await bob.mute('general', { muted_until: null })
    expect(await sidebar(bob)).to.deep.equal([])
  })

  it('refuses mutes of unknown channels, of DMs without messages and until impossible times', async () => {
    const { bob } = world
    const answer = async (channel: string, body: unknown) => {
      const response = await bob.mute(channel, body)
      return [response.status, ((await response.json()) as { code: string }).code]
    }
    expect(await answer('nowhere', { muted_for_minutes: 1 })).to.deep.equal([404, 'not_found'])
    expect(await answer('dm:bob:mallory', { muted_for_minutes: 1 })).to.deep.equal([404, 'not_found'])
    expect(await answer('general', {})).to.deep.equal([400, 'required'])
    expect(await answer('general', { muted_for_minutes: '1' })).to.deep.equal([400, 'required'])
    for (const body of [{ muted_for_minutes: -2 }, { muted_for_minutes: 1.5 }, { muted_until: 7 }])
      expect(await answer('general', body)).to.deep.equal([400, 'invalid'])
    expect(await sidebar(bob)).to.deep.equal([])
  })

  it('forgets the choices of a deleted account', async () => {
    await world.mallory.mute('general', { muted_for_minutes: -1 })
    await db.query(`delete from users where username = 'mallory'`)
    expect((await db.query(`select from channel_prefs where username = 'mallory'`)).rowCount).to.equal(0)
  })
})
