import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import type {
  ChannelInfoPayload,
  ChannelPersonPayload,
  PublicChannelPayload,
  PublicChannelsPage,
} from '#shared/domain/payloads/channels.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { runAdmin } from '#shared/test-kit/admin-command.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { Person as NewPerson } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('public channels made in the client (interface 12.1)', () => {
  let world: World
  let db: pg.Client
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(`update users set role = case when username = 'ada' then 'owner' else 'member' end`)
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  async function make(person: Person, body: Record<string, unknown>): Promise<PublicChannelPayload> {
    const response = await person.postJson('/public_channels', body)
    expect(response.status, await response.clone().text()).to.equal(201)
    return (await response.json()) as PublicChannelPayload
  }
  const act = (person: Person, channel: string, verb: string, body: unknown = {}) =>
    person.postJson(`/public_channels/${channel}/${verb}`, body)
  const patch = (person: Person, channel: string, body: unknown) =>
    person.fetch(`/channel_info/${channel}`, {
      method: 'PATCH',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const info = (person: Person, channel: string) => person.get<ChannelInfoPayload>(`/channel_info/${channel}`)
  const channels = (person: Person) => person.get<string[]>('/channels')
  const unreads = (person: Person) => person.get<Record<string, number>>('/channel_unreads')
  const browse = async (person: Person, query = '') =>
    (await person.get<Page<PublicChannelPayload>>(`/public_channels?${query}`)).items
  const lines = async (person: Person, channel: string) =>
    (await person.messages(channel)).filter(row => row.content_type === 'system').map(row => row.content)
  async function refused(response: Promise<Response>, status: number, code: string, sentence?: string) {
    const { status: found, ok } = await response
    expect(found).to.equal(status)
    expect(ok).to.equal(false)
    const body = (await (await response).json()) as { error: string; code: string }
    expect(body.code).to.equal(code)
    if (sentence) expect(body.error).to.equal(sentence)
  }
  const mentioned = async (person: Person) =>
    (await person.get<{ content: string }[]>('/mentions')).map(({ content }) => content)

  const waitingForLock = (requests = 1) =>
    eventually(async () => {
      const { rowCount } = await db.query(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
      )
      expect(rowCount).to.equal(requests)
    })

  it('appear in the list of the maker alone; others find, join, read and leave them', async () => {
    const { ada, bob, cleo } = world
    const made = await make(ada, { name: 'Überblick 2', topic: 'What  goes on', description: 'Long\ntext' })
    expect(made).to.deep.include({
      channel: 'uberblick-2',
      name: 'Überblick 2',
      topic: 'What goes on',
      description: 'Long\ntext',
      members: 1,
      joined: true,
      default: false,
      posting: 'everyone',
      archived: false,
      created_by: 'ada',
    })
    expect(await channels(ada)).to.deep.equal(['general', 'design', 'uberblick-2'])
    expect(await channels(bob)).to.deep.equal(['general', 'design'])
    expect((await unreads(ada))['uberblick-2']).to.equal(0)
    expect(await unreads(bob)).to.have.all.keys('general', 'design')
    expect(await lines(bob, 'uberblick-2')).to.deep.equal(['ada made this channel.'])
    expect((await browse(bob, 'q=BERBL')).map(({ channel, joined }) => ({ channel, joined }))).to.deep.equal([
      { channel: 'uberblick-2', joined: false },
    ])

    await ada.send('uberblick-2', 'first')
    expect((await act(bob, 'uberblick-2', 'join')).status).to.equal(204)
    expect((await act(bob, 'uberblick-2', 'join')).status).to.equal(204)
    expect((await unreads(bob))['uberblick-2']).to.equal(0)
    await ada.send('uberblick-2', 'second')
    expect((await unreads(bob))['uberblick-2']).to.equal(1)
    expect((await act(bob, 'uberblick-2', 'leave')).status).to.equal(204)
    expect(await channels(bob)).to.deep.equal(['general', 'design'])
    expect(await unreads(bob)).to.not.have.property('uberblick-2')

    await cleo.send('uberblick-2', 'sending joins')
    expect(await channels(cleo)).to.deep.equal(['general', 'design', 'uberblick-2'])
    expect((await unreads(cleo))['uberblick-2']).to.equal(0)
    expect(await lines(bob, 'uberblick-2'), 'no line for joining').to.have.length(1)
    await refused(act(bob, 'nowhere', 'join'), 404, 'not_found')
    await refused(act(bob, 'dm:ada:bob', 'join'), 404, 'not_found')
  })

  it('can be left and joined again also where they are in the settings', async () => {
    const { bob, ada } = world
    expect((await act(bob, 'design', 'leave')).status).to.equal(204)
    expect(await channels(bob)).to.deep.equal(['general'])
    await ada.send('design', 'without bob, @everyone')
    expect(await mentioned(bob)).to.not.include('without bob, @everyone')
    expect((await act(bob, 'design', 'join')).status).to.equal(204)
    expect(await channels(bob)).to.deep.equal(['general', 'design'])
    expect((await unreads(bob))['design']).to.equal(0)
  })

  it('can be read, searched and named in by those who have not joined', async () => {
    const { ada, bob } = world
    await make(ada, { name: 'Quiet corner' })
    await ada.send('quiet-corner', 'zanzibar for @everyone')
    await ada.send('quiet-corner', 'zanzibar for @bob')
    expect((await bob.fetch('/messages/quiet-corner')).status).to.equal(200)
    const found = await bob.get<{ items: { content: string }[] }>('/search?q=zanzibar')
    expect(found.items).to.have.length(2)
    expect((await bob.get<{ items: unknown[] }>('/search?q=in%3A%22Quiet+corner%22')).items).to.have.length(3)
    expect(await unreads(bob)).to.not.have.property('quiet-corner')
    expect(await mentioned(bob))
      .to.include('zanzibar for @bob')
      .and.not.include('zanzibar for @everyone')
    const inbox = await bob.get<{ items: { content: string }[] }>('/inbox')
    expect(inbox.items.map(({ content }) => content)).to.not.include('zanzibar for @everyone')
  })

  it('have an id that is unique regardless of case and stays when they are renamed', async () => {
    const { ada, bob } = world
    await make(ada, { name: 'Launch', id: 'launch' })
    const sentence = 'There is a channel #launch already.'
    await refused(ada.postJson('/public_channels', { name: 'LAUNCH' }), 409, 'conflict', sentence)
    await refused(ada.postJson('/public_channels', { name: 'x', id: 'design' }), 409, 'conflict')
    await refused(ada.postJson('/public_channels', { name: 'x', id: 'Launch' }), 400, 'invalid')
    expect((await make(ada, { name: '設計' })).channel).to.equal('channel-1')
    expect((await make(ada, { name: '🎉' })).channel).to.equal('channel-2')

    const id = await bob.send('launch', 'a message with a link')
    expect((await patch(ada, 'launch', { name: 'Lift-off' })).status).to.equal(204)
    expect((await patch(ada, 'launch', { name: 'Lift-off' })).status).to.equal(204)
    expect(await info(bob, 'launch')).to.include({ channel: 'launch', name: 'Lift-off' })
    expect((await bob.fetch(`/m/${id}`)).status).to.equal(302)
    expect(await lines(bob, 'launch')).to.deep.equal([
      'ada made this channel.',
      'ada renamed the channel to “Lift-off”.',
    ])
  })

  it('are made once when two people want the same id at once, and once for one client_id', async () => {
    const { ada, bob } = world
    const both = await Promise.all(
      [ada, bob].map(person => person.postJson('/public_channels', { name: 'Race' })),
    )
    expect(both.map(({ status }) => status).sort()).to.deep.equal([201, 409])
    const body = { name: 'Once', client_id: randomUUID() }
    const twice = await Promise.all([ada, ada].map(person => person.postJson('/public_channels', body)))
    expect(twice.map(({ status }) => status)).to.deep.equal([201, 201])
    const [one, other] = await Promise.all(twice.map(response => response.json()))
    expect(one).to.deep.equal(other)
    const elsewhere = ada.postJson('/invites', { client_id: body.client_id })
    await refused(elsewhere, 409, 'conflict', 'This client_id was used for another request.')
  })

  it('are read-only for all but managers after a manager chose so', async () => {
    const { ada, bob, cleo } = world
    await make(bob, { name: 'News' })
    const first = await cleo.send('news', 'may I?')
    expect((await patch(cleo, 'news', { posting: 'managers' })).status).to.equal(403)
    expect((await patch(bob, 'news', { posting: 'managers' })).status).to.equal(204)
    const response = await cleo.postForm('/send/news', { text: 'no?' })
    expect([response.status, await response.text()]).to.deep.equal([403, 'read-only channel'])
    await bob.send('news', 'managers write')
    await ada.send('news', 'and owners')
    expect((await cleo.react(first, 'tada')).status).to.equal(200)
    const edited = await cleo.edit(first, '@everyone an edit announces as a send does')
    expect([edited.status, await edited.text()]).to.deep.equal([403, 'read-only channel'])
    expect((await cleo.messages('news'))[1]).to.include({ id: first, content: 'may I?' })
    expect((await cleo.delete(first)).status).to.equal(200)
    expect((await info(cleo, 'news')).may).to.deep.equal(['mention_everyone'])
    expect((await info(bob, 'news')).may).to.deep.equal([
      'post',
      'manage',
      'pin',
      'delete_others',
      'mention_everyone',
    ])
    expect((await patch(cleo, 'news', { topic: 'not mine' })).status).to.equal(403)
    expect((await patch(bob, 'news', { posting: 'everyone' })).status).to.equal(204)
    await cleo.send('news', 'again')
    expect(await lines(cleo, 'news')).to.deep.equal([
      'bob made this channel.',
      'bob made this channel read-only.',
      'bob lets everybody write again.',
    ])
  })

  it('can be made read-only in one request', async () => {
    const { ada, bob, cleo } = world
    const made = await make(bob, { name: 'Notices', posting: 'managers' })
    expect(made.posting).to.equal('managers')
    const response = await cleo.postForm('/send/notices', { text: 'no?' })
    expect([response.status, await response.text()]).to.deep.equal([403, 'read-only channel'])
    await bob.send('notices', 'managers write')
    await ada.send('notices', 'and owners')
    expect(await lines(cleo, 'notices')).to.deep.equal(['bob made this channel.'])
    for (const [posting, code] of [
      ['nobody', 'invalid'],
      [null, 'required'],
      [7, 'required'],
    ])
      await refused(bob.postJson('/public_channels', { name: 'Bad', posting }), 400, code as string)
    await refused(bob.fetch('/channel_info/bad'), 404, 'not_found')
  })

  it('take no writes once archived, and come back with their members and counts', async () => {
    const { ada, bob, cleo } = world
    await make(bob, { name: 'Old project' })
    const own = await cleo.send('old-project', 'pineapple')
    await ada.send('old-project', 'unread by cleo')
    await ada.send('old-project', 'hey @everyone in the old project')
    await bob.markRead('old-project')
    expect((await cleo.postForm('/channel_info/old-project/archive')).status).to.equal(403)
    expect((await bob.postForm('/channel_info/old-project/archive')).status).to.equal(204)
    expect((await bob.postForm('/channel_info/old-project/archive')).status).to.equal(204)
    for (const person of [bob, cleo]) {
      expect(await channels(person)).to.not.include('old-project')
      expect(await unreads(person)).to.not.have.property('old-project')
      expect(await mentioned(person)).to.not.include('hey @everyone in the old project')
    }
    const texts = async (response: Response) => [response.status, await response.text()]
    const archived = [403, 'archived channel']
    expect(await texts(await ada.postForm('/send/old-project', { text: 'x' }))).to.deep.equal(archived)
    expect(await texts(await cleo.edit(own, 'x'))).to.deep.equal(archived)
    expect(await texts(await cleo.react(own, 'tada'))).to.deep.equal(archived)
    await refused(patch(ada, 'old-project', { topic: 'x' }), 403, 'archived')
    await refused(act(ada, 'old-project', 'join'), 403, 'archived')
    await refused(act(ada, 'old-project', 'add', { usernames: ['mallory'] }), 403, 'archived')
    const sentence = '#old-project exists and is archived.'
    await refused(ada.postJson('/public_channels', { name: 'Old project' }), 409, 'conflict', sentence)
    await cleo.postForm('/typing/old-project')
    expect(await ada.get('/typing/old-project')).to.deep.equal([])
    expect((await ada.get<{ items: unknown[] }>('/search?q=pineapple')).items).to.have.length(1)
    expect((await browse(ada, 'q=old-project')).length).to.equal(0)
    expect(await browse(ada, 'q=old-project&archived=1')).to.have.length(1)
    expect((await cleo.delete(own)).status, 'deleting stays').to.equal(200)

    expect((await ada.postForm('/channel_info/old-project/unarchive')).status).to.equal(204)
    expect(await channels(cleo)).to.include('old-project')
    // Two messages and the lines of archiving and bringing back.
    expect((await unreads(cleo))['old-project']).to.equal(4)
    expect((await unreads(bob))['old-project']).to.equal(2)
    await cleo.send('old-project', 'writable again')
  })

  it('are deleted for good by the operator, after they were archived', async () => {
    const { ada, bob } = world
    await make(ada, { name: 'Mistake' })
    await ada.send('mistake', 'gone soon')
    const admin = (typed: string) =>
      runAdmin(world.backing.env, ['delete-channel', 'mistake'], async () => typed)
    expect((await admin('mistake')).stderr).to.include('Archive the channel first')
    await ada.postForm('/channel_info/mistake/archive')
    expect((await admin('other')).stderr).to.include('nothing was deleted')
    expect((await admin('mistake')).stdout).to.include('3 messages are deleted')
    await refused(bob.fetch('/channel_info/mistake'), 404, 'not_found')
    expect((await browse(ada, 'q=mistake&archived=1')).length).to.equal(0)
    await make(bob, { name: 'Mistake' })
    expect(await lines(ada, 'mistake')).to.deep.equal(['bob made this channel.'])
  }).timeout(30_000)

  it('are not deleted by the operator if somebody brings them back before the answer', async () => {
    const { ada } = world
    await make(ada, { name: 'Regret' })
    await ada.send('regret', 'still needed')
    await ada.postForm('/channel_info/regret/archive')
    const { stderr } = await runAdmin(world.backing.env, ['delete-channel', 'regret'], async () => {
      expect((await ada.postForm('/channel_info/regret/unarchive')).status).to.equal(204)
      return 'regret'
    })
    expect(stderr).to.include('Archive the channel first')
    expect((await ada.messages('regret')).map(row => row.content)).to.include('still needed')
  }).timeout(30_000)

  it('are closed for good before the operator deletes their messages', async () => {
    const { ada, bob } = world
    await make(ada, { name: 'Halfway' })
    const den = await world.privateChannel('half a den', [ada, bob])
    const holder = new pg.Client(world.backing.env.DATABASE_URL)
    await holder.connect()
    try {
      for (const channel of ['halfway', den]) {
        await ada.send(channel, 'gone soon')
        await ada.postForm(`/channel_info/${channel}/archive`)
        await holder.query('begin')
        await holder.query('select from messages where channel = $1 for update', [channel])
        const deletion = runAdmin(world.backing.env, ['delete-channel', channel], async () => channel)
        await waitingForLock()
        await refused(ada.postForm(`/channel_info/${channel}/unarchive`), 404, 'not_found')
        await holder.query('commit')
        expect((await deletion).stdout).to.include('messages are deleted')
      }
    } finally {
      await holder.end()
    }
  }).timeout(30_000)

  it('private ones are not changed after the line that archives them, also by what began before', async () => {
    const { ada, bob } = world
    const den = await world.privateChannel('late den', [ada, bob])
    const message = await ada.send(den, 'no reaction')
    const holder = new pg.Client(world.backing.env.DATABASE_URL)
    await holder.connect()
    try {
      for (const change of [
        () => bob.postJson(`/private_channels/${den.slice('private:'.length)}/rename`, { name: 'too late' }),
        () => bob.addMember(den, 'cleo'),
        () => bob.react(message, 'tada'),
        () => bob.postJson('/calls/initiate', { channel: den }),
        () => bob.postJson('/screenshare/start', { channel: den }),
      ]) {
        await holder.query('begin')
        await holder.query('select from channels where id = $1 for update', [den])
        const archived = ada.postForm(`/channel_info/${den}/archive`)
        await waitingForLock()
        const changed = change()
        await waitingForLock(2)
        await holder.query('commit')
        expect((await archived).status).to.equal(204)
        expect((await changed).status).to.equal(403)
        await ada.postForm(`/channel_info/${den}/unarchive`)
      }
    } finally {
      await holder.end()
    }
    expect((await ada.messages(den)).find(row => row.id === message)!.reactions).to.equal(null)
  })

  it('private ones have no call and no screen share once archived', async () => {
    const { ada, bob, cleo, mallory } = world
    const den = await world.privateChannel('loud den', [ada, bob, cleo])
    const archivedOf = async (person: Person) =>
      (await person.get<{ channel: string }[]>('/private_channels?archived=1')).filter(
        ({ channel }) => channel === den,
      )
    expect(await archivedOf(bob)).to.deep.equal([])
    const begun = await ada.postJson('/calls/initiate', { channel: den })
    const { call_id } = (await begun.json()) as { call_id: string }
    await bob.postForm(`/calls/${call_id}/accept`)
    await bob.postJson('/screenshare/start', { channel: den })
    expect((await ada.postForm(`/channel_info/${den}/archive`)).status).to.equal(204)
    const [listed] = await archivedOf(bob)
    expect(listed).to.include({ channel: den, name: 'loud den', topic: null, members: 3 })
    expect(await archivedOf(mallory), 'of somebody else').to.deep.equal([])
    expect(await ada.get(`/calls/${call_id}/state`)).to.include({ state: 'ended' })
    expect(await ada.get(`/screenshare/active?channel=${den}`)).to.deep.equal([])
    const archived = async (response: Response) => {
      expect(response.status).to.equal(403)
      expect(await response.json()).to.deep.equal({ error: 'archived channel' })
    }
    for (const path of ['/calls/initiate', '/screenshare/start'])
      await archived(await bob.postJson(path, { channel: den }))
    // As a process leaves it that ends between the two transactions.
    await db.query(`update calls set state = 'active', ended_ts = null where call_id = $1`, [call_id])
    await db.query(
      `update call_participants set state = 'accepted' where call_id = $1 and username = 'ada'`,
      [call_id],
    )
    await archived(await cleo.postForm(`/calls/${call_id}/join`))
    await archived(await ada.postJson(`/calls/${call_id}/invite`, { username: 'mallory' }))
    await ada.postForm(`/channel_info/${den}/archive`)
    expect(await ada.get(`/calls/${call_id}/state`), 'a repetition ends it').to.include({ state: 'ended' })
  })

  it('add and remove people, and name managers, while administrators act on the same accounts', async () => {
    const { ada, bob, cleo } = world
    await make(cleo, { name: 'Order' })
    const holder = new pg.Client(world.backing.env.DATABASE_URL)
    await holder.connect()
    try {
      for (const [first, second, request, status] of [
        ['bob', 'cleo', () => act(cleo, 'order', 'add', { usernames: ['bob'] }), 200],
        ['ada', 'bob', () => ada.fetch('/channel_info/order/managers/bob', { method: 'PUT' }), 204],
        ['bob', 'cleo', () => act(cleo, 'order', 'remove', { username: 'bob' }), 204],
      ] as const) {
        await holder.query(`begin; set local lock_timeout = '1s'`)
        await holder.query('select from users where username = $1 for no key update', [first])
        const answer = request()
        await waitingForLock()
        // In the order of names, as all take them: the request has no lock of the second account yet.
        await holder.query('select from users where username = $1 for no key update', [second])
        await holder.query('commit')
        expect((await answer).status).to.equal(status)
      }
    } finally {
      await holder.end()
    }
    expect(await channels(bob)).to.not.include('order')
  })

  it('store no message after the line that archives them, however many are sent at once', async () => {
    const { ada, bob, cleo } = world
    await make(ada, { name: 'Busy' })
    const sends = [ada, bob, cleo].flatMap(person =>
      Array.from({ length: 15 }, (_, i) => person.postForm('/send/busy', { text: `message ${i}` })),
    )
    const archived = ada.postForm('/channel_info/busy/archive')
    const statuses = await Promise.all(sends.map(async sent => (await sent).status))
    expect((await archived).status).to.equal(204)
    expect(statuses.every(status => status === 200 || status === 403)).to.equal(true)
    const rows = await ada.messages('busy')
    expect(rows.at(-1)!.content).to.equal('ada archived this channel.')
    expect(rows.filter(row => row.content_type === 'text')).to.have.length(
      statuses.filter(status => status === 200).length,
    )
  })

  it('of the settings change for everybody within a second of the file', async () => {
    const people = [world.ada, world.bob, world.cleo]
    const settings = { channels: ['design', 'annex', 'general'], rate_limit_enabled: false }
    const { rows } = await db.query(`select from channel_memberships where username = 'mallory'`)
    expect(rows).to.deep.equal([])
    expect(await channels(world.mallory)).to.deep.equal(['general', 'design'])
    world.backing.settings(settings)
    await eventually(async () => {
      for (const person of people) expect(await channels(person)).to.include('annex')
      expect(await channels(world.mallory), 'in its order').to.deep.equal(settings.channels)
    }, 2_500)
    world.backing.settings({ ...settings, channels: ['general', 'design'] })
    await eventually(async () => {
      for (const person of people) expect(await channels(person)).to.not.include('annex')
    }, 2_500)
  })

  it('are managed by those who made them, whom they name, owners and admins alone', async () => {
    const { ada, bob, cleo, mallory } = world
    await make(bob, { name: 'Managed' })
    const put = (person: Person, name: string, method = 'PUT') =>
      person.fetch(`/channel_info/managed/managers/${name}`, { method })
    await refused(put(cleo, 'cleo'), 403, 'forbidden')
    await refused(patch(cleo, 'managed', { name: 'Mine' }), 403, 'forbidden')
    await refused(act(cleo, 'managed', 'remove', { username: 'bob' }), 403, 'forbidden')
    await refused(cleo.postForm('/channel_info/managed/archive'), 403, 'forbidden')
    await refused(cleo.postForm('/channel_info/managed/unarchive'), 403, 'forbidden')
    expect((await put(bob, 'CLEO')).status).to.equal(204)
    expect((await put(bob, 'cleo')).status).to.equal(204)
    await refused(put(bob, 'nobody-here'), 404, 'not_found')
    expect((await info(ada, 'managed')).managers).to.deep.equal(['bob', 'cleo'])
    expect((await patch(cleo, 'managed', { description: 'by a manager' })).status).to.equal(204)
    expect((await put(ada, 'bob', 'DELETE')).status).to.equal(204)
    await refused(patch(bob, 'managed', { description: 'no more' }), 403, 'forbidden')
    await refused(patch(mallory, 'managed', { topic: 'has not joined' }), 403, 'forbidden')
    expect((await patch(bob, 'managed', { topic: 'members set the topic' })).status).to.equal(204)
    expect((await patch(bob, 'managed', { topic: null })).status).to.equal(204)
    expect(await lines(bob, 'managed')).to.deep.equal([
      'bob made this channel.',
      'bob set the topic: members set the topic',
      'bob took the topic away.',
    ])
    const added = await act(bob, 'managed', 'add', { usernames: ['mallory', 'CLEO', 'nobody-here'] })
    expect([added.status, await added.json()]).to.deep.equal([
      200,
      { added: ['cleo', 'mallory'], skipped: ['nobody-here'] },
    ])
    expect((await unreads(mallory))['managed'], 'the line that announces them').to.equal(1)
    expect((await act(cleo, 'managed', 'remove', { username: 'mallory' })).status).to.equal(204)
    await refused(act(cleo, 'managed', 'remove', { username: 'mallory' }), 409, 'conflict')
    expect(await channels(mallory)).to.not.include('managed')
    expect((await lines(bob, 'managed')).slice(-2)).to.deep.equal([
      'bob added cleo and mallory.',
      'cleo removed mallory from the channel.',
    ])
    // Also the right of a person who has lost the account meanwhile.
    await db.query(`update users set state = 'deactivated' where username = 'cleo'`)
    expect((await put(ada, 'CLEO', 'DELETE')).status).to.equal(204)
    await refused(put(ada, 'cleo', 'DELETE'), 404, 'not_found')
    await db.query(`update users set state = 'active' where username = 'cleo'`)
    expect((await info(ada, 'managed')).managers).to.deep.equal([])
    const { rows } = await db.query(
      `select action, actor, target from audit_log where channel = 'managed' order by id`,
    )
    expect(rows).to.deep.equal([
      { action: 'channel.created', actor: 'bob', target: null },
      { action: 'channel.managers', actor: 'bob', target: 'cleo' },
      { action: 'channel.managers', actor: 'ada', target: 'bob' },
      { action: 'channel.managers', actor: 'ada', target: 'cleo' },
    ])
  })

  it('are managed by admins too, private ones only where they are members', async () => {
    const { ada, bob, cleo, mallory } = world
    await db.query(`update users set role = 'admin' where username = 'cleo'`)
    try {
      await make(bob, { name: 'Of bob' })
      await act(bob, 'of-bob', 'add', { usernames: ['mallory'] })
      expect(await info(cleo, 'of-bob')).to.deep.include({ managers: ['bob'] })
      for (const manager of [cleo, ada]) {
        expect((await patch(manager, 'of-bob', { description: `by ${manager.name}` })).status).to.equal(204)
        expect((await manager.postForm('/channel_info/of-bob/archive')).status).to.equal(204)
        expect((await manager.postForm('/channel_info/of-bob/unarchive')).status).to.equal(204)
      }
      expect((await act(cleo, 'of-bob', 'remove', { username: 'mallory' })).status).to.equal(204)
      const den = await world.privateChannel('of bob and cleo', [bob, cleo])
      expect((await patch(cleo, den, { name: 'by an admin' })).status).to.equal(204)
      const closed = await world.privateChannel('without admins', [bob, mallory])
      for (const stranger of [cleo, ada]) {
        await refused(patch(stranger, closed, { name: 'x' }), 404, 'not_found')
        await refused(stranger.postForm(`/channel_info/${closed}/archive`), 404, 'not_found')
        const removal = { username: 'mallory' }
        const path = closed.replace('private:', '/private_channels/')
        await refused(stranger.postJson(`${path}/remove_member`, removal), 404, 'not_found')
      }
      await cleo.leave(den)
    } finally {
      await db.query(`update users set role = 'member' where username = 'cleo'`)
    }
  })

  it('private channels have managers too; an owner who is no member does not find them', async () => {
    const { ada, bob, cleo, mallory } = world
    const den = await world.privateChannel('den', [bob, cleo, mallory])
    await refused(ada.fetch(`/channel_info/${den}`), 404, 'not_found')
    await refused(patch(ada, den, { topic: 'x' }), 404, 'not_found')
    await refused(ada.postForm(`/channel_info/${den}/archive`), 404, 'not_found')
    expect(await info(cleo, den)).to.deep.include({
      kind: 'private',
      name: 'den',
      members: 3,
      managers: ['bob'],
    })
    await refused(patch(cleo, den, { name: 'lair' }), 403, 'forbidden')
    expect((await patch(cleo, den, { topic: 'any member' })).status).to.equal(204)
    expect((await patch(bob, den, { name: 'lair', posting: 'managers' })).status).to.equal(204)
    expect(await cleo.get('/private_channels')).to.deep.include.members([
      { id: Number(den.slice(8)), channel: den, name: 'lair', unread: 3 },
    ])
    expect((await cleo.postForm(`/send/${den}`, { text: 'x' })).status).to.equal(403)
    await bob.send(den, 'only managers')
    expect((await cleo.rename(den, '@everyone read this')).status).to.equal(403)
    expect((await bob.rename(den, 'burrow')).status).to.equal(204)
    const path = den.replace('private:', '/private_channels/')
    await refused(cleo.postJson(`${path}/remove_member`, { username: 'mallory' }), 403, 'forbidden')
    expect((await bob.postJson(`${path}/remove_member`, { username: 'Mallory' })).status).to.equal(204)
    await refused(bob.postJson(`${path}/remove_member`, { username: 'mallory' }), 409, 'conflict')
    expect((await mallory.fetch(`/messages/${den}`)).status).to.equal(403)
    expect((await lines(cleo, den)).at(-1)).to.equal('bob removed mallory from the channel.')

    await bob.leave(den)
    expect((await info(cleo, den)).managers, 'the longest-standing member').to.deep.equal(['cleo'])
    await cleo.send(den, 'now I manage')
    expect((await cleo.postForm(`/channel_info/${den}/archive`)).status).to.equal(204)
    expect(await cleo.get('/private_channels')).to.deep.equal([])
    expect((await cleo.postForm(`/send/${den}`, { text: 'x' })).status).to.equal(403)
    expect((await cleo.postForm(`/channel_info/${den}/unarchive`)).status).to.equal(204)
    expect(await cleo.get('/private_channels')).to.have.length(1)
  })

  it('can be joined by everybody by default, which admins decide', async () => {
    const { ada, bob, cleo } = world
    await refused(bob.postJson('/public_channels', { name: 'For all', default: true }), 403, 'forbidden')
    await make(bob, { name: 'For all' })
    await bob.send('for-all', 'of before')
    await refused(patch(bob, 'for-all', { default: true }), 403, 'forbidden')
    expect((await patch(ada, 'for-all', { default: true })).status).to.equal(204)
    expect(await channels(cleo)).to.include('for-all')
    expect((await unreads(cleo))['for-all']).to.equal(0)
    expect(await info(cleo, 'for-all')).to.deep.include({ default: true, members: 4, guests: 0 })
    await refused(patch(ada, 'general', { default: false }), 400, 'invalid')
    const newcomer = await new NewPerson('newcomer', world.api[0]!.url).signUp()
    expect(await channels(newcomer)).to.include('for-all')
    expect((await unreads(newcomer))['for-all']).to.equal(0)
    expect((await patch(ada, 'for-all', { default: false })).status).to.equal(204)
    expect(await channels(cleo)).to.not.include('for-all')
  })

  it('are made by administrators alone if a setting says so', async () => {
    const { ada, bob } = world
    const settings = { channels: ['general', 'design'], rate_limit_enabled: false }
    world.backing.settings({ ...settings, who_creates_channels: 'admins' })
    const may = async () => (await bob.get<{ may: string[] }>('/me')).may
    await eventually(async () => expect(await may()).to.not.include('create_channels'))
    await refused(bob.postJson('/public_channels', { name: 'By a member' }), 403, 'forbidden')
    expect(await browse(ada, 'q=by-a-member')).to.deep.equal([])
    await make(ada, { name: 'By an owner' })
    world.backing.settings(settings)
    await eventually(async () => expect(await may()).to.include('create_channels'))
    await make(bob, { name: 'By a member' })
  })

  it('refuse bad input with its code, and change nothing', async () => {
    const { ada } = world
    await make(ada, { name: 'Exact', topic: 'kept', description: 'kept too' })
    const before = [await info(ada, 'exact'), await lines(ada, 'exact')]
    const long = 'x'.repeat(10_000)
    const cases: [field: string, values: unknown[]][] = [
      ['name', [7, null, ['x'], '', ' ', long, 'a\0b', '\ud800']],
      ['topic', [7, ['x'], long, 'a\0b', '\ud800']],
      ['description', [7, ['x'], long, 'a\0b', '\ud800']],
      ['posting', [7, null, ['managers'], long, 'a\0b', '\ud800', 'nobody']],
      ['default', [7, null, [true], long, 'a\0b', '\ud800']],
    ]
    for (const [field, values] of cases) {
      for (const value of values) {
        for (const request of [
          patch(ada, 'exact', { topic: 'changed', [field]: value }),
          ada.postJson('/public_channels', { name: 'Never made', [field]: value }),
        ]) {
          const response = await request
          expect(response.status, `${field} ${JSON.stringify(value)?.slice(0, 20)}`).to.equal(400)
          expect(((await response.json()) as { code: string }).code).to.be.oneOf([
            'required',
            'invalid',
            'too_long',
          ])
        }
      }
    }
    for (const name of ['%00', '%ED%A0%80', 'x'.repeat(1_000), '7'])
      for (const method of ['PUT', 'DELETE']) {
        const { status } = await ada.fetch(`/channel_info/exact/managers/${name}`, { method })
        expect(status, `${method} ${name.slice(0, 20)}`).to.be.within(400, 404)
      }
    expect([await info(ada, 'exact'), await lines(ada, 'exact')]).to.deep.equal(before)
    expect(await browse(ada, 'q=never')).to.deep.equal([])
  })

  it('take @everyone as text from those whom a setting does not allow it', async () => {
    const { ada, bob } = world
    const settings = { channels: ['general', 'design'], rate_limit_enabled: false }
    world.backing.settings({ ...settings, who_mentions_everyone: 'admins' })
    const send = (person: Person) => person.postForm('/send/general', { text: 'food, @everyone and @cleo' })
    const byMember = await eventually(async () => {
      const response = await send(bob)
      expect(response.headers.get('X-Mention-Ignored')).to.equal('everyone')
      return response
    })
    const stored = async (response: Response) =>
      (await ada.messages('general')).find(row => row.id === Number(response.headers.get('X-Message-Id')))!
    expect((await stored(byMember)).mentions).to.equal('["cleo"]')
    const byOwner = await send(ada)
    expect(byOwner.headers.get('X-Mention-Ignored')).to.equal(null)
    expect((await stored(byOwner)).mentions).to.equal('["@everyone"]')
    expect((await info(bob, 'general')).may).to.deep.equal(['post', 'pin'])
    const edited = await bob.edit((await stored(byMember)).id, 'again, @everyone')
    expect(edited.headers.get('X-Mention-Ignored')).to.equal('everyone')
    world.backing.settings(settings)
  })

  it('list their people page by page, and DMs have no properties', async () => {
    const { ada, bob, cleo } = world
    await make(ada, { name: 'Peopled' })
    await act(ada, 'peopled', 'add', { usernames: ['bob', 'cleo'] })
    const page = (query: string) => cleo.get<Page<ChannelPersonPayload>>(`/channel_people/peopled?${query}`)
    const first = await page('limit=2')
    expect(first.items.map(({ username, manager }) => ({ username, manager }))).to.deep.equal([
      { username: 'ada', manager: true },
      { username: 'bob', manager: false },
    ])
    const second = await page(`limit=2&cursor=${first.next}`)
    expect([second.items.map(({ username }) => username), second.next]).to.deep.equal([['cleo'], null])
    expect((await page('q=OB')).items).to.have.length(1)
    expect((await page('role=manager')).items).to.have.length(1)
    expect((await page('role=guest')).items).to.have.length(0)
    expect(await info(bob, 'dm:bob:ada')).to.deep.include({ channel: 'dm:ada:bob', kind: 'dm', members: 2 })
    await refused(patch(bob, 'dm:ada:bob', { name: 'us' }), 403, 'forbidden')
    await refused(bob.postForm('/channel_info/dm:ada:bob/archive'), 403, 'forbidden')
    await refused(bob.fetch('/channel_info/nowhere'), 404, 'not_found')
  })

  it('name the last three people who wrote, and neither lines of the server nor deleted messages', async () => {
    const { ada, bob, cleo } = world
    const { channel } = await make(ada, { name: 'Who writes' })
    const writers = async () => (await browse(bob, `q=who writes&with=writers`)).map(one => one.writers)
    expect(await writers()).to.deep.equal([[]])
    for (const person of [ada, cleo, bob]) {
      await act(person, channel, 'join')
      await person.send(channel, `I am ${person.name}`)
    }
    await ada.send(channel, 'me again')
    expect(await writers()).to.deep.equal([['ada', 'bob', 'cleo']])
    await bob.delete(await bob.send(channel, 'a slip'))
    expect(await writers()).to.deep.equal([['ada', 'bob', 'cleo']])
    for (let i = 0; i < 10; i++) await bob.send(channel, `more ${i}`)
    expect(await writers(), 'only the newest ten count').to.deep.equal([['bob']])
    expect((await browse(bob, 'q=who writes'))[0]).to.not.have.property('writers')
    await refused(bob.fetch('/public_channels?with=all'), 400, 'invalid')
  })

  it('are listed alone where the caller manages them, of administrators all', async () => {
    const { ada, bob, cleo } = world
    await make(bob, { name: 'Shed tools' })
    await make(ada, { name: 'Shed of ada' })
    const managed = async (person: Person) =>
      (await browse(person, 'q=shed&managed=1')).map(one => one.channel)
    expect(await managed(bob)).to.deep.equal(['shed-tools'])
    expect(await managed(cleo)).to.deep.equal([])
    expect(await managed(ada)).to.deep.equal(['shed-of-ada', 'shed-tools'])
    await bob.postForm('/channel_info/shed-tools/archive')
    expect(await managed(bob), 'no archived one').to.deep.equal([])
    expect(await bob.get('/public_channels?managed=1')).to.not.have.property('counts')
    await refused(bob.fetch('/public_channels?managed=yes'), 400, 'invalid')
  })

  it('are listed by name, by members and by the newest message, page by page', async () => {
    const { ada } = world
    for (const sort of ['name', 'members', 'newest']) {
      const all = await browse(ada, `sort=${sort}&limit=200&archived=1`)
      const found: PublicChannelPayload[] = []
      for (let cursor = ''; ; ) {
        const { items, next } = await ada.get<Page<PublicChannelPayload>>(
          `/public_channels?sort=${sort}&limit=3&archived=1${cursor}`,
        )
        found.push(...items)
        if (next === null) break
        cursor = `&cursor=${next}`
      }
      expect(found, sort).to.deep.equal(all)
      expect(found.length).to.be.greaterThan(5)
    }
    const byMembers = (await browse(ada, 'sort=members&limit=200')).map(({ members }) => members)
    expect(byMembers).to.deep.equal(byMembers.toSorted((a, b) => b - a))
    const cursor = (text: string) => Buffer.from(text).toString('base64url')
    for (const place of ['x', '[0,"\\u0000","x"]', '[0,"x","\\ud800"]'])
      await refused(ada.fetch(`/public_channels?cursor=${cursor(place)}`), 400, 'invalid')
    for (const place of ['"\\u0000"', '"\\ud800"'])
      await refused(ada.fetch(`/channel_people/general?cursor=${cursor(place)}`), 400, 'invalid')
    await refused(ada.fetch('/public_channels?sort=colour'), 400, 'invalid')
  })

  it('are counted on the first page of the whole list', async () => {
    const { ada } = world
    const first = (query: string) => ada.get<PublicChannelsPage>(`/public_channels?${query}`)
    const all = await browse(ada, 'limit=200&archived=1')
    const open = all.filter(({ archived }) => !archived)
    const counts = {
      open: open.length,
      joined: open.filter(({ joined }) => joined).length,
      archived: all.length - open.length,
    }
    const { next, ...page } = await first('limit=1')
    expect(page.counts).to.deep.equal(counts)
    expect(counts.archived).to.be.above(0)
    expect(await first(`limit=1&cursor=${next}`)).to.not.have.property('counts')
    expect(await first('q=a')).to.not.have.property('counts')
  })
})
