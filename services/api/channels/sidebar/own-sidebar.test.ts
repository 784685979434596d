import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { SidebarPayload } from '#shared/domain/payloads/sidebar.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('the own sidebar (interface 12.2)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design', 'random'] } })
  })
  after(() => world.end())

  const sidebar = (person: Person) => person.get<SidebarPayload>('/sidebar')
  const row = async (person: Person, channel: string) =>
    (await sidebar(person)).channels.find(one => one.channel === channel)
  const send = (person: Person, method: string, path: string, body: unknown) =>
    person.fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  async function section(person: Person, name: string, before?: number) {
    const response = await person.postJson('/sections', { name, before })
    expect(response.status).to.equal(201)
    return ((await response.json()) as { id: number }).id
  }
  async function refused(response: Promise<Response>, status: number, code: string) {
    const answer = await response
    expect(answer.status).to.equal(status)
    expect(await answer.json()).to.include({ code })
  }

  it('lists joined channels, private channels and visible DMs with their kind, name and choices', async () => {
    const { ada, bob } = world
    const den = await world.privateChannel('den', [ada, bob])
    await ada.send('dm:ada:bob', 'hello')
    await bob.postForm('/public_channels/random/leave')
    const { sections, channels } = await sidebar(bob)
    expect(sections).to.deep.equal([])
    expect(channels.map(({ channel, kind, name }) => [channel, kind, name])).to.deep.equal([
      ['general', 'public', 'general'],
      ['design', 'public', 'design'],
      [den, 'private', 'den'],
      ['dm:ada:bob', 'dm', null],
    ])
    expect(channels[0]).to.deep.equal({
      channel: 'general',
      kind: 'public',
      name: 'general',
      level: 'default',
      muted_until: null,
      favourite: false,
      section: null,
      position: null,
      marked_unread: null,
      posting: 'everyone',
      may_post: true,
      guests: false,
    })
    expect(channels[3]!.users).to.deep.equal(['ada'])
    await bob.postJson('/dms/close', { channel: 'dm:ada:bob' })
    expect(await row(bob, 'dm:ada:bob')).to.equal(undefined)
    await ada.send('dm:ada:bob', 'again')
    expect(await row(bob, 'dm:ada:bob')).to.include({ kind: 'dm' })
    await send(ada, 'PATCH', `/channel_info/${den}`, { posting: 'managers' })
    expect(await row(bob, den)).to.include({ posting: 'managers', may_post: false })
    expect(await row(ada, den)).to.include({ posting: 'managers', may_post: true })
  })

  it('has levels, favourites and sections, and those of others stay untouched', async () => {
    const { ada, cleo } = world
    const before = await sidebar(ada)
    const [work, home] = [await section(cleo, 'Work'), await section(cleo, 'Home')]
    const first = await section(cleo, 'First', work)
    const order = async () => (await sidebar(cleo)).sections.map(({ id }) => id)
    expect(await order()).to.deep.equal([first, work, home])
    await send(cleo, 'PATCH', `/sections/${home}`, { before: first, collapsed: true })
    expect(await order()).to.deep.equal([home, first, work])
    expect((await sidebar(cleo)).sections[0]).to.deep.equal({ id: home, name: 'Home', collapsed: true })

    const prefs = { level: 'mentions', favourite: true, section: work, muted_for_minutes: -1 }
    expect((await cleo.mute('general', prefs)).status).to.equal(204)
    expect(await row(cleo, 'general')).to.include({
      level: 'mentions',
      favourite: true,
      section: work,
      muted_until: 'forever',
    })
    expect((await cleo.mute('general', { favourite: false })).status).to.equal(204)
    expect(await row(cleo, 'general')).to.include({ level: 'mentions', favourite: false, section: work })
    await cleo.mute('design', { section: work })
    await cleo.mute('random', { section: work })
    await cleo.mute('random', { before: 'general' })
    await cleo.mute('design', { before: 'general' })
    const positions = async () =>
      (await sidebar(cleo)).channels
        .filter(channel => channel.section === work)
        .sort((a, b) => a.position! - b.position!)
        .map(({ channel }) => channel)
    expect(await positions()).to.deep.equal(['random', 'design', 'general'])
    expect((await cleo.fetch(`/sections/${work}`, { method: 'DELETE' })).status).to.equal(204)
    expect(await row(cleo, 'general')).to.include({ section: null, position: null, level: 'mentions' })
    expect(await sidebar(ada)).to.deep.equal(before)
  })

  it('keeps the order of a place, and skips channels that are not in it', async () => {
    const { cleo } = world
    const placed = async () =>
      (await sidebar(cleo)).channels
        .filter(channel => channel.favourite && channel.position !== null)
        .sort((a, b) => a.position! - b.position!)
        .map(({ channel }) => channel)
    const work = await section(cleo, 'Elsewhere')
    await cleo.mute('design', { favourite: true, section: work })
    await cleo.mute('general', { favourite: true })
    const order = ['design', 'nowhere', 'random', 'general', 'design']
    expect((await cleo.mute('general', { order })).status).to.equal(204)
    expect(await placed()).to.deep.equal(['design', 'general'])
    await cleo.mute('random', { favourite: true, order: ['general', 'random', 'design'] })
    expect(await placed()).to.deep.equal(['general', 'random', 'design'])
    await cleo.mute('design', { before: 'general' })
    expect(await placed()).to.deep.equal(['design', 'general', 'random'])
    await refused(cleo.mute('general', { order: 'design' }), 400, 'required')
    await refused(cleo.mute('general', { order: [] }), 400, 'invalid')
    await refused(cleo.mute('general', { order: [7] }), 400, 'invalid')
    await refused(cleo.mute('general', { order: Array(501).fill('design') }), 400, 'invalid')
  })

  it('has a revision that rises with each own change, and with each joining and leaving, alone', async () => {
    const { cleo } = world
    const revision = async () => (await sidebar(cleo)).rev
    const favour = (favourite = true) => send(cleo, 'PATCH', '/channel_prefs/general', { favourite })
    await favour(false)
    const acts: (() => Promise<unknown>)[] = [
      () => favour(),
      () => section(cleo, 'Rivers'),
      () => cleo.postForm('/public_channels/general/leave'),
      () => cleo.postForm('/public_channels/general/join'),
      () => cleo.postForm('/public_channels/general/leave'),
      () => world.ada.postJson('/public_channels/general/add', { usernames: ['cleo'] }),
    ]
    let last = await revision()
    for (const act of acts) {
      await act()
      const next = await revision()
      expect(next).to.equal(last + 1)
      last = next
    }
    await favour()
    await world.ada.send('general', 'by somebody else')
    expect(await revision()).to.equal(last)
  })

  it('refuses sections of somebody else, the 31st, and bad fields, and changes nothing', async () => {
    const { ada, bob, mallory } = world
    const theirs = await section(ada, 'Theirs')
    const before = await Promise.all([sidebar(ada), sidebar(mallory)])
    await refused(mallory.mute('general', { section: theirs }), 404, 'not_found')
    await refused(mallory.mute('general', { level: 'all', section: theirs }), 404, 'not_found')
    await refused(send(mallory, 'PATCH', `/sections/${theirs}`, { name: 'Mine' }), 404, 'not_found')
    await refused(mallory.fetch(`/sections/${theirs}`, { method: 'DELETE' }), 404, 'not_found')
    await refused(mallory.postJson('/sections', { name: 'x', before: theirs }), 404, 'not_found')
    await refused(mallory.mute('general', { level: 'loud' }), 400, 'invalid')
    await refused(mallory.mute('general', { favourite: 'yes' }), 400, 'required')
    await refused(mallory.mute('general', { section: 1.5 }), 400, 'invalid')
    await refused(mallory.mute('general', { before: 'nowhere' }), 404, 'not_found')
    await refused(mallory.mute('general', { before: 'general' }), 400, 'invalid')
    await refused(mallory.postJson('/sections', { name: ' ' }), 400, 'required')
    await refused(mallory.postJson('/sections', { name: 'x'.repeat(81) }), 400, 'too_long')
    await refused(send(mallory, 'PATCH', '/sections/0', { name: 'x' }), 404, 'not_found')
    expect(await Promise.all([sidebar(ada), sidebar(mallory)])).to.deep.equal(before)
    const once = { name: 'Once', client_id: randomUUID() }
    const [one, again] = await Promise.all([1, 2].map(() => bob.postJson('/sections', once)))
    expect([one!.status, again!.status]).to.deep.equal([201, 201])
    const { id } = (await one!.json()) as { id: number }
    expect(await again!.json()).to.deep.equal({ id })
    expect((await bob.fetch(`/sections/${id}`, { method: 'DELETE' })).status).to.equal(204)
    await refused(bob.postJson('/sections', { name: 'x', client_id: 'once' }), 400, 'invalid')
    const made = await Promise.all(
      Array.from({ length: 35 }, (_, i) => bob.postJson('/sections', { name: `Section ${i}` })),
    )
    expect(made.filter(({ status }) => status === 201)).to.have.length(30)
    const beyond = made.filter(({ status }) => status !== 201)
    expect(beyond).to.have.length(5)
    for (const response of beyond) await refused(Promise.resolve(response), 400, 'invalid')
  })

  it('refuses each field of a wrong kind, and changes nothing', async () => {
    const { ada } = world
    const own = await section(ada, 'Own')
    const before = await sidebar(ada)
    const long = 'x'.repeat(10_000)
    const texts = [['x'], long, 'a\0b', '\ud800']
    const prefs: Record<string, unknown[]> = {
      level: [7, null, ...texts],
      favourite: [7, null, ...texts],
      muted_for_minutes: [null, 1.5, -2, 1e9, ...texts],
      muted_until: [7, 1e99, ...texts],
      section: [0, -1, 1.5, 1e99, ...texts],
      order: [7, null, long, [null], [7]],
    }
    const sectionFields: Record<string, unknown[]> = {
      name: [7, null, '', ...texts],
      collapsed: [7, null, ...texts],
      before: [0, 1.5, 1e99, ...texts],
    }
    const paths: [method: string, path: string, fields: Record<string, unknown[]>][] = [
      ['PATCH', '/channel_prefs/general', prefs],
      ['PATCH', `/sections/${own}`, sectionFields],
      ['POST', '/sections', { ...sectionFields, client_id: [7, ...texts] }],
    ]
    for (const [method, path, fields] of paths) {
      for (const [field, values] of Object.entries(fields)) {
        for (const value of values) {
          const body = { ...(path === '/sections' ? { name: 'Never made' } : {}), [field]: value }
          const response = await send(ada, method, path, body)
          expect(response.status, `${path} ${field} ${JSON.stringify(value).slice(0, 20)}`).to.equal(400)
          const { error, code } = (await response.json()) as { error: string; code: string }
          expect(error).to.not.equal('')
          expect(code).to.be.oneOf(['required', 'invalid', 'too_long'])
        }
      }
    }
    expect(await sidebar(ada)).to.deep.equal(before)
  })

  it('keeps how it is sorted as a preference', async () => {
    const { ada } = world
    expect(await ada.get('/preferences')).to.deep.include({ sidebar: { sort: 'recent', hide_read: false } })
    const chosen = { sort: 'name', hide_read: true }
    expect((await ada.prefer({ sidebar: chosen })).status).to.equal(204)
    expect(await ada.get('/preferences')).to.deep.include({ sidebar: chosen })
    for (const sidebar of [7, [], {}, { sort: 'age', hide_read: true }, { sort: 'name' }])
      await refused(ada.prefer({ sidebar }), 400, 'invalid')
  })
})
