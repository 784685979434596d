import { expect } from 'chai'
import pg from 'pg'
import type { CallStatePayload } from '#shared/domain/payloads/calls.ts'
import type { CreatedChannelPayload, PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import type { MessagePayload, ReadReceiptsPayload } from '#shared/domain/payloads/messages.ts'
import type { SearchResultPayload } from '#shared/domain/payloads/search.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('private channels (interface 2.2, 4.2, 4.3, 4.7, 5, 7)', () => {
  let world: World
  let ada: Person
  let bob: Person
  let cleo: Person
  let mallory: Person
  let db: pg.Client
  before(async () => {
    world = await newWorld({ apis: 2 })
    ;({ ada, bob, cleo, mallory } = world)
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const idOf = (channel: ChannelId) => Number(channel.slice('private:'.length))
  const pathOf = (channel: ChannelId) => `/private_channels/${idOf(channel)}`
  const listed = async (who: Person, channel: ChannelId) =>
    (await who.get<PrivateChannelPayload[]>('/private_channels')).find(entry => entry.channel === channel)
  const unread = async (who: Person, channel: ChannelId) => (await listed(who, channel))?.unread
  const membersOf = async (channel: ChannelId, who: Person) =>
    (await who.get<{ username: string }[]>(`${pathOf(channel)}/members`)).map(member => member.username)
  const texts = async (who: Person, channel: ChannelId) =>
    (await who.messages(channel)).map(message => message.content)

  describe('creating one', () => {
    const create = (body: unknown) => ada.postJson('/private_channels/create', body)

    it('makes the creator and the named users members, in that order', async () => {
      const response = await create({ name: '  the den ', members: ['cleo', 'bob', 'cleo', 'ada'] })
      expect(response.status).to.equal(200)
      const den = (await response.json()) as CreatedChannelPayload
      expect(den).to.deep.equal({ id: den.id, channel: `private:${den.id}`, name: 'the den' })
      for (const who of [ada, bob, cleo]) {
        expect(await listed(who, den.channel)).to.deep.equal({ ...den, unread: 0 })
        expect(await membersOf(den.channel, who)).to.deep.equal(['ada', 'cleo', 'bob'])
      }
      expect(await listed(mallory, den.channel)).to.equal(undefined)
      expect(await bob.get(`/channel_members/${den.channel}`)).to.deep.equal(['ada', 'cleo'])
    })

    it('skips unknown names and returns them', async () => {
      const members = ['BOB', 'nobody', 7, null, 'nobody', 'system', 'a b\0', '', { username: 'cleo' }]
      const den = (await (await create({ name: 'den', members })).json()) as CreatedChannelPayload
      expect(den.skipped).to.deep.equal(['nobody', 'system', 'a b\0'])
      expect(await membersOf(den.channel, ada)).to.deep.equal(['ada', 'bob'])
    })

    it('needs no other members, and ignores a value that is not a list', async () => {
      for (const members of [undefined, null, 'bob', { 0: 'bob' }, []]) {
        const den = (await (await create({ name: 'alone', members })).json()) as CreatedChannelPayload
        expect(await membersOf(den.channel, ada)).to.deep.equal(['ada'])
      }
    })

    it('requires a name of 1 to 80 characters', async () => {
      for (const name of [undefined, null, 7, ['den'], '', ' \n ', 'den\0']) {
        expect((await create({ name })).status, JSON.stringify(name)).to.equal(400)
      }
      expect(await (await create({})).text()).to.equal('name required')
      const tooLong = await create({ name: '🦊'.repeat(81) })
      expect([tooLong.status, await tooLong.text()]).to.deep.equal([400, 'name too long (max 80 characters)'])
      expect((await create({ name: ` ${'🦊'.repeat(80)} ` })).status).to.equal(200)
    })

    it('reduces a name to one line of visible characters', async () => {
      const response = await create({ name: '  in\n\tvoi\u202ece \u2066s\u0007 ' })
      expect(response.status).to.equal(200)
      const { channel, name } = (await response.json()) as CreatedChannelPayload
      expect(name).to.equal('in voice s')
      expect((await ada.rename(channel, 'pay\u2028roll\u202e')).status).to.equal(204)
      expect((await ada.messages(channel)).at(-1)!.content).to.equal('ada renamed the channel to “pay roll”.')
      for (const unseen of ['\u200b', '\u202e\u2066', '\u0007']) {
        const refused = await create({ name: unseen })
        expect([refused.status, await refused.text()]).to.deep.equal([400, 'name required'])
      }
    })

    it('shows its founders the whole history', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      await ada.send(den, 'first')
      expect(await texts(bob, den)).to.deep.equal(['first'])
      const { rows } = await db.query(
        'select history_start_ts from private_channel_members where channel_id = $1',
        [idOf(den)],
      )
      expect(rows).to.deep.equal([{ history_start_ts: null }, { history_start_ts: null }])
    })
  })

  it('counts messages of others that the member has not read', async () => {
    const den = await world.privateChannel('den', [ada, bob])
    const first = await ada.send(den, 'one')
    await ada.send(den, 'two')
    expect([await unread(ada, den), await unread(bob, den)]).to.deep.equal([0, 2])
    await ada.delete(first)
    expect(await unread(bob, den)).to.equal(1)
    await bob.markRead(den)
    expect(await unread(bob, den)).to.equal(0)
  })

  describe('renaming one', () => {
    it('is for any member, and is announced', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      expect((await bob.rename(den, ' burrow ')).status).to.equal(204)
      expect((await listed(ada, den))!.name).to.equal('burrow')
      const [line] = await ada.messages(den)
      expect(line).to.include({
        sender: 'system',
        content_type: 'system',
        content: 'bob renamed the channel to “burrow”.',
      })
      expect([await unread(ada, den), await unread(bob, den)]).to.deep.equal([1, 1])
    })

    it('to its current name is not announced', async () => {
      const den = await world.privateChannel('den', [ada])
      expect((await ada.rename(den, 'den')).status).to.equal(204)
      expect(await ada.messages(den)).to.deep.equal([])
    })

    it('is refused without a name, to outsiders, and for an unknown channel', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      for (const name of ['', 7, null, 'x'.repeat(81)]) {
        expect((await ada.rename(den, name)).status).to.equal(400)
      }
      expect((await mallory.rename(den, 'mine')).status).to.equal(403)
      expect((await ada.rename('private:999999', 'mine')).status).to.equal(404)
      expect(await ada.messages(den)).to.deep.equal([])
    })
  })

  describe('adding a member', () => {
    it('shows them exactly the line that announces them, unread, and later messages', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      await ada.send(den, 'before')
      expect((await bob.addMember(den, 'CLEO')).status).to.equal(204)
      expect(await texts(cleo, den)).to.deep.equal(['bob added cleo to the channel.'])
      expect(await unread(cleo, den)).to.equal(1)
      await ada.send(den, 'after')
      expect(await texts(cleo, den)).to.deep.equal(['bob added cleo to the channel.', 'after'])
      expect(await unread(cleo, den)).to.equal(2)
      expect(await membersOf(den, cleo)).to.deep.equal(['ada', 'bob', 'cleo'])
      expect(await texts(ada, den)).to.have.length(3)
    })

    it('works in a channel without messages', async () => {
      const den = await world.privateChannel('den', [ada])
      await ada.addMember(den, 'bob')
      expect(await texts(bob, den)).to.deep.equal(['ada added bob to the channel.'])
      expect(await unread(bob, den)).to.equal(1)
      expect(await bob.get(`/read_receipts/${den}`)).to.deep.equal({})
    })

    it('is refused with its reason', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      const answers: [number, string, unknown, Person?, ChannelId?][] = [
        [400, 'username required', undefined],
        [400, 'username required', ['cleo']],
        [400, 'username required', '  '],
        [404, 'user not found', 'nobody'],
        [404, 'user not found', 'system'],
        [409, 'already a member', 'bob'],
        [409, 'already a member', 'ada'],
        [403, 'forbidden', 'mallory', mallory],
        [403, 'forbidden', undefined, mallory],
        [404, 'not found', 'cleo', ada, 'private:999999'],
        [404, 'not found', 'cleo', ada, 'private:0'],
        [404, 'not found', 'cleo', ada, 'private:99999999999999999999'],
      ]
      for (const [status, body, username, who = ada, channel = den] of answers) {
        const response = await who.addMember(channel, username)
        expect([response.status, await response.text()]).to.deep.equal([status, body])
      }
      expect(await ada.messages(den)).to.deep.equal([])
    })
  })

  describe('leaving one', () => {
    it('is announced to the remaining members', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      expect((await bob.leave(den)).status).to.equal(204)
      expect(await texts(ada, den)).to.deep.equal(['bob left the channel.'])
      expect(await membersOf(den, ada)).to.deep.equal(['ada'])
      expect(await listed(bob, den)).to.equal(undefined)
      expect((await bob.fetch(`/messages/${den}`)).status).to.equal(403)
    })

    it('is refused to non-members, and for an unknown channel', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      expect((await mallory.leave(den)).status).to.equal(403)
      await bob.leave(den)
      expect((await bob.leave(den)).status).to.equal(403)
      for (const unknown of ['999999', '0', '-1', 'den', '1.5', '%00', '9223372036854775807']) {
        expect((await ada.leave(`private:${unknown}`)).status, unknown).to.equal(404)
      }
    })

    it('keeps the channel when the last member leaves, without a line', async () => {
      const den = await world.privateChannel('den', [ada])
      await ada.send(den, 'good night')
      expect((await ada.leave(den)).status).to.equal(204)
      const { rows } = await db.query('select content from messages where channel = $1', [den])
      expect(rows).to.deep.equal([{ content: 'good night' }])
      expect((await ada.fetch(`${pathOf(den)}/members`)).status).to.equal(403)
    })

    it('posts no line in an archived channel, which comes back with those who stayed', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      expect((await ada.postForm(`/channel_info/${den}/archive`)).status).to.equal(204)
      expect((await bob.leave(den)).status).to.equal(204)
      expect(await texts(ada, den)).to.deep.equal(['ada archived this channel.'])
      expect((await bob.fetch(`/messages/${den}`)).status).to.equal(403)
      expect((await ada.postForm(`/channel_info/${den}/unarchive`)).status).to.equal(204)
      expect(await membersOf(den, ada)).to.deep.equal(['ada'])
    })

    it('ends the leaver’s typing and removes them from the receipts', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      await bob.send(den, 'hello')
      await bob.postForm(`/typing/${den}`)
      expect(await ada.get(`/typing/${den}`)).to.deep.equal(['bob'])
      expect(await ada.get(`/read_receipts/${den}`)).to.have.all.keys(['bob'])
      await bob.leave(den)
      expect(await ada.get(`/typing/${den}`)).to.deep.equal([])
      expect(await ada.get(`/read_receipts/${den}`)).to.deep.equal({})
    })

    it('takes the leaver out of its calls, and ends their share', async () => {
      const den = await world.privateChannel('den', [ada, bob, cleo])
      const rung = await ada.postJson('/calls/initiate', { channel: den })
      const { call_id } = (await rung.json()) as { call_id: string }
      await bob.postForm(`/calls/${call_id}/accept`)
      await bob.postJson('/screenshare/start', { channel: den })
      expect((await bob.leave(den)).status).to.equal(204)
      const { participants } = await ada.get<CallStatePayload>(`/calls/${call_id}/state`)
      expect(participants.find(({ username }) => username === 'bob')!.state).to.equal('left')
      expect(await ada.get(`/screenshare/active?channel=${den}`)).to.deep.equal([])
      expect((await bob.fetch(`/calls/${call_id}/state`)).status).to.equal(403)

      const calls = async () =>
        (await cleo.get<{ call_id: string }[]>('/calls/incoming')).map(call => call.call_id)
      await cleo.leave(den)
      expect(await calls()).to.not.include(call_id)
    })

    it('deletes the read watermark of the leaver, and of nobody else', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      await ada.send(den, 'one')
      const readers = async () => {
        const { rows } = await db.query<{ username: string }>(
          'select username from read_watermarks where channel = $1 order by username',
          [den],
        )
        return rows.map(row => row.username)
      }
      await bob.markRead(den)
      expect(await readers()).to.deep.equal(['ada', 'bob'])
      expect((await bob.leave(den)).status).to.equal(204)
      expect(await readers()).to.deep.equal(['ada'])
    })

    it('cuts off a history that the leaver is reading', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      await ada.send(den, 'first')
      // More than the socket buffers hold.
      await db.query(
        `insert into messages (channel, ord, sender, content, ts)
         select $1, 1 + i, 'ada', repeat('x', 10000), ts + i / 1000000::double precision
           from messages cross join generate_series(1, 4000) as i
          where channel = $1`,
        [den],
      )
      const reading = await bob.fetch(`/messages/${den}`)
      await bob.leave(den)
      await ada.send(den, 'is he gone?')
      const rows = (await reading.json()) as MessagePayload[]
      expect(rows.length).to.be.within(1, 4000)
      expect(rows.some(row => row.content === 'is he gone?')).to.equal(false)
    })

    it('and coming back begins a new history, also for founders', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      await ada.send(den, 'while bob was here')
      await bob.leave(den)
      const missed = await ada.send(den, 'while bob was away, @bob')
      await ada.addMember(den, 'bob')
      expect(await texts(bob, den)).to.deep.equal(['ada added bob to the channel.'])
      expect(await unread(bob, den)).to.equal(1)
      expect((await bob.fetch(`/message/${missed}`)).status).to.equal(404)
      expect(await membersOf(den, bob)).to.deep.equal(['ada', 'bob'])
    })
  })

  describe('several at once, over two processes', () => {
    const statuses = async (requests: Promise<Response>[]) =>
      (await Promise.all(requests)).map(response => response.status).sort()

    /** Waits until this many statements of others wait for a lock. */
    const waiting = (count: number) =>
      eventually(async () => {
        const { rows } = await db.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        expect(rows).to.have.length(count)
      })

    it('add the same user once, with one line', async () => {
      for (let round = 0; round < 5; round++) {
        const den = await world.privateChannel('den', [ada, bob])
        const adds = [ada, bob, ada, bob].map(who => who.addMember(den, 'cleo'))
        expect(await statuses(adds)).to.deep.equal([204, 409, 409, 409])
        expect(await texts(ada, den)).to.have.length(1)
        expect(await texts(cleo, den)).to.have.length(1)
      }
    })

    it('leave as the last two: both leave, with one line', async () => {
      for (let round = 0; round < 5; round++) {
        const den = await world.privateChannel('den', [ada, bob])
        expect(await statuses([ada.leave(den), bob.leave(den)])).to.deep.equal([204, 204])
        const { rowCount } = await db.query('select from messages where channel = $1', [den])
        expect(rowCount).to.equal(1)
      }
    })

    it('leave once from several tabs', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      expect(await statuses([bob.leave(den), bob.leave(den), bob.leave(den)])).to.deep.equal([204, 403, 403])
      expect(await texts(ada, den)).to.deep.equal(['bob left the channel.'])
    })

    it('add and leave: every listed member has seen each line since they joined', async () => {
      for (let round = 0; round < 10; round++) {
        const den = await world.privateChannel('den', [ada, bob])
        const [added, left] = await Promise.all([ada.addMember(den, 'bob'), bob.leave(den)])
        expect(left.status).to.equal(204)
        expect(added.status).to.be.oneOf([204, 409])
        const expected = ['bob left the channel.', 'ada added bob to the channel.']
        expect(await texts(ada, den)).to.deep.equal(expected.slice(0, added.status === 204 ? 2 : 1))
        expect(await membersOf(den, ada)).to.deep.equal(added.status === 204 ? ['ada', 'bob'] : ['ada'])
      }
    })

    it('send and leave: no message follows the line that announces the departure', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      const sends = Array.from({ length: 30 }, (_, i) => bob.postForm(`/send/${den}`, { text: `${i}` }))
      await sends[0]
      const left = bob.leave(den)
      const answers = await Promise.all(sends)
      expect((await left).status).to.equal(204)
      const rows = await ada.messages(den)
      expect(rows.at(-1)!.content).to.equal('bob left the channel.')
      expect(rows).to.have.length(answers.filter(answer => answer.status === 200).length + 1)
      expect(answers.every(answer => [200, 403].includes(answer.status))).to.equal(true)
    })

    /** Writes by bob; three per channel, because three wait for it at once (shared/stores/row-lock-queue.ts). */
    const WRITES: [string, ((den: ChannelId, bobs: number) => Promise<Response>)[]][] = [
      [
        'send, rename, add',
        [
          den => bob.postForm(`/send/${den}`, { text: 'too late' }),
          den => bob.rename(den, 'too late'),
          den => bob.addMember(den, 'mallory'),
        ],
      ],
      [
        'edit, delete, react',
        [
          (_, bobs) => bob.edit(bobs, 'too late'),
          (_, bobs) => bob.delete(bobs),
          (_, bobs) => bob.react(bobs, 'tada'),
        ],
      ],
    ]
    for (const [names, writes] of WRITES) {
      it(`${names} and leave: writes that waited for the departure are refused, and not counted`, async () => {
        const den = await world.privateChannel('den', [ada, bob])
        const bobs = await bob.send(den, 'as it was')
        const before = await ada.messages(den)
        const leaving = new pg.Client(world.backing.env.DATABASE_URL)
        await leaving.connect()
        await leaving.query('begin')
        await leaving.query('delete from private_channel_members where channel_id = $1 and username = $2', [
          idOf(den),
          'bob',
        ])
        const requests = writes.map(write => write(den, bobs))
        await waiting(3)
        await leaving.query('commit')
        await leaving.end()
        for (const status of await statuses(requests)) expect(status).to.be.oneOf([403, 404])
        expect(await ada.messages(den)).to.deep.equal(before)
        expect(await listed(ada, den)).to.include({ name: 'den', unread: 1 })
      })
    }

    it('leave while sending: a departure that waited for the send comes after it', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      await bob.send(den, 'hello')
      const holding = new pg.Client(world.backing.env.DATABASE_URL)
      await holding.connect()
      await holding.query('begin')
      await holding.query('select from channels where id = $1 for update', [den])
      const sent = bob.postForm(`/send/${den}`, { text: 'in time' })
      await waiting(1)
      const left = bob.leave(den)
      await waiting(2)
      await holding.query('commit')
      await holding.end()
      expect([(await sent).status, (await left).status]).to.deep.equal([200, 204])
      expect(await texts(ada, den)).to.deep.equal(['hello', 'in time', 'bob left the channel.'])
    })
  })

  it('are rate-limited per user at creation', async () => {
    world.backing.settings({ rate_limit_enabled: true, rate_limits: { manage: [120, 60] } })
    try {
      await eventually(async () => {
        const response = await cleo.postJson('/private_channels/create', { name: 'den' })
        expect(response.status).to.equal(429)
        expect(Number(response.headers.get('Retry-After'))).to.be.within(1, 60)
      })
    } finally {
      world.backing.settings({ rate_limit_enabled: false })
      await eventually(async () => {
        expect((await cleo.postJson('/private_channels/create', { name: 'den' })).status).to.equal(200)
      })
    }
  })

  describe('on open tabs (interface 6)', () => {
    let gateway: RunningService
    before(async () => {
      gateway = await startService('events', world.backing.env)
    })
    after(() => gateway.stop())

    const open = (who: Person, channel?: ChannelId) =>
      openTab(gateway.url, who.cookie, channel === undefined ? {} : { channel })

    it('leaving stops its messages at once, on a tab that is still open', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      const tab = await open(bob, den)
      await tab.waitFor(({ last }) => last.private_channels?.some(({ channel }) => channel === den))
      await tab.waitFor(({ last }) => last.typing && last.read_receipts && last.screenshares)

      const seen = tab.frames.length
      await bob.leave(den)
      await ada.send(den, 'is he gone?')
      await ada.postForm(`/typing/${den}`)

      await tab.waitFor(({ last }) => !last.private_channels!.some(({ channel }) => channel === den))
      // A write that bob may see, after those that he may not: earlier frames would have arrived.
      await ada.send('general', 'he is')
      await tab.waitFor(({ last }) => last.channel_unreads!['general']! > 0)
      const since = tab.events().slice(seen)
      for (const event of ['messages', 'typing', 'read_receipts', 'screenshares']) {
        expect(since).to.not.include(event)
      }
      expect(tab.raw).to.not.include('is he gone?')
      expect(tab.raw).to.not.include('bob left the channel.')
      tab.close()
    })

    it('remaining members see the line, the receipts without the leaver, and no typing', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      await bob.send(den, 'bye')
      await bob.postForm(`/typing/${den}`)
      const tab = await open(ada, den)
      await tab.waitFor(({ last }) => last.typing?.includes('bob') && last.read_receipts?.['bob'])
      await bob.leave(den)
      await tab.waitFor(({ last }) => last.messages?.some(row => row.content === 'bob left the channel.'))
      await tab.waitFor(({ last }) => last.typing!.length === 0 && !('bob' in last.read_receipts!))
      tab.close()
    })

    it('creating, adding and renaming reach every member and nobody else', async () => {
      const [cleos, mallorys] = [await open(cleo), await open(mallory)]
      const names = (tab: typeof cleos) => tab.last.private_channels?.map(({ name }) => name) ?? []
      const den = await world.privateChannel('nest', [ada, cleo])
      await cleos.waitFor(tab => names(tab).includes('nest'))
      await ada.rename(den, 'eyrie')
      await cleos.waitFor(tab => names(tab).includes('eyrie'))
      await cleo.leave(den)
      await cleos.waitFor(tab => !names(tab).includes('eyrie'))
      await ada.addMember(den, 'cleo')
      const entry = await cleos.waitFor(tab =>
        tab.last.private_channels!.find(({ channel }) => channel === den),
      )
      expect(entry).to.deep.equal({ id: idOf(den), channel: den, name: 'eyrie', unread: 1 })
      expect(names(mallorys)).to.deep.equal([])
      expect(mallorys.raw).to.not.include(den)
      for (const tab of [cleos, mallorys]) tab.close()
    })

    it('a tab opened before its user became a member shows the channel at once', async () => {
      const den = await world.privateChannel('den', [ada])
      await ada.send(den, 'before his time')
      await ada.postJson('/screenshare/start', { channel: den })
      const tab = await open(bob, den)
      await tab.waitFor(({ last }) => last.private_channels !== undefined)
      await ada.addMember(den, 'bob')
      await tab.waitFor(({ last }) => last.screenshares?.length === 1, 2_000)
      await tab.waitFor(({ last }) => last.read_receipts !== undefined && last.typing !== undefined, 2_000)
      await tab.waitFor(() => tab.rows().length > 0, 2_000)
      await ada.send(den, 'welcome')
      await tab.waitFor(() => tab.rows().length > 1, 2_000)
      expect(tab.rows().map(row => row.content)).to.deep.equal(['ada added bob to the channel.', 'welcome'])
      tab.close()
    })

    it('a tab that waits for a channel shows it when it is created', async () => {
      const id = Number((await world.privateChannel('den', [ada])).slice('private:'.length)) + 1
      const tab = await open(bob, `private:${id}`)
      await tab.waitFor(({ last }) => last.private_channels !== undefined)
      expect(tab.last.typing).to.equal(undefined)
      expect(await world.privateChannel('burrow', [ada, bob])).to.equal(`private:${id}`)
      await tab.waitFor(({ last }) => last.typing !== undefined && last.screenshares !== undefined, 2_000)
      tab.close()
    })

    it('a returning member sees only the new history on a tab that stayed open', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      await ada.send(den, 'one')
      const tab = await open(bob, den)
      await tab.waitFor(({ last }) => last.messages?.length === 1)
      await bob.leave(den)
      await ada.send(den, 'behind his back')
      await ada.addMember(den, 'bob')
      await ada.send(den, 'welcome back')
      await tab.waitFor(() => tab.rows().some(row => row.content === 'welcome back'))
      expect(tab.rows().map(row => row.content)).to.deep.equal([
        'one',
        'ada added bob to the channel.',
        'welcome back',
      ])
      tab.close()
    })

    it('changes of older messages do not reach a late joiner', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      const old = await ada.send(den, 'an old secret')
      const dora = await world.lateJoiner(den, ada)
      const tab = await open(dora, den)
      await tab.waitFor(({ last }) => last.messages?.length === 1)
      await bob.react(old, 'tada')
      await ada.edit(old, 'the old secret, edited, @dora')
      await ada.delete(old)
      await ada.send(den, 'something new')
      await tab.waitFor(() => tab.rows().some(row => row.content === 'something new'))
      expect(tab.rows().map(row => row.content)).to.deep.equal([
        'ada added dora to the channel.',
        'something new',
      ])
      expect(tab.raw).to.not.include('secret')
      tab.close()
    })
  })

  describe('for dora, who joined late', () => {
    let den: ChannelId
    let dora: Person
    let old: MessagePayload[]
    let line: MessagePayload
    let later: number
    before(async () => {
      den = await world.privateChannel('den', [ada, bob])
      for (let i = 0; i < 5; i++) await ada.send(den, `old ${i} @dora @everyone`)
      await ada.sendImages(den, [{ name: 'old.png', bytes: PIXEL }])
      old = await ada.messages(den)
      dora = await world.lateJoiner(den, ada)
      later = await bob.send(den, 'later, to @dora', { reply_to_id: String(old[0]!.id) })
      line = (await dora.messages(den))[0]!
    })

    const ids = (rows: { id: number }[]) => rows.map(row => row.id)

    it('messages begin with the line that announces her', async () => {
      expect(ids(await dora.messages(den))).to.deep.equal([line.id, later])
      expect(line.content).to.equal('ada added dora to the channel.')
      for (const after of ['-1', 'nan', '0.1', String(old.at(-1)!.ts)]) {
        expect(ids(await dora.messages(den, after)), after).to.deep.equal([line.id, later])
      }
    })

    it('pages end there too, and a message before it is unknown', async () => {
      const page = (query: string) => dora.get<MessagePayload[]>(`/messages/${den}?${query}`)
      expect(ids(await page('limit=200'))).to.deep.equal([line.id, later])
      expect(ids(await page(`limit=200&before=${line.ts}`))).to.deep.equal([])
      expect(ids(await page(`limit=1&before=${line.ts + 0.000001}`))).to.deep.equal([line.id])
      expect(ids(await page(`around=${later}&limit=200`))).to.deep.equal([line.id, later])
      expect(ids(await page(`around=${line.id}&limit=3`))).to.deep.equal([line.id, later])
      expect(ids(await page(`around_ts=${old[1]!.ts}&limit=200`))).to.deep.equal([line.id, later])
      expect(ids(await page(`around_ts=${line.ts}&limit=200`))).to.deep.equal([line.id, later])
      expect(ids(await page('around_ts=0&limit=2'))).to.deep.equal([line.id])
      expect((await dora.fetch(`/messages/${den}?around=${old[2]!.id}`)).status).to.equal(404)
    })

    it('edits, reactions and deletions of older messages stay out', async () => {
      await ada.edit(old[0]!.id, 'old 0, edited @dora')
      await bob.react(old[1]!.id, 'tada')
      await ada.delete(old[2]!.id)
      expect(ids(await dora.messages(den, line.ts - 0.00001))).to.deep.equal([line.id, later])
      expect(ids(await bob.messages(den, line.ts))).to.have.members([...ids(old).slice(0, 3), later])
    })

    it('search, mentions and unread counts begin there', async () => {
      const found = await dora.get<SearchResultPayload[]>(`/search_messages?channel=${den}&q=old`)
      expect(found).to.deep.equal([])
      const all = await dora.get<SearchResultPayload[]>(`/search_messages?channel=${den}&start=0`)
      expect(ids(all)).to.deep.equal([later, line.id])
      expect(
        ids(await dora.get<SearchResultPayload[]>(`/search_messages?from=ada&channel=${den}`)),
      ).to.deep.equal([])
      expect(ids(await dora.get<MentionPayload[]>('/mentions'))).to.deep.equal([later])
      expect(await unread(dora, den)).to.equal(2)
    })

    it('older messages and their files are unknown', async () => {
      const image = old.find(row => row.filename !== null)!
      expect((await ada.fetch(`/files/${image.filename}`)).status).to.equal(200)
      expect((await dora.fetch(`/files/${image.filename}`)).status).to.equal(404)
      for (const { id } of old) {
        expect((await dora.fetch(`/message/${id}`)).status).to.equal(404)
        expect((await dora.react(id, 'tada')).status).to.equal(404)
        expect((await dora.edit(id, 'mine')).status).to.equal(403)
        expect((await dora.delete(id)).status).to.equal(403)
      }
      expect((await dora.fetch(`/message/${line.id}`)).status).to.equal(200)
      expect((await dora.react(later, 'tada')).status).to.equal(200)
    })

    it('a reply to an older message has no reply_to', async () => {
      const id = await dora.send(den, 'about that', { reply_to_id: String(old[0]!.id) })
      const rows = await dora.messages(den)
      expect(rows.find(row => row.id === id)!.reply_to_id).to.equal(null)
      const known = await dora.send(den, 'about this', { reply_to_id: String(later) })
      expect((await dora.messages(den)).find(row => row.id === known)!.reply_to_id).to.equal(later)
    })

    it('receipts list the current members, including her', async () => {
      await dora.markRead(den)
      await world.cleo.markRead('general')
      const receipts = await dora.get<ReadReceiptsPayload>(`/read_receipts/${den}`)
      expect(receipts).to.have.all.keys(['ada', 'bob', 'dora'])
      expect(receipts['dora']).to.be.above(line.ts)
      expect(await unread(dora, den)).to.equal(0)
    })

    it('older mentions stay out even if her watermark is lost', async () => {
      await ada.send(den, 'and now @dora')
      await db.query('delete from read_watermarks where channel = $1 and username = $2', [den, 'dora'])
      const mentions = await dora.get<MentionPayload[]>('/mentions')
      const contents = mentions.filter(({ channel }) => channel === den).map(({ content }) => content)
      expect(contents).to.deep.equal(['and now @dora', 'later, to @dora'])
      await dora.markRead(den)
    })

    it('deleting older messages does not change her unread count', async () => {
      await ada.send(den, 'unread')
      expect(await unread(dora, den)).to.equal(1)
      await ada.delete(old[3]!.id)
      expect(await unread(dora, den)).to.equal(1)
    })
  })
})
