import { expect } from 'chai'
import pg from 'pg'
import type { InboxPayload } from '#shared/domain/payloads/inbox.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { Program, programOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

type Json = Record<string, unknown>

describe('chat.postEphemeral (interface 19.8)', () => {
  let world: World
  let db: pg.Client
  let bell: Program
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    bell = await botOf({ username: 'bell' })
  })
  after(async () => {
    await db?.end()
    await world?.end()
  })
  beforeEach(() => db.query('delete from command_answers'))

  async function botOf(draft: Json): Promise<Program> {
    const response = await world.ada.postJson('/bots', draft)
    expect(response.status).to.equal(201)
    const { username, token } = (await response.json()) as { username: string; token: string }
    return new Program(username, world.ada.at, token)
  }
  async function tell(by: Person, args: Json): Promise<Json> {
    const draft = { channel: 'general', user: 'bob', text: 'For you', ...args }
    const response = await by.postJson('/api/chat.postEphemeral', draft)
    expect(response.status).to.equal(200)
    return (await response.json()) as Json
  }
  const refusal = async (by: Person, args: Json) => (await tell(by, args))['error']
  const inbox = (person: Person) => person.get<InboxPayload>('/inbox?kind=command')

  it('is an item of the inbox of one person, at the other process too, and no message', async () => {
    const { bob, ada } = world
    const { unread } = await inbox(bob)
    const told = await tell(bell, {
      ...{ user: '@bob', channel: '#general', text: 'Hello <@bob>', thread_ts: '1.000000' },
      attachments: [{ title: 'Log', title_link: 'https://log.example/' }],
    })
    const after = await inbox(bob)
    const [item, ...more] = after.items
    expect(more).to.deep.equal([])
    const { id, ts, ...rest } = item!
    expect(rest).to.deep.equal({
      ...{ kind: 'command', channel: 'general', message_id: null, root_id: null, actors: ['bell'], count: 1 },
      ...{ content: 'Hello @bob\n\n[Log](https://log.example/)', read: false },
    })
    expect(told).to.deep.equal({ ok: true, message_ts: ts.toFixed(6) })
    expect(after.unread).to.equal(unread + 1)
    expect((await inbox(ada)).items).to.deep.equal([])
    expect((await bob.messages('general')).filter(({ sender }) => sender === 'bell')).to.deep.equal([])
    await bob.postJson('/inbox/read', { ids: [id] })
    expect((await inbox(bob)).unread).to.equal(unread)
  })

  it('is refused in the words of Slack, and leaves nothing', async () => {
    const { ada, bob, mallory } = world
    const team = await world.privateChannel('team', [ada, bob])
    await ada.addMember(team, 'bell')
    const other = await world.privateChannel('other', [ada, bob])
    await ada.postJson('/public_channels', { id: 'old', name: 'old' })
    await ada.postJson('/public_channels', { id: 'news', name: 'news' })
    await ada.postJson('/channel_info/old/archive', {})
    await ada.patchJson('/channel_info/news', { posting: 'managers' })
    const own = await programOf(ada, { scopes: ['read', 'write'] })
    const reader = await programOf(ada, { scopes: ['read'] })
    for (const [by, args, word] of [
      [own, {}, 'not_allowed_token_type'],
      [reader, {}, 'missing_scope'],
      [ada, {}, 'not_authed'],
      [bell, { channel: undefined }, 'channel_not_found'],
      [bell, { channel: other }, 'channel_not_found'],
      [bell, { channel: 'nowhere' }, 'channel_not_found'],
      [bell, { channel: 'old' }, 'is_archived'],
      [bell, { channel: 'news' }, 'restricted_action'],
      [bell, { user: undefined }, 'user_not_found'],
      [bell, { user: 'nobody' }, 'user_not_found'],
      [bell, { user: 'b o b' }, 'user_not_found'],
      [bell, { user: 'bell' }, 'user_not_in_channel'],
      [bell, { channel: team, user: mallory.name }, 'user_not_in_channel'],
      [bell, { channel: 'ada', user: 'bob' }, 'user_not_in_channel'],
      [bell, { text: '' }, 'no_text'],
      [bell, { text: 'a\0b' }, 'invalid_arguments'],
      [bell, { blocks: '[' }, 'invalid_blocks'],
    ] as const)
      expect(await refusal(by, args), JSON.stringify(args)).to.equal(word)
    expect((await tell(bell, { channel: team }))['ok'], 'a member').to.equal(true)
    const { rows } = await db.query('select channel from command_answers')
    expect(rows).to.deep.equal([{ channel: team }])
  })

  it('reaches nobody who is deactivated, and no guest who does not see the bot', async () => {
    await db.query(`update users set state = 'deactivated' where username = 'cleo'`)
    await db.query(`update users set role = 'guest' where username = 'mallory'`)
    try {
      expect(await refusal(bell, { user: 'cleo' })).to.equal('user_not_in_channel')
      expect(await refusal(bell, { user: 'mallory' })).to.equal('user_not_in_channel')
    } finally {
      await db.query(`update users set state = 'active' where username = 'cleo'`)
      await db.query(`update users set role = 'member' where username = 'mallory'`)
    }
  })

  it('tells a bot that is a guest nothing of what it does not see', async () => {
    const { ada, bob, cleo } = world
    await ada.postJson('/public_channels', { name: 'Project', id: 'project' })
    await world.privateChannel('hidden', [bob, cleo])
    const guest = await botOf({ username: 'visitor', guest: true, channels: ['project'] })
    for (const [unseen, missing] of [
      [{ channel: 'design' }, { channel: 'nowhere' }],
      [{ channel: '#hidden' }, { channel: '#nowhere' }],
      [{ channel: 'cleo' }, { channel: 'nobody' }],
      [
        { channel: 'project', user: 'cleo' },
        { channel: 'project', user: 'nobody' },
      ],
    ])
      expect(await tell(guest, unseen!), JSON.stringify(unseen)).to.deep.equal(await tell(guest, missing!))
    expect((await tell(guest, { channel: 'project', user: 'ada' }))['ok']).to.equal(true)
  })

  it('keeps a token within its channels', async () => {
    const wish = { name: 'x', scopes: ['write'], channels_only: ['design'] }
    const { token } = (await (await world.ada.postJson('/bots/bell/tokens', wish)).json()) as {
      token: string
    }
    const limited = new Program('bell', world.ada.at, token)
    expect((await tell(limited, { channel: 'design' }))['ok']).to.equal(true)
    for (const channel of ['general', 'ada'])
      expect(await refusal(limited, { channel })).to.equal('channel_not_found')
  })

  it('is at most 50 times 2,000 characters of a person, and displaces no answer of a command', async () => {
    await db.query(
      `insert into command_answers (username, channel, command, content, ts)
       select 'bob', 'general', 'deploy', 'x', extract(epoch from now()) from generate_series(1, 50)`,
    )
    for (let at = 0; at < 52; at++) await tell(bell, { text: `${at} ${'🎉'.repeat(2_500)}` })
    const { rows } = await db.query(
      `select command, count(*)::integer as count, min(id) filter (where content like '2 %') is not null as has_third,
              max(length(content)) as longest
         from command_answers group by command order by command`,
    )
    expect(rows).to.deep.equal([
      { command: 'deploy', count: 50, has_third: false, longest: 1 },
      { command: null, count: 50, has_third: true, longest: 2_000 },
    ])
  })

  it('counts as a send', async () => {
    const limits = (send: [number, number]) =>
      world.backing.settings({
        ...{ channels: ['general', 'design'], rate_limit_enabled: true },
        rate_limits: { send },
      })
    limits([3, 60])
    try {
      const draft = { channel: 'general', user: 'bob', text: 'x' }
      await eventually(async () => {
        expect((await bell.postJson('/api/chat.postEphemeral', draft)).status).to.equal(429)
      }, 30_000)
    } finally {
      world.backing.settings({ channels: ['general', 'design'], rate_limit_enabled: false })
    }
  })

  it('goes with its bot', async () => {
    const gone = await botOf({ username: 'gone' })
    await tell(gone, {})
    expect((await inbox(world.bob)).items).to.have.length(1)
    await db.query(`update command_answers set bot = null`)
    expect(await inbox(world.bob)).to.deep.include({ items: [], next: null })
  })
})
