import { expect } from 'chai'
import pg from 'pg'
import { EXTRA_EVENTS } from '#shared/domain/deltas.ts'
import type { ChannelInfoPayload, PublicChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { InboxPayload } from '#shared/domain/payloads/inbox.ts'
import type { SeenPayload } from '#shared/domain/payloads/messages.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** Mallory is a guest; before, she wrote and was mentioned as a member. */
describe('a guest in public channels (interface 12.1)', () => {
  let world: World
  let db: pg.Client
  let gateway: RunningService
  let secret: number
  let own: number
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'] } })
    gateway = await startService('events', world.backing.env)
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    const { ada, bob, mallory } = world
    secret = await ada.send('general', 'secretplan for @everyone and @mallory')
    own = await mallory.send('general', 'written as a member')
    await bob.send('general', 'a reply', { reply_to_id: String(own) })
    await bob.react(own, 'tada')
    await db.query(
      `update users set role = case username when 'mallory' then 'guest' when 'ada' then 'owner' else 'member' end`,
    )
    await ada.postJson('/public_channels', { name: 'Project' })
    await ada.send('project', 'projectplan of before')
    await ada.postForm('/public_channels/general/leave')
    await ada.postForm('/public_channels/general/join')
  })
  after(async () => {
    await gateway.stop()
    await db.end()
    await world.end()
  })

  const act = (channel: string, verb: string, body: unknown = {}, person = world.ada) =>
    person.postJson(`/public_channels/${channel}/${verb}`, body)

  /** Responses to requests about all channels, as one text. */
  async function everything() {
    const { mallory } = world
    const paths = [
      '/channels',
      '/channel_unreads',
      '/public_channels?archived=1',
      '/sidebar',
      '/mentions',
      '/inbox',
      '/search?q=secretplan',
      '/search?q=projectplan',
      '/search?q=written',
      '/search?q=in%3Ageneral',
      '/search_messages?q=secretplan',
    ]
    const answers = await Promise.all(paths.map(async path => (await mallory.fetch(path)).text()))
    return answers.join('\n')
  }

  it('learns nothing of channels to which nobody added them', async () => {
    const { mallory } = world
    expect(await mallory.get('/channels')).to.deep.equal([])
    expect(await mallory.get('/channel_unreads')).to.deep.equal({})
    const all = await everything()
    for (const word of [
      'secretplan for',
      'projectplan of',
      'general":',
      '"project"',
      '"design"',
      'written as',
    ])
      expect(all, word).to.not.include(word)
    expect(all).to.include('unknown_channel')
    const page = await (await mallory.fetch('/')).text()
    expect(page).to.not.include('design').and.not.include('"general"')
    const status = async (path: string, init: RequestInit = {}) => (await mallory.fetch(path, init)).status
    for (const channel of ['general', 'project', 'nowhere']) {
      expect(await status(`/messages/${channel}`), channel).to.equal(403)
      expect(await status(`/channel_members/${channel}`), channel).to.equal(403)
      expect(await status(`/read_receipts/${channel}`), channel).to.equal(403)
      expect(await status(`/send/${channel}`, { method: 'POST' }), channel).to.equal(403)
      expect(await status(`/mark_read/${channel}`, { method: 'POST' }), channel).to.equal(403)
      expect(await status(`/channel_info/${channel}`), channel).to.equal(404)
      expect(await status(`/channel_people/${channel}`), channel).to.equal(404)
      expect(await status(`/channel_info/${channel}/archive`, { method: 'POST' }), channel).to.equal(404)
      expect((await act(channel, 'join', {}, mallory)).status, channel).to.equal(404)
      expect((await act(channel, 'leave', {}, mallory)).status, channel).to.equal(404)
      expect((await act(channel, 'add', { usernames: ['mallory'] }, mallory)).status).to.equal(404)
      expect((await mallory.mute(channel, { muted_for_minutes: 5 })).status, channel).to.equal(404)
    }
    for (const path of [`/message/${secret}`, `/message/${own}`, `/seen/${own}`, `/m/${secret}`])
      expect(await status(path), path).to.equal(404)
    expect((await mallory.edit(own, 'x')).status).to.equal(403)
    expect((await mallory.react(own, 'x')).status).to.equal(404)
    expect(await mallory.get('/typing/general')).to.deep.equal([])
  })

  it('makes no channels, and is neither mentioned nor listed in channels of others', async () => {
    const { ada, bob, mallory } = world
    expect((await mallory.postJson('/public_channels', { name: 'Mine' })).status).to.equal(403)
    expect((await mallory.postJson('/private_channels/create', { name: 'x', members: [] })).status).to.equal(
      403,
    )
    expect(await bob.get('/channel_members/general')).to.deep.equal(['ada', 'cleo'])
    const id = await bob.send('general', 'hello @mallory')
    expect((await ada.messages('general')).find(row => row.id === id)!.mentions).to.equal(null)
    const { members, guests } = await ada.get<ChannelInfoPayload>('/channel_info/general')
    expect({ members, guests }).to.deep.equal({ members: 3, guests: 0 })
  })

  it('is added by managers alone, reads everything there, and loses it at once when removed', async () => {
    const { ada, bob, mallory } = world
    const tab = await openTab(gateway.url, mallory.cookie, { channel: 'project', deltas: EXTRA_EVENTS })
    await tab.waitFor(() => tab.lastText('channel_unreads') === '{}')
    expect(tab.rows()).to.deep.equal([])
    const byMember = await act('project', 'add', { usernames: ['mallory'] }, bob)
    expect(await byMember.json()).to.deep.equal({ added: [], skipped: ['mallory'] })
    const byManager = await act('project', 'add', { usernames: ['mallory'] })
    expect(await byManager.json()).to.deep.equal({ added: ['mallory'], skipped: [] })
    const heard = await mallory.get<InboxPayload>('/inbox?kind=added')
    expect(
      heard.items.map(({ channel, actors, content, read }) => ({ channel, actors, content, read })),
    ).to.deep.equal([{ channel: 'project', actors: ['ada'], content: 'ada added mallory.', read: false }])
    await tab.waitFor(() => tab.lastText('inbox')?.includes('"added"') ?? false)

    expect(await mallory.get('/channels')).to.deep.equal(['project'])
    expect(await mallory.get('/channel_unreads')).to.deep.equal({ project: 1 })
    expect((await mallory.messages('project')).map(row => row.content)).to.include('projectplan of before')
    expect((await mallory.get<{ items: unknown[] }>('/search?q=projectplan')).items).to.have.length(1)
    await tab.waitFor(() => tab.rows().some(row => row.content === 'projectplan of before'))
    await tab.waitFor(() => tab.lastText('channel_info')?.includes('"guests":1') ?? false)
    expect(await bob.get('/channel_members/project')).to.include('mallory')
    await mallory.send('project', 'guests write')
    await bob.send('project', 'lunch, @everyone, and @mallory')
    expect(await mallory.get('/mentions')).to.have.length(1)
    expect((await mallory.get<ChannelInfoPayload>('/channel_info/project')).may).to.deep.equal([
      'post',
      'pin',
    ])
    expect(await everything())
      .to.not.include('"design"')
      .and.not.include('secretplan for')
    for (const [path, method] of [
      ['/channel_info/project', 'PATCH'],
      ['/channel_info/project/managers/mallory', 'PUT'],
    ] as const) {
      const headers = { 'Content-Type': 'application/json' }
      const response = await mallory.fetch(path, { method, headers, body: '{"topic":"x"}' })
      expect(response.status, path).to.equal(403)
    }
    const named = await ada.fetch('/channel_info/project/managers/mallory', { method: 'PUT' })
    expect(named.status).to.equal(400)

    // Its frame may come later than the responses above.
    await tab.waitFor(() => tab.rows().some(row => row.content?.startsWith('lunch') ?? false))
    const from = tab.frames.length
    expect((await act('project', 'remove', { username: 'mallory' })).status).to.equal(204)
    expect(await mallory.get('/channels')).to.deep.equal([])
    await tab.waitFor(() => tab.lastText('channel_unreads') === '{}')
    await bob.send('project', 'behind her back')
    await eventually(async () => expect(await mallory.get('/mentions')).to.deep.equal([]))
    expect(tab.events().slice(from)).to.not.include('messages')
    expect((await mallory.fetch('/messages/project')).status).to.equal(403)
    expect((await act('project', 'join', {}, mallory)).status).to.equal(404)
    tab.close()
  })

  it('leaves a channel, and cannot come back', async () => {
    const { mallory } = world
    await act('project', 'add', { usernames: ['mallory'] })
    expect((await act('project', 'leave', {}, mallory)).status).to.equal(204)
    expect(await mallory.get('/channels')).to.deep.equal([])
    expect((await act('project', 'join', {}, mallory)).status).to.equal(404)
  })

  it('gets no names of readers, managers, makers and typing people who have left the channel', async () => {
    const { ada, bob, cleo, mallory } = world
    const made = await cleo.postJson('/public_channels', { name: 'Garden' })
    expect(made.status).to.equal(201)
    await cleo.send('garden', 'first')
    await act('garden', 'join', {}, bob)
    await ada.markRead('garden')
    expect(await ada.get('/channels'), 'read without joining').to.not.include('garden')
    expect((await act('garden', 'add', { usernames: ['mallory'] })).status).to.equal(200)
    // A person who joins counts as a reader of later messages only.
    const later = await cleo.send('garden', 'second')
    await cleo.postForm('/public_channels/garden/leave')
    for (const person of [ada, bob, mallory]) await person.markRead('garden')

    expect(Object.keys(await bob.get('/read_receipts/garden'))).to.deep.equal([
      'ada',
      'bob',
      'cleo',
      'mallory',
    ])
    expect(Object.keys(await mallory.get('/read_receipts/garden'))).to.deep.equal(['bob', 'mallory'])
    expect((await bob.get<SeenPayload>(`/seen/${later}`)).names).to.include('ada')
    expect((await mallory.get<SeenPayload>(`/seen/${later}`)).names).to.deep.equal(['bob', 'mallory'])
    const named = async (viewer: Person) => {
      const { managers, created_by } = await viewer.get<ChannelInfoPayload>('/channel_info/garden')
      const { items } = await viewer.get<Page<PublicChannelPayload>>('/public_channels?q=garden&with=writers')
      return [managers, created_by, items[0]!.created_by, items[0]!.writers]
    }
    expect(await named(bob)).to.deep.equal([['cleo'], 'cleo', 'cleo', ['cleo']])
    expect(await named(mallory)).to.deep.equal([[], null, null, []])
    await eventually(async () => {
      for (const person of [ada, bob]) await person.postForm('/typing/garden')
      expect(await cleo.get('/typing/garden')).to.deep.equal(['ada', 'bob'])
      expect(await mallory.get('/typing/garden')).to.deep.equal(['bob'])
    })
    const ofMember = await openTab(gateway.url, cleo.cookie, { channel: 'garden' })
    const tab = await openTab(gateway.url, mallory.cookie, { channel: 'garden', deltas: ['seen'] })
    await eventually(async () => {
      for (const person of [ada, bob]) await person.postForm('/typing/garden')
      expect(ofMember.lastText('typing')).to.equal('["ada","bob"]')
      expect(tab.lastText('typing')).to.equal('["bob"]')
    })
    for (const { data } of tab.framesOf('typing')) expect(data).to.not.include('ada')
    ofMember.close()
    await tab.waitFor(() => tab.lastText('seen')?.includes('bob') ?? false)
    expect(tab.lastText('seen')).to.not.include('ada').and.not.include('cleo')
    tab.close()
    await mallory.postForm('/public_channels/garden/leave')
  })

  it('stores no message and no reaction after the line of the removal, also when the send has begun before', async () => {
    const { mallory } = world
    await act('project', 'add', { usernames: ['mallory'] })
    const plan = await world.bob.send('project', 'the plan')
    const waiting = async (count: number) =>
      eventually(async () => {
        const { rowCount } = await db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(rowCount).to.equal(count)
      })
    const holder = new pg.Client(world.backing.env.DATABASE_URL)
    await holder.connect()
    await holder.query('begin')
    // As a tick of the clock locks it.
    await holder.query(`select from channels where id = 'project' for no key update`)
    const removal = act('project', 'remove', { username: 'mallory' })
    await waiting(1)
    const sent = mallory.postForm('/send/project', { text: 'too late' })
    await waiting(2)
    const reacted = mallory.react(plan, 'eyes')
    await waiting(3)
    await holder.query('commit')
    await holder.end()
    expect((await removal).status).to.equal(204)
    expect((await sent).status).to.equal(403)
    expect((await reacted).status).to.equal(404)
    const rows = await world.bob.messages('project')
    expect(rows.map(row => row.content)).to.not.include('too late')
    expect(rows.find(row => row.id === plan)?.reactions).to.equal(null)
  })

  it('reads everything again after becoming a member', async () => {
    const { mallory } = world
    await db.query(`update users set role = 'member' where username = 'mallory'`)
    expect(await mallory.get('/channels')).to.deep.equal(['general', 'design'])
    expect((await mallory.fetch(`/message/${secret}`)).status).to.equal(200)
    await db.query(`update users set state = 'deactivated' where username = 'mallory'`)
    expect((await mallory.fetch('/messages/general')).status).to.be.oneOf([302, 403])
    expect((await mallory.postForm('/send/general', { text: 'x' })).status).to.be.oneOf([302, 403])
  })
})
