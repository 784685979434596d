import { randomBytes, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { readConfig } from '#shared/runtime/config.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { secretsUnder } from '#shared/stores/secrets.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { Program } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

interface Arrived {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

describe('outgoing hooks (interface 19.5)', function () {
  this.timeout(120_000)
  let world: World
  let db: pg.Client
  let server: Server
  let janitor: RunningService
  let previews: RunningService
  const arrived: Arrived[] = []
  /** Bodies of the responses by path. */
  const bodies: Record<string, string> = {}
  /** Paths that get no response; and those whose sender has given up waiting for it. */
  const silent = new Set<string>()
  const given: string[] = []
  /** Statuses of the next requests by path; 200 afterwards. */
  const answers: Record<string, number[]> = {}

  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'], hooks_allow: ['127.0.0.0/8'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    server = createServer(async (req, res) => {
      const chunks: Buffer[] = []
      for await (const chunk of req) chunks.push(chunk as Buffer)
      arrived.push({ path: req.url!, headers: req.headers, body: Buffer.concat(chunks).toString() })
      if (silent.has(req.url!)) return void res.on('close', () => given.push(req.url!))
      res.writeHead(answers[req.url!]?.shift() ?? 200).end(bodies[req.url!] ?? 'ok')
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { env } = world.backing
    ;[janitor, previews] = await Promise.all([startService('janitor', env), startService('previews', env)])
  })
  after(async () => {
    await Promise.all([janitor?.stop(), previews?.stop()])
    server?.close()
    server?.closeAllConnections()
    await db?.end()
    await world?.end()
  })

  const at = (path: string) => arrived.filter(one => one.path === path)
  const json = ({ body }: Arrived) => JSON.parse(body) as { type: string; data: Record<string, unknown> }
  const contents = (path: string) => at(path).map(one => json(one).data['content'])

  async function makeBot() {
    const username = `bot-${randomUUID().slice(0, 8)}`
    const response = await world.ada.postJson('/bots', { username })
    expect(response.status).to.equal(201)
    const { token } = (await response.json()) as { token: string }
    return new Program(username, world.ada.at, token)
  }

  async function makeHook(events: string[], more: Record<string, unknown> = {}) {
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    const bot = (more['bot'] as string | undefined) ?? (await makeBot()).name
    const path = `/${randomUUID()}`
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`
    const secrets = secretsUnder(readConfig(world.backing.env as unknown as NodeJS.ProcessEnv))
    const { rows } = await db.query<{ id: string }>(
      `select nextval(pg_get_serial_sequence('hooks_out', 'id')) as id`,
    )
    const id = Number(rows[0]!.id)
    await db.query(
      `insert into hooks_out (id, name, url, format, secret_enc, verify_token_enc, bot, events, channels, triggers,
                              include_bots, created_by, created_ts)
       overriding system value
       values ($1, 'hook', $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, extract(epoch from clock_timestamp()))`,
      [
        id,
        url,
        more['format'] ?? 'standard',
        secrets.seal(secret, `hooks_out:${id}:secret`),
        secrets.seal('verify me', `hooks_out:${id}:verify_token`),
        bot,
        events,
        more['channels'] ?? null,
        more['triggers'] ?? null,
        more['include_bots'] ?? false,
        more['created_by'] ?? 'ada',
      ],
    )
    return { id, path, secret, bot }
  }

  /** Lets the next try be due. */
  const due = (hook: number) =>
    db.query(
      `update deliveries set next_try_ts = 0 where target_id = $1 and state = 'waiting' and leased_until is null`,
      [hook],
    )
  const failingSince = async (hook: number) =>
    (await db.query('select failing_since from hooks_out where id = $1', [hook])).rows[0]?.failing_since
  const delivery = async (hook: number) =>
    (await db.query('select * from deliveries where target_id = $1', [hook])).rows[0]

  it('A5: are signed, keep their id over failed tries, and have a new time on each', async () => {
    const { id, path, secret } = await makeHook(['message.created'], { channels: ['general'] })
    answers[path] = [500, 404, 302]
    await world.ada.send('general', 'try me')
    for (const tries of [1, 2, 3]) {
      await eventually(async () => expect((await delivery(id))?.attempt).to.equal(tries))
      // A whole second, the unit of the header.
      await new Promise(resolve => setTimeout(resolve, 1_000))
      await due(id)
    }
    await eventually(async () => expect((await delivery(id))?.state).to.equal('sent'))
    expect(await delivery(id)).to.include({ attempt: 4, last_status: 200, last_error: null })
    const requests = at(path)
    expect(requests).to.have.length(4)
    expect(new Set(requests.map(({ headers }) => headers['webhook-id'])).size).to.equal(1)
    expect(new Set(requests.map(({ headers }) => headers['webhook-timestamp'])).size).to.equal(4)
    for (const { headers, body } of requests) {
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).to.be.an('object')
      const altered = () => new Webhook(secret).verify(`${body} `, headers as Record<string, string>)
      expect(altered).to.throw('No matching signature')
      expect(headers['user-agent']).to.match(/^bothy\//)
    }
    const { type, data } = json(requests[0]!)
    expect(type).to.equal('message.created')
    expect(data).to.include({ channel: 'general', sender: 'ada', content: 'try me' })
    await eventually(async () => expect(await failingSince(id)).to.equal(null))
  })

  it('have the same body on every try, also of a message edited meanwhile', async () => {
    const { id, path } = await makeHook(['message.created'], { channels: ['design'] })
    answers[path] = [500]
    const message = await world.bob.send('design', 'as it was sent')
    await eventually(async () => expect((await delivery(id))?.attempt).to.equal(1))
    await world.bob.edit(message, 'as it is now')
    await due(id)
    await eventually(() => expect(at(path)).to.have.length(2))
    expect(contents(path)).to.deep.equal(['as it was sent', 'as it was sent'])
    expect(at(path)[1]!.body).to.equal(at(path)[0]!.body)
  })

  it('A5: tell nothing of channels that their bot cannot read', async () => {
    const bot = await makeBot()
    const { path } = await makeHook(
      ['message.created', 'message.edited', 'member.joined', 'channel.created'],
      {
        bot: bot.name,
      },
    )
    const den = await world.privateChannel('den', [world.ada, world.bob])
    await world.ada.send(den, 'secret')
    await world.ada.send('dm:ada:bob', 'secret too')
    await world.ada.send('general', 'public')
    await eventually(() => expect(contents(path)).to.include('public'))
    expect((await world.ada.addMember(den, bot.name)).status).to.equal(204)
    await world.ada.send(den, 'with the bot')
    await world.ada.send(`dm:ada:${bot.name}`, 'to the bot')
    await eventually(() => expect(contents(path)).to.include.members(['with the bot', 'to the bot']))
    expect(
      at(path)
        .map(({ body }) => body)
        .join(),
    ).to.not.include('secret')
    expect(at(path).filter(one => json(one).type === 'channel.created')).to.deep.equal([])
  })

  it('A5: leave out messages of bots, and with them always those of their own', async () => {
    const [bot, other] = [await makeBot(), await makeBot()]
    const usual = await makeHook(['message.created'], { bot: bot.name })
    const all = await makeHook(['message.created'], { bot: bot.name, include_bots: true })
    await bot.send('design', 'mine')
    await other.send('design', 'of another bot')
    await world.bob.send('design', 'of a person')
    await eventually(() => expect(contents(all.path)).to.have.members(['of another bot', 'of a person']))
    await eventually(() => expect(contents(usual.path)).to.deep.equal(['of a person']))
  })

  it('tell of edits, deletions, reactions, and of a send with a trigger word alone', async () => {
    const kinds = [
      'message.created',
      'message.edited',
      'message.deleted',
      'reaction.added',
      'reaction.removed',
    ]
    const { path } = await makeHook(kinds, { triggers: ['deploy'] })
    await world.bob.send('general', 'deployed')
    const id = await world.bob.send('general', 'deploy now')
    await eventually(() => expect(contents(path)).to.deep.equal(['deploy now']))

    await world.ada.react(id, '👍')
    await world.ada.react(id, '👍')
    await world.bob.edit(id, 'deploy later')
    const types = () => at(path).map(one => json(one).type)
    await eventually(() =>
      expect(types()).to.include.members(['reaction.added', 'reaction.removed', 'message.edited']),
    )
    await world.bob.postForm(`/delete/${id}`, {})
    await eventually(() => expect(types()).to.include('message.deleted'))
    expect(at(path).filter(one => json(one).type === 'message.created')).to.have.length(1)
  })

  it('tell of people and audit entries only while their maker administers', async () => {
    const kinds = ['person.created', 'audit.entry']
    const ofAdmin = await makeHook(kinds)
    const ofMember = await makeHook(kinds, { created_by: 'bob' })
    await makeBot()
    await eventually(() =>
      expect(at(ofAdmin.path).map(one => json(one).data['action'])).to.include('bot.created'),
    )
    expect(at(ofMember.path)).to.deep.equal([])
  })

  it('give up what their bot or maker may no longer know', async () => {
    const bot = await makeBot()
    const den = await world.privateChannel('attic', [world.ada])
    expect((await world.ada.addMember(den, bot.name)).status).to.equal(204)
    const ofBot = await makeHook(['message.created'], { bot: bot.name })
    await db.query(`update users set role = 'admin' where username = 'bob'`)
    const ofMaker = await makeHook(['person.created', 'message.edited'], { created_by: 'bob' })
    answers[ofBot.path] = [500]
    answers[ofMaker.path] = [500]
    await world.ada.send(den, 'to the bot, for now')
    await somebody(world.api[0]!.url).signUp()
    for (const { id } of [ofBot, ofMaker])
      await eventually(async () => expect((await delivery(id))?.attempt).to.equal(1))
    const path = `/private_channels/${den.slice('private:'.length)}/remove_member`
    expect((await world.ada.postJson(path, { username: bot.name })).status).to.equal(204)
    await db.query(`update users set role = 'member' where username = 'bob'`)
    for (const { id, path } of [ofBot, ofMaker]) {
      await due(id)
      await eventually(async () => expect((await delivery(id)).state).to.equal('gone'))
      expect(await delivery(id)).to.include({ attempt: 1, last_error: 'no_access' })
      expect(at(path)).to.have.length(1)
      const { rows } = await db.query('select active from hooks_out where id = $1', [id])
      expect(rows).to.deep.equal([{ active: true }])
    }
  })

  it('give up what is deleted while it waits, and drop its content', async () => {
    const kinds = ['message.created', 'message.edited', 'message.deleted', 'reaction.added']
    const bot = await makeBot()
    const { id: hook, path } = await makeHook(kinds, { bot: bot.name, channels: ['design'] })
    answers[path] = Array.from({ length: 4 }, () => 500)
    const [deleted, erased] = [
      await world.bob.send('design', 'a secret'),
      await world.bob.send('design', 'an old secret'),
    ]
    const tried = async (count: number) =>
      eventually(async () => {
        const { rows } = await db.query(
          'select count(*)::integer as count from deliveries where target_id = $1 and attempt = 1',
          [hook],
        )
        expect(rows).to.deep.equal([{ count }])
      })
    await tried(2)
    await world.bob.edit(deleted, 'another secret')
    await world.ada.react(deleted, '👍')
    await tried(4)
    await world.bob.postForm(`/delete/${deleted}`, {})
    // As retention does.
    await db.query('delete from messages where id = $1', [erased])
    await eventually(() => expect(json(at(path).at(-1)!).type).to.equal('message.deleted'))
    await due(hook)
    const ended = async () =>
      (
        await db.query(
          `select event ->> 'type' as type, state, attempt, last_error, event::text as text
             from deliveries where target_id = $1 and last_error is not null order by 1`,
          [hook],
        )
      ).rows
    const isOver = async () => {
      const rows = await ended()
      expect(rows.map(({ type }) => type)).to.deep.equal([
        'message.created',
        'message.created',
        'message.edited',
        'reaction.added',
      ])
      for (const row of rows) expect(row).to.include({ state: 'gone', last_error: 'deleted' })
      expect(JSON.stringify(rows)).to.not.include('secret')
    }
    await eventually(isOver)
    expect(at(path)).to.have.length(5)

    // A try asked for by hand.
    await db.query(
      `update deliveries set state = 'waiting', next_try_ts = 0, last_error = null where target_id = $1 and state = 'gone'`,
      [hook],
    )
    await eventually(isOver)
    expect(at(path)).to.have.length(5)
  })

  it('give up what waits of a channel that is deleted', async () => {
    expect((await world.ada.postJson('/public_channels', { name: 'shed' })).status).to.be.within(200, 201)
    const { id, path } = await makeHook(['message.created'], { channels: ['shed'] })
    answers[path] = [500]
    await world.ada.send('shed', 'in the shed')
    await eventually(async () => expect((await delivery(id))?.attempt).to.equal(1))
    // As its deletion does first (services/api/channels/info/delete-for-good.ts).
    await db.query(`update channel_properties set made_here = false where channel = 'shed'`)
    await due(id)
    await eventually(async () => expect((await delivery(id)).state).to.equal('gone'))
    expect(await delivery(id)).to.include({ last_error: 'no_access' })
    expect(JSON.stringify((await delivery(id)).event)).to.not.include('in the shed')
    expect(at(path)).to.have.length(1)
  })

  it('tell of what a person did who was renamed before', async () => {
    const dora = await somebody(world.ada.at).signUp()
    const { path } = await makeHook(['member.joined', 'person.created', 'reaction.added'])
    const message = await world.bob.send('general', 'to react to')
    const renamed = `new-${dora.name}`
    expect(
      (await world.ada.postJson(`/admin/people/${dora.name}/rename`, { username: renamed })).status,
    ).to.equal(202)
    await eventually(async () => {
      const { rows } = await db.query('select from users where username = $1', [renamed])
      expect(rows).to.have.length(1)
    })
    // As their transactions left them before the account was renamed.
    const refs = [
      ['member.joined', { channel: 'general', username: dora.name }],
      ['person.created', { username: dora.name }],
      ['reaction.added', { message, emoji: '👍', username: dora.name }],
    ] as const
    for (const [kind, ref] of refs)
      await db.query(
        'insert into outgoing_events (kind, ref, ts) values ($1, $2, extract(epoch from clock_timestamp()))',
        [kind, JSON.stringify(ref)],
      )
    await eventually(() =>
      expect(at(path).map(one => [json(one).type, json(one).data['username']])).to.have.deep.members(
        refs.map(([kind]) => [kind, renamed]),
      ),
    )
  })

  it('tell nothing that happened before they were made', async () => {
    const dora = await somebody(world.ada.at).signUp()
    const { path } = await makeHook(['member.joined', 'member.left'])
    const ref = JSON.stringify({ channel: 'general', username: dora.name })
    // An event that no janitor has expanded since, and a later one.
    await db.query(
      `insert into outgoing_events (kind, ref, ts)
       values ('member.joined', $1, extract(epoch from clock_timestamp()) - 10),
              ('member.left', $1, extract(epoch from clock_timestamp()))`,
      [ref],
    )
    await eventually(() => expect(at(path).map(one => json(one).type)).to.deep.equal(['member.left']))
    const { rows } = await db.query('select from outgoing_events')
    expect(rows).to.have.length(0)
  })

  it('are disabled without an active bot, and without an administrator for events of administration', async () => {
    const why = async (id: number) =>
      (await db.query('select disabled_why from hooks_out where id = $1', [id])).rows[0].disabled_why
    const bot = await makeBot()
    const ofBot = await makeHook(['message.created'], { bot: bot.name })
    const ofMaker = await makeHook(['audit.entry'], { created_by: 'bob' })
    expect((await world.ada.postJson(`/bots/${bot.name}/deactivate`, {})).status).to.equal(204)
    await eventually(async () => expect(await why(ofBot.id)).to.equal('bot'), 20_000)
    await eventually(async () => expect(await why(ofMaker.id)).to.equal('person'), 20_000)
    const lines = (await world.ada.messages('dm:ada:system')).map(({ content }) => content)
    expect(lines.at(-1)).to.include('its bot is deactivated')
    const enable = async (id: number) =>
      (await world.ada.patchJson(`/hooks_out/${id}`, { active: true })).status
    expect([await enable(ofBot.id), await enable(ofMaker.id)]).to.deep.equal([409, 409])
    expect((await world.ada.postJson(`/bots/${bot.name}/reactivate`, {})).status).to.equal(204)
    expect(await enable(ofBot.id)).to.equal(204)
  })

  it('have their answer posted once by the bot, to messages of people alone', async () => {
    const [bot, other] = [await makeBot(), await makeBot()]
    const { id, path } = await makeHook(['message.created'], { bot: bot.name, include_bots: true })
    const posted = async () =>
      (await world.bob.messages('design')).filter(({ sender }) => sender === bot.name)
    bodies[path] = JSON.stringify({ text: 'Seen, @everyone', response_type: 'comment' })
    const message = await world.bob.send('design', 'answer me')
    await eventually(async () => expect(await posted()).to.have.length(1))
    expect((await posted())[0]).to.include({
      content: 'Seen, everyone',
      reply_to_id: message,
      mentions: null,
    })

    await eventually(async () => expect((await delivery(id)).state).to.equal('sent'))
    // A crash before the outcome was written.
    await db.query(
      `update deliveries set state = 'waiting', next_try_ts = 0, done_ts = null, last_status = null where target_id = $1`,
      [id],
    )
    await eventually(() => expect(at(path)).to.have.length(2))
    await other.send('design', 'of a bot')
    await eventually(() => expect(contents(path)).to.include('of a bot'))
    bodies[path] = JSON.stringify({ attachments: [{ title: 'Build' }] })
    await world.bob.send('design', 'and again')
    await eventually(async () => expect(await posted()).to.have.length(2))
    expect((await posted())[1]).to.include({ content: 'Build', reply_to_id: null })
  })

  it('A5: have the fields of Slack’s outgoing hooks in that format', async () => {
    const { path } = await makeHook(['message.created'], { format: 'slack', triggers: ['deploy'] })
    await world.bob.send('general', 'deploy to production')
    await eventually(() => expect(at(path)).to.have.length(1))
    const form = new URLSearchParams(at(path)[0]!.body)
    expect(at(path)[0]!.headers).to.include({ 'content-type': 'application/x-www-form-urlencoded' })
    expect(Object.fromEntries(form)).to.include({
      token: 'verify me',
      channel_id: 'general',
      channel_name: 'general',
      user_id: 'bob',
      user_name: 'bob',
      text: 'deploy to production',
      trigger_word: 'deploy',
      file_ids: '',
    })
    expect(form.get('timestamp')).to.match(/^\d+$/)
    expect([...form.keys()]).to.include.members(['team_id', 'team_domain', 'post_id'])
  })

  it('reach every hook, in batches of bounded deliveries', async () => {
    const bot = await makeBot()
    const hooks = await Promise.all(
      Array.from({ length: 60 }, () =>
        makeHook(['message.created'], { bot: bot.name, channels: ['design'], created_by: 'bob' }),
      ),
    )
    await janitor.stop()
    const texts = Array.from({ length: 40 }, (_, i) => `to all ${i}`)
    for (const text of texts) await world.bob.send('design', text)
    janitor = await startService('janitor', world.backing.env)
    const ids = hooks.map(({ id }) => id)
    await eventually(async () => {
      const { rows } = await db.query(
        `select count(*)::integer as count, count(distinct event ->> 'data')::integer as texts
           from deliveries where target_id = any($1)`,
        [ids],
      )
      expect(rows).to.deep.equal([{ count: 60 * 40, texts: 40 }])
    }, 60_000)
    // All of the same moment are of one batch.
    const { rows } = await db.query<{ most: number }>(
      `select max(count)::integer as most
         from (select count(*) from deliveries where target_id = any($1) group by created_ts) batch`,
      [ids],
    )
    expect(rows[0]!.most).to.be.within(60, 2_000)
    await db.query('delete from hooks_out where id = any($1)', [ids])
  })

  it('arrive while all receivers of another person are silent', async () => {
    const bot = await makeBot()
    const ofAda = await Promise.all(
      Array.from({ length: 10 }, () =>
        makeHook(['message.created'], { bot: bot.name, channels: ['design'] }),
      ),
    )
    const paths = ofAda.map(({ path }) => path)
    for (const path of paths) silent.add(path)
    for (let i = 0; i < 4; i++) await world.ada.send('design', `to the silent ${i}`)
    const waiting = () => paths.flatMap(at)
    await eventually(() => expect(waiting()).to.have.length(6))
    const { path } = await makeHook(['message.created'], { created_by: 'bob', channels: ['design'] })
    await world.ada.send('design', 'to bob')
    await eventually(() => expect(contents(path)).to.deep.equal(['to bob']))
    expect(given).to.deep.equal([])
    expect(waiting()).to.have.length(6)
    await db.query('delete from hooks_out where id = any($1)', [ofAda.map(({ id }) => id)])
  })

  it('A5: are disabled by 410, with a line to the maker', async () => {
    const { id, path } = await makeHook(['message.created'])
    answers[path] = [410]
    await world.bob.send('general', 'gone')
    await eventually(async () => {
      const { rows } = await db.query('select active, disabled_why from hooks_out where id = $1', [id])
      expect(rows).to.deep.equal([{ active: false, disabled_why: 'gone' }])
    })
    expect((await delivery(id)).state).to.equal('gone')
    const lines = (await world.ada.messages('dm:ada:system')).map(({ content }) => content)
    expect(lines.at(-1)).to.include('is disabled')
  })

  it('are disabled by a delivery that fails for good after three days of failures', async () => {
    const { id, path } = await makeHook(['message.created'])
    answers[path] = [500, 500]
    await world.bob.send('general', 'failing')
    await eventually(async () => expect((await delivery(id))?.attempt).to.equal(1))
    // Written after the outcome of the try.
    await eventually(async () => expect(await failingSince(id)).to.be.a('number'))
    await db.query('update hooks_out set failing_since = failing_since - 260000 where id = $1', [id])
    await db.query('update deliveries set attempt = 7 where target_id = $1', [id])
    await due(id)
    await eventually(async () => {
      const { rows } = await db.query('select disabled_why from hooks_out where id = $1', [id])
      expect(rows).to.deep.equal([{ disabled_why: 'failing' }])
    })
    expect((await delivery(id)).state).to.equal('failed')
  })

  it('wait without a failed try while no worker is there', async () => {
    const { id } = await makeHook(['message.created'], { channels: ['design'] })
    await previews.stop()
    await world.bob.send('design', 'nobody sends me')
    await eventually(async () => expect(await delivery(id)).to.include({ state: 'waiting', attempt: 0 }))
    previews = await startService('previews', world.backing.env)
    await eventually(async () => expect(await delivery(id)).to.include({ state: 'sent', attempt: 1 }), 40_000)
    expect(await failingSince(id)).to.equal(null)
  })

  it('wait without a failed try when Redis loses their request', async () => {
    const { id, path } = await makeHook(['message.created'], { channels: ['design'] })
    await db.query('update hooks_out set active = false where id <> $1', [id])
    await previews.stop()
    const redis = new Redis(world.backing.env.REDIS_URL)
    const keys = keysWith(world.backing.env.REDIS_PREFIX)
    try {
      // As if the worker had ended a moment ago.
      await redis.set(keys.outgoingWorker(), 1)
      await world.bob.send('design', 'lost on the way')
      await eventually(async () => {
        // A request of an earlier test may still be on its way.
        for (const key of await redis.keys(keys.outgoing('*')))
          if ((await redis.get(key))?.includes(path)) return redis.del(key)
        throw new Error('no request')
      })
      await eventually(async () =>
        expect(await delivery(id)).to.include({ state: 'waiting', attempt: 0, last_error: 'lost' }),
      )
    } finally {
      await redis.del(keys.outgoingWorker())
      redis.disconnect()
      previews = await startService('previews', world.backing.env)
    }
    await eventually(async () => expect(await delivery(id)).to.include({ state: 'sent', attempt: 1 }), 40_000)
    expect(await failingSince(id)).to.equal(null)
  })

  it('have their secrets under the new key once that of the sessions has changed', async () => {
    const { id, path, secret } = await makeHook(['message.created'], { channels: ['design'] })
    const env = world.backing.env as unknown as Record<string, string>
    const key = 'n'.repeat(40)
    await janitor.stop()
    janitor = await startService('janitor', {
      ...env,
      ...{ SESSION_SECRET: key, SESSION_SECRET_PREVIOUS: env['SESSION_SECRET'] },
    })
    await world.bob.send('design', 'under a new key')
    await eventually(() => expect(contents(path)).to.include('under a new key'))
    const { rows } = await db.query('select secret_enc, verify_token_enc from hooks_out where id = $1', [id])
    const renewed = secretsUnder({
      ...{ secretsKey: undefined, sessionSecret: key, previousSessionSecret: undefined },
    })
    expect(renewed.open(rows[0].secret_enc, `hooks_out:${id}:secret`)).to.equal(secret)
    expect(renewed.open(rows[0].verify_token_enc, `hooks_out:${id}:verify_token`)).to.equal('verify me')
  })

  it('write no events while no hook listens', async () => {
    await db.query('update hooks_out set active = false')
    await janitor.stop()
    await world.bob.send('general', 'unheard')
    expect(
      (await db.query(`select from outgoing_events where ref ->> 'word' = 'unheard'`)).rows,
    ).to.deep.equal([])
    janitor = await startService('janitor', world.backing.env)
  })

  it('lose nothing when the janitor and the worker are killed', async () => {
    const { path } = await makeHook(['message.created'], { channels: ['design'] })
    const texts = Array.from({ length: 30 }, (_, i) => `under fire ${i}`)
    for (const [i, text] of texts.entries()) {
      await world.bob.send('design', text)
      if (i === 8) {
        await janitor.kill()
        janitor = await startService('janitor', world.backing.env)
      }
      if (i === 16) {
        await previews.kill()
        previews = await startService('previews', world.backing.env)
      }
    }
    await eventually(() => expect(new Set(contents(path))).to.include.keys(...texts), 80_000)
  })
})
