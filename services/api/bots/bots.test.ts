import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import { OPERATOR } from '#shared/audit/audit-log.ts'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import type { BotPayload, PeoplePayload } from '#shared/domain/payloads/people.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { Program } from '#shared/test-kit/program.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { deletePerson } from '../people/act-on-account.ts'
import { changePerson } from '../people/change-person.ts'
import { deactivate } from '../people/change-state.ts'

describe('bots (interface 19.3)', () => {
  let world: World
  let db: pg.Client
  let stores: OpenStores
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    stores = await storesOf(world.backing)
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    await world.ada.postJson('/public_channels', { name: 'Alerts' })
  })
  after(async () => {
    await stores.stop()
    await db.end()
    await world.end()
  })
  /** Chooses `who_makes_bots`, until each process knows it. */
  async function makers(who: 'admins' | 'members') {
    await world.ada.patchJson('/admin/settings', { who_makes_bots: who })
    for (const person of [world.bob, world.cleo])
      await eventually(async () => {
        const { may } = await person.get<MePayload>('/me')
        expect(may.includes('make_bots')).to.equal(who === 'members')
      })
  }
  const freshName = () => `bot-${randomUUID().slice(0, 8)}`
  const statusAndCode = async (response: Response) => {
    const text = await response.text()
    return [response.status, text.startsWith('{') ? (JSON.parse(text) as { code?: string }).code : text]
  }

  async function makeBot(owner: Person, draft: Record<string, unknown> = {}) {
    const username = freshName()
    const response = await owner.postJson('/bots', { username, ...draft })
    const body = await response.text()
    expect(response.status, body).to.equal(201)
    const { token } = JSON.parse(body) as { token: string }
    return new Program(username, world.api[0]!.url, token)
  }
  const remove = (person: Person, name: string) => person.fetch(`/bots/${name}`, { method: 'DELETE' })
  const listed = async (name: string, viewer: Person = world.bob) =>
    (await viewer.get<BotPayload[]>('/bots')).find(({ username }) => username === name)
  const ownerOf = async (name: string) => (await listed(name))?.owner
  async function entriesOf(target: string) {
    const { rows } = await db.query<{ action: string; actor: string; detail: Record<string, unknown> }>(
      'select action, actor, detail from audit_log where target = $1 order by id',
      [target],
    )
    return rows
  }
  const passings = async (target: string) =>
    (await entriesOf(target))
      .filter(({ action }) => action === 'bot.owner')
      .map(({ actor, detail }) => ({ actor, ...detail }))
  /** A member with a bot of their own. */
  async function ownerWithBot() {
    const owner = await somebody(world.api[1]!.url).signUp()
    const bot = await makeBot(world.ada)
    await db.query('update users set bot_owner = $2 where username = $1', [bot.name, owner.name])
    return { owner, bot }
  }

  it('is made with a token, once for each client_id, and posts with it', async () => {
    const { ada, bob } = world
    const username = freshName()
    const draft = {
      username,
      display_name: '  Deploy Bot ',
      description: 'Tells of\ndeployments.',
      channels: ['alerts'],
      client_id: randomUUID(),
    }
    const made = await ada.postJson('/bots', draft)
    expect(made.status).to.equal(201)
    const answer = (await made.json()) as { username: string; token: string }
    expect(answer).to.have.all.keys('username', 'token')
    expect(answer.token).to.match(/^bothy_[A-Za-z0-9]+$/)
    const again = await ada.postJson('/bots', draft)
    expect([again.status, await again.json()]).to.deep.equal([201, { username, token: null }])
    const { rows } = await db.query(`select body::text as body from made_once where path = '/bots'`)
    expect(JSON.stringify(rows), 'the token is not stored').to.not.include(answer.token)

    const bot = new Program(username, world.api[1]!.url, answer.token)
    const id = await bot.send('alerts', 'deployed')
    const row = (await bob.messages('alerts')).find(message => message.id === id)
    expect(row).to.include({ sender: username, content: 'deployed' })
    expect(await bob.get('/users')).to.include(username)
    const { people } = await bob.get<PeoplePayload>('/people')
    expect(people.find(person => person.username === username)).to.include({
      kind: 'bot',
      role: 'member',
      active: true,
      display_name: 'Deploy Bot',
    })
    expect(await listed(username)).to.deep.equal({
      username,
      display_name: 'Deploy Bot',
      description: 'Tells of\ndeployments.',
      owner: 'ada',
      active: true,
      mine: false,
      of_hook: false,
    })
    const own = await listed(username, ada)
    expect(own).to.include({ mine: true })
    expect(own!.last_used_ts).to.be.closeTo(Date.now() / 1_000, 60)
    const unused = await makeBot(ada)
    expect(await listed(unused.name, ada)).to.include({ last_used_ts: null })
    const lines = (await bob.messages('general')).map(({ content }) => content)
    expect(lines.join(), 'nobody greets it').to.not.include(username)
    expect((await entriesOf(username)).map(({ action }) => action)).to.include('bot.created')
  })

  it('may be mentioned, added and written to', async () => {
    const { ada, bob } = world
    const bot = await makeBot(ada)
    const id = await bob.send('general', `hello @${bot.name}`)
    expect((await bob.messages('general')).find(row => row.id === id)?.mentions).to.equal(
      JSON.stringify([bot.name]),
    )
    const den = await world.privateChannel('den', [bob])
    expect((await bob.addMember(den, bot.name)).status).to.equal(204)
    await bot.send(den, 'I am in')
    await bob.send(`dm:bob:${bot.name}`, 'ping')
    const dm = [`bob`, bot.name].sort().join(':')
    expect((await bot.messages(`dm:${dm}`)).map(({ content }) => content)).to.deep.equal(['ping'])
  })

  it('is in no list of who is here or has read, and not told of @everyone', async () => {
    const { ada, bob } = world
    const bot = await makeBot(ada)
    const den = await world.privateChannel('quiet', [bob])
    await bob.addMember(den, bot.name)
    const id = await bob.send(den, `all of you, @everyone`)
    const named = await bob.send(den, `and @${bot.name}`)
    await bot.send(den, 'read and written')
    await bot.markRead(den)
    expect((await bot.postJson('/presence', { state: 'active' })).status).to.equal(204)
    expect((await bot.postJson('/presence', { state: 'active', tab: 'a' })).status).to.equal(204)
    expect((await bot.postJson('/presence/override', { override: 'active' })).status).to.equal(204)
    expect(await bob.get(`/profile/${bot.name}`)).to.include({ state: 'offline' })
    await db.query(
      `insert into presence (username, state, last_seen) values ($1, 'active', extract(epoch from now()))
       on conflict (username) do update set last_seen = excluded.last_seen`,
      [bot.name],
    )
    expect(await bob.get('/online_users')).to.not.have.any.keys(bot.name)
    expect(await bob.get(`/read_receipts/${den}`)).to.not.have.any.keys(bot.name)
    expect(await bob.get(`/seen/${id}`)).to.deep.include({ count: 0, names: [] })
    await db.query('delete from read_watermarks where username = $1', [bot.name])
    const mentions = await bot.get<{ id: number }[]>('/mentions')
    expect(mentions.map(mention => mention.id)).to.deep.equal([named])
    const { items, unread } = await bot.get<{
      items: { kind: string; message_id: number }[]
      unread: number
    }>('/inbox?kind=mention')
    expect(items.map(item => item.message_id)).to.deep.equal([named])
    expect(unread).to.be.lessThan(3)
  })

  it('cannot sign in, get a password or a high role, or own anything', async () => {
    const { ada } = world
    const bot = await makeBot(ada)
    for (const password of ['none', '', PASSWORD]) {
      const login = await new Person(bot.name, bot.at).postForm('/login', { username: bot.name, password })
      expect(login.status, password).to.equal(200)
    }
    const link = await ada.postJson(`/admin/people/${bot.name}/reset_link`, {})
    expect(await statusAndCode(link)).to.deep.equal([409, 'conflict'])
    for (const role of ['admin', 'owner'])
      expect(await statusAndCode(await ada.patchJson(`/admin/people/${bot.name}`, { role }))).to.deep.equal([
        403,
        'forbidden',
      ])
    expect((await bot.get<MePayload>('/me')).role).to.equal('member')
    const own = await bot.postJson('/bots', { username: freshName() })
    expect(own.status).to.equal(403)
    const heir = await ada.patchJson(`/bots/${(await makeBot(ada)).name}`, { owner: bot.name })
    expect(await statusAndCode(heir)).to.deep.equal([400, 'invalid'])
  })

  it('as a guest is in its channels only', async () => {
    const { ada } = world
    const none = await ada.postJson('/bots', { username: freshName(), guest: true })
    expect(await statusAndCode(none)).to.deep.equal([400, 'required'])
    const bot = await makeBot(ada, { guest: true, channels: ['alerts'] })
    expect((await bot.get<MePayload>('/me')).role).to.equal('guest')
    expect((await bot.postForm('/send/alerts', { text: 'in' })).status).to.equal(200)
    expect((await bot.postForm('/send/general', { text: 'out' })).status).to.equal(403)
    expect(await statusAndCode(await bot.fetch('/bots'))).to.deep.equal([403, 'forbidden'])
  })

  it('is made by those whom who_makes_bots names, never by guests', async () => {
    const { ada, bob, mallory } = world
    const refused = await bob.postJson('/bots', { username: freshName() })
    expect(await statusAndCode(refused)).to.deep.equal([403, 'forbidden'])
    expect((await ada.get<MePayload>('/me')).may).to.include('make_bots')
    expect((await bob.get<MePayload>('/me')).may).to.not.include('make_bots')
    await makers('members')
    await makeBot(bob)
    await db.query(`update users set role = 'guest' where username = 'mallory'`)
    const guest = await mallory.postJson('/bots', { username: freshName() })
    expect(await statusAndCode(guest)).to.deep.equal([403, 'forbidden'])
    await db.query(`update users set role = 'member' where username = 'mallory'`)
    await makers('admins')
  })

  it('of a hook has tokens of those alone whom who_makes_bots names, whoever owns it', async () => {
    const { ada, bob } = world
    const channel = await bob.createPrivateChannel('Loft', [])
    const made = await bob.postJson('/hooks_in', { name: freshName(), channel })
    const { id } = (await made.json()) as { id: number }
    const { bot } = (await bob.get<{ id: number; bot: string }[]>('/hooks_in')).find(hook => hook.id === id)!
    expect(await ownerOf(bot)).to.equal('bob')
    const ask = (person: Person) => person.postJson(`/bots/${bot}/tokens`, { name: 'deploy' })
    expect(await statusAndCode(await ask(bob))).to.deep.equal([403, 'forbidden'])
    expect((await ask(ada)).status).to.equal(201)
    await makers('members')
    expect((await ask(bob)).status).to.equal(201)
    await makers('admins')
    const own = await makeBot(ada)
    expect((await ada.patchJson(`/bots/${own.name}`, { owner: 'bob' })).status).to.equal(204)
    expect((await bob.postJson(`/bots/${own.name}/tokens`, { name: 'deploy' })).status).to.equal(201)
  })

  it('takes a name once, also from two at the same time', async () => {
    const { ada } = world
    const { url: first } = world.api[0]!
    const { url: second } = world.api[1]!
    const username = freshName()
    const other = new Person('ada', second)
    other.cookie = ada.cookie
    const both = await Promise.all([
      ada.postJson('/bots', { username }),
      other.postJson('/bots', { username: username.toUpperCase() }),
      new Person(username, first).postForm('/signup', {
        username,
        password: PASSWORD,
        confirm_password: PASSWORD,
      }),
    ])
    const { rows } = await db.query('select from users where username_key = $1', [username])
    expect(rows).to.have.length(1)
    expect(both.filter(({ status }) => status === 201 || status === 302)).to.have.length(1)
    expect(await statusAndCode(await ada.postJson('/bots', { username: 'bob' }))).to.deep.equal([
      409,
      'conflict',
    ])
    const draft = { username: freshName(), client_id: randomUUID() }
    const made = await Promise.all([ada, other, ada, other].map(person => person.postJson('/bots', draft)))
    const answers = (await Promise.all(made.map(response => response.json()))) as { token: string | null }[]
    expect(made.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201])
    expect(answers.filter(({ token }) => token !== null)).to.have.length(1)
  })

  it('is bounded by 50 of a person and 500 of a workspace', async () => {
    const { ada, bob } = world
    await makers('members')
    await db.query(`insert into users (username, password_hash, created_ts, kind, bot_owner)
                    select 'many-' || n, 'none', 0, 'bot', 'bob' from generate_series(1, 50) as n`)
    expect(await statusAndCode(await bob.postJson('/bots', { username: freshName() }))).to.deep.equal([
      409,
      'conflict',
    ])
    const given = await ada.patchJson(`/bots/${(await makeBot(ada)).name}`, { owner: 'bob' })
    expect(await statusAndCode(given)).to.deep.equal([409, 'conflict'])
    await db.query(`insert into users (username, password_hash, created_ts, kind, bot_owner)
                    select 'more-' || n, 'none', 0, 'bot', null from generate_series(1, 450) as n`)
    const full = await ada.postJson('/bots', { username: freshName() })
    expect(await statusAndCode(full)).to.deep.equal([409, 'conflict'])
    await db.query(`delete from users where username like 'many-%' or username like 'more-%'`)
    await makers('admins')
  })

  it('is changed by its owner and administrators, with a picture', async () => {
    const { ada, bob, cleo } = world
    const { owner, bot } = await ownerWithBot()
    const path = `/bots/${bot.name}`
    expect(await statusAndCode(await bob.patchJson(path, { description: 'mine' }))).to.deep.equal([
      403,
      'forbidden',
    ])
    expect(await statusAndCode(await bob.patchJson('/bots/nobody', {}))).to.deep.equal([404, 'not_found'])
    expect(await statusAndCode(await ada.patchJson('/bots/bob', { description: 'x' }))).to.deep.equal([
      404,
      'not_found',
    ])
    expect(await statusAndCode(await owner.patchJson(path, {}))).to.deep.equal([400, 'required'])
    expect((await owner.patchJson(path, { display_name: 'Pager', description: 'Calls.' })).status).to.equal(
      204,
    )
    expect(await listed(bot.name)).to.include({ display_name: 'Pager', description: 'Calls.' })
    expect((await ada.patchJson(path, { description: null })).status).to.equal(204)
    expect(await listed(bot.name)).to.include({ display_name: 'Pager', description: null })

    const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('display_name', 'Pager 2')
    form.append('avatar', new File([new Uint8Array(png)], 'face.png'))
    expect((await owner.fetch(path, { method: 'PATCH', body: form })).status).to.equal(204)
    expect((await bob.fetch(`/avatar/${bot.name}`)).status).to.equal(200)
    expect(await listed(bot.name)).to.include({ display_name: 'Pager 2' })
    const bad = new FormData()
    bad.set('display_name', 'Pager 3')
    bad.append('avatar', new File(['no image'], 'face.png'))
    expect((await owner.fetch(path, { method: 'PATCH', body: bad })).status).to.equal(400)
    expect(await listed(bot.name), 'nothing changes').to.include({ display_name: 'Pager 2' })
    expect((await owner.patchJson(path, { avatar: null })).status).to.equal(204)
    expect((await bob.fetch(`/avatar/${bot.name}`)).status).to.equal(404)

    expect((await owner.patchJson(path, { owner: 'CLEO' })).status).to.equal(204)
    expect(await listed(bot.name, cleo)).to.include({ owner: 'cleo', mine: true })
    expect((await owner.patchJson(path, { description: 'still?' })).status).to.equal(403)
    expect(await passings(bot.name)).to.deep.equal([{ actor: owner.name, from: owner.name, to: 'cleo' }])
    for (const heir of ['nobody', bot.name, '\0'])
      expect(await statusAndCode(await cleo.patchJson(path, { owner: heir })), heir).to.deep.equal([
        400,
        'invalid',
      ])
  })

  it('is counted in the channels that it is in, as a member and as a bot', async () => {
    const { ada, bob } = world
    const counts = async (channel: string) => {
      const { members, bots } = await ada.get<ChannelInfoPayload>(`/channel_info/${channel}`)
      return { members, bots }
    }
    const made = await ada.postJson('/public_channels', { name: 'Quarry' })
    expect(made.status).to.equal(201)
    const den = await world.privateChannel('quarry', [ada, bob])
    const { bots, members } = await counts('general')
    const { bot } = await ownerWithBot()
    expect(await counts('general')).to.deep.equal({ members: members + 2, bots: bots + 1 })
    expect(await counts('quarry')).to.deep.equal({ members: 1, bots: 0 })
    await bot.send('quarry', 'joins')
    expect(await counts('quarry')).to.deep.equal({ members: 2, bots: 1 })
    expect((await ada.addMember(den, bot.name)).status).to.equal(204)
    expect(await counts(den)).to.deep.equal({ members: 3, bots: 1 })
    expect(await counts(`dm:ada:${bot.name}`)).to.deep.equal({ members: 2, bots: 1 })
  })

  it('is told as that of a hook until it has a token or a command', async () => {
    const { ada } = world
    for (const [name, bot] of [
      ['Weir', 'weir-hook'],
      ['Dam', 'dam-hook'],
    ] as const) {
      expect((await ada.postJson('/hooks_in', { name, channel: 'general' })).status).to.equal(201)
      expect(await listed(bot)).to.include({ of_hook: true })
    }
    expect((await ada.postJson('/bots/weir-hook/tokens', { name: 'script' })).status).to.equal(201)
    expect(await listed('weir-hook')).to.include({ of_hook: false })
    const command = { name: 'dam', url: 'https://a.example/', bot: 'dam-hook' }
    expect((await ada.postJson('/commands', command)).status).to.equal(201)
    expect(await listed('dam-hook')).to.include({ of_hook: false })
  })

  it('gets further tokens from its owner and administrators, after the password', async () => {
    const { ada, bob } = world
    const { owner, bot } = await ownerWithBot()
    const path = `/bots/${bot.name}/tokens`
    const draft = { name: 'CI', scopes: ['write'] }
    const made = await owner.postJson(path, draft)
    expect(made.status).to.equal(201)
    const { id, token } = (await made.json()) as { id: number; token: string }
    await new Program(bot.name, bot.at, token).send('general', 'by the second token')
    expect(await owner.get<{ id: number }[]>(path)).to.have.length(2)
    expect(await statusAndCode(await bob.postJson(path, draft))).to.deep.equal([403, 'forbidden'])
    expect(await statusAndCode(await bob.fetch(path))).to.deep.equal([403, 'forbidden'])
    expect((await bob.fetch(`/tokens/${id}`, { method: 'DELETE' })).status).to.equal(404)
    const high = await ada.postJson(path, { name: 'CI', scopes: ['admin'] })
    expect(await statusAndCode(high)).to.deep.equal([403, 'forbidden'])
    expect((await owner.fetch(`/tokens/${id}`, { method: 'DELETE' })).status).to.equal(204)
    expect((await new Program(bot.name, bot.at, token).fetch('/me')).status).to.equal(401)
    expect((await bot.fetch('/me')).status).to.equal(200)
  })

  it('is deactivated, reactivated and deleted by its owner and administrators', async () => {
    const { ada, bob } = world
    const { owner, bot } = await ownerWithBot()
    const id = await bot.send('general', 'before')
    for (const verb of ['deactivate', 'reactivate'])
      expect((await bob.postJson(`/bots/${bot.name}/${verb}`, {})).status).to.equal(403)
    expect((await owner.postJson(`/bots/${bot.name}/deactivate`, {})).status).to.equal(204)
    await eventually(async () => expect((await bot.fetch('/me')).status).to.equal(401))
    expect(await listed(bot.name)).to.include({ active: false, owner: owner.name })
    expect(await bob.get('/users')).to.not.include(bot.name)
    expect((await ada.postJson(`/bots/${bot.name}/reactivate`, {})).status).to.equal(204)
    expect((await ada.postJson(`/bots/${bot.name}/reactivate`, {})).status, 'again').to.equal(204)
    expect(await bob.get('/users')).to.include(bot.name)

    expect((await remove(bob, bot.name)).status).to.equal(403)
    expect((await remove(owner, bot.name)).status).to.equal(204)
    expect(await listed(bot.name)).to.equal(undefined)
    const row = (await bob.messages('general')).find(message => message.id === id)
    expect(row).to.include({ sender: 'Deleted User', content: 'before' })
    const taken = await ada.postJson('/bots', { username: bot.name })
    expect(await statusAndCode(taken)).to.deep.equal([409, 'conflict'])
    expect((await entriesOf(bot.name)).map(({ action }) => action)).to.include.members([
      'bot.deactivated',
      'bot.reactivated',
      'bot.deleted',
    ])
  })

  it('asks for the password again before a token and a deletion', async () => {
    const { ada } = world
    const bot = await makeBot(ada)
    const settings = { rate_limit_enabled: false, channels: ['general', 'design'] }
    world.backing.settings({ ...settings, confirm_minutes: 0.001 })
    await eventually(async () => {
      const made = await ada.postJson(`/bots/${bot.name}/tokens`, { name: 'CI' })
      expect(await statusAndCode(made)).to.deep.equal([403, 'confirm_required'])
    })
    expect(await statusAndCode(await remove(ada, bot.name))).to.deep.equal([403, 'confirm_required'])
    world.backing.settings(settings)
    await eventually(async () => expect((await remove(ada, bot.name)).status).to.equal(204))
  })

  describe('whose owner goes', () => {
    it('passes to the administrator who deactivates or deletes them', async () => {
      const { ada } = world
      for (const [verb, body] of [
        ['deactivate', {}],
        ['delete', { type: 'hard' }],
      ] as const) {
        const { owner, bot } = await ownerWithBot()
        expect((await ada.postJson(`/admin/people/${owner.name}/${verb}`, body)).status).to.equal(204)
        expect(await passings(bot.name), verb).to.deep.equal([{ actor: 'ada', from: owner.name, to: 'ada' }])
        expect(await ownerOf(bot.name)).to.equal('ada')
        await bot.send('general', 'I go on')
      }
    })

    it('passes to the administrator who makes them a guest', async () => {
      const { owner, bot } = await ownerWithBot()
      const change = { role: 'guest', channels: ['alerts'] }
      expect((await world.ada.patchJson(`/admin/people/${owner.name}`, change)).status).to.equal(204)
      expect(await passings(bot.name)).to.deep.equal([{ actor: 'ada', from: owner.name, to: 'ada' }])
    })

    it('passes to the longest-serving owner, when they delete themselves or the operator acts', async () => {
      const own = await ownerWithBot()
      const deleted = await own.owner.postJson('/delete_account', { type: 'soft', password: PASSWORD })
      expect(deleted.status, await deleted.text()).to.be.within(200, 302)
      expect(await passings(own.bot.name)).to.deep.equal([
        { actor: own.owner.name, from: own.owner.name, to: 'ada' },
      ])
      const acts = [
        (name: string) => deactivate(stores, OPERATOR, name),
        (name: string) => deletePerson(stores, OPERATOR, name, 'soft'),
        (name: string) =>
          changePerson(stores, OPERATOR, name, { role: 'guest', channels: ['general'], fields: {} }),
      ]
      for (const act of acts) {
        const { owner, bot } = await ownerWithBot()
        await act(owner.name)
        expect(await passings(bot.name)).to.deep.equal([{ actor: 'cli', from: owner.name, to: 'ada' }])
      }
    })

    it('follows a new name of its owner, and its own', async () => {
      const { owner, bot } = await ownerWithBot()
      const janitor = await startService('janitor', world.backing.env)
      const wanted = `n${randomUUID().slice(0, 8)}`
      for (const [from, to] of [
        [owner.name, wanted],
        [bot.name, `${bot.name}-2`],
      ] as const) {
        const asked = await world.ada.postJson(`/admin/people/${from}/rename`, { username: to })
        expect(asked.status).to.equal(202)
        await eventually(async () => {
          const { rows } = await db.query('select from users where username = $1', [to])
          expect(rows).to.have.length(1)
        })
      }
      await janitor.stop()
      expect(await listed(`${bot.name}-2`)).to.include({ owner: wanted })
      await bot.send('general', 'under another name')
    })

    it('is nobody’s only if it was made before: making and going exclude each other', async () => {
      await makers('members')
      for (let i = 0; i < 10; i++) {
        const owner = await somebody(world.api[i % 2]!.url).signUp()
        const username = freshName()
        const [made, gone] = await Promise.all([
          owner.postJson('/bots', { username }),
          i % 2
            ? world.ada.postJson(`/admin/people/${owner.name}/deactivate`, {})
            : owner.postJson('/delete_account', { type: 'soft', password: PASSWORD }),
        ])
        expect(gone.status).to.be.within(200, 302)
        if (made.status === 201) expect(await ownerOf(username)).to.equal('ada')
        else expect(await listed(username)).to.equal(undefined)
      }
    })
  })
})
