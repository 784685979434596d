import { createHmac, randomUUID } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import pg from 'pg'
import type {
  CommandAnswerPayload,
  CommandPayload,
  MadeCommandPayload,
} from '#shared/domain/payloads/commands.ts'
import type { InboxPayload } from '#shared/domain/payloads/inbox.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { runAdmin } from '#shared/test-kit/admin-command.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

interface Received {
  headers: IncomingHttpHeaders
  body: string
  fields: Record<string, string>
}

describe('a command of the workspace that somebody gives (interface 19.6)', function () {
  this.timeout(60_000)
  let world: World
  let db: pg.Client
  let worker: RunningService
  let gateway: RunningService
  let made: MadeCommandPayload
  let url: string
  const received: Received[] = []
  const tokens: string[] = []
  let answer: {
    status?: number
    type?: string
    body?: string
    never?: boolean
    meanwhile?: () => Promise<void>
  } = {}
  const program = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const token = /answer%2F([0-9a-f]{40})/.exec(body)?.[1]
    if (token !== undefined) tokens.push(token)
    received.push({ headers: req.headers, body, fields: Object.fromEntries(new URLSearchParams(body)) })
    const { status = 200, type = 'application/json', body: text = '', never, meanwhile } = answer
    await meanwhile?.()
    if (!never) res.writeHead(status, { 'Content-Type': type }).end(text)
  })

  before(async () => {
    await new Promise<void>(resolve => program.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(program.address() as AddressInfo).port}/run?key=k`
    world = await newWorld({
      settings: { channels: ['general'], hooks_allow: ['127.0.0.0/8'], max_message_chars: 100_000 },
      env: { LOG_LEVEL: 'info' },
    })
    worker = await startService('previews', world.backing.env)
    gateway = await startService('events', world.backing.env)
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    await world.ada.postJson('/bots', { username: 'deploy-bot' })
    const command = { name: 'deploy', url, bot: 'deploy-bot' }
    made = (await (await world.ada.postJson('/commands', command)).json()) as MadeCommandPayload
  })
  after(async () => {
    program.close()
    program.closeAllConnections()
    await worker?.stop()
    await gateway?.stop()
    await db?.end()
    await world?.end()
  })
  beforeEach(() => {
    received.length = 0
    answer = {}
  })

  const give = (by: Person, text: string, { channel = 'general', ...more }: Record<string, unknown> = {}) =>
    by.postJson(`/command/${channel}`, { text, ...more })
  const says = (...payload: object[]) => {
    answer = { body: JSON.stringify(payload[0]) }
  }
  const refusalOf = async (response: Response) => {
    const { request_id, ...rest } = (await response.json()) as Record<string, unknown>
    expect(request_id).to.be.a('string')
    return [response.status, rest]
  }
  const NO_ANSWER = [502, { error: '/deploy did not answer.', code: 'unavailable' }]
  const messages = (channel = 'general') =>
    world.ada.get<MessagePayload[]>(`/messages/${channel}?limit=50&extra=1`)
  const contents = async () => (await messages()).map(({ content }) => content)
  const last = async () => (await messages()).at(-1)!

  it('A6: reaches its program with the fields and both signatures', async () => {
    const parent = await world.bob.send('general', 'deploy?')
    const response = await give(world.bob, '/Deploy  prod  now ', { reply_to_id: parent })
    expect([response.status, await response.text()]).to.deep.equal([204, ''])
    const [{ headers, body, fields }] = received as [Received]
    const { response_url, trigger_id, ...rest } = fields
    const { host } = new URL(response_url!)
    expect(rest).to.deep.equal({
      ...{ command: '/deploy', text: 'prod  now', user_id: 'bob', user_name: 'bob' },
      ...{ channel_id: 'general', channel_name: 'general', team_id: host, team_domain: host },
      token: made.verify_token,
    })
    expect(response_url).to.match(/^https?:\/\/[^/]+\/hooks\/answer\/[0-9a-f]{40}$/)
    expect(trigger_id).to.match(/^[0-9a-f-]{36}$/)
    expect(headers['content-type']).to.equal('application/x-www-form-urlencoded')
    expect(headers.authorization).to.equal(`Token ${made.verify_token}`)
    const ts = headers['x-slack-request-timestamp'] as string
    expect(Number(ts)).to.be.closeTo(Date.now() / 1_000, 10)
    const sign = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text)
    expect(headers['x-slack-signature']).to.equal(
      `v0=${sign(made.secret!, `v0:${ts}:${body}`).digest('hex')}`,
    )
    const key = Buffer.from(made.secret!.slice('whsec_'.length), 'base64')
    expect(headers['webhook-timestamp']).to.equal(ts)
    expect(headers['webhook-signature']).to.equal(
      `v1,${sign(key, `${headers['webhook-id'] as string}.${ts}.${body}`).digest('base64')}`,
    )
  })

  it('A6: has an answer for its person alone, which is no message', async () => {
    const before = await contents()
    says({
      text: 'Which *branch*, <@bob>?',
      attachments: [{ title: 'Branches', title_link: 'https://a.example/', color: 'good' }],
    })
    const response = await give(world.bob, '/deploy')
    expect(response.status).to.equal(200)
    const { ephemeral } = (await response.json()) as CommandAnswerPayload
    expect(ephemeral.content).to.equal('Which *branch*, @bob?\n\n[Branches](https://a.example/)')
    expect(ephemeral.cards).to.deep.equal([{ color: 'good', title: 'Branches', url: 'https://a.example/' }])
    expect(ephemeral.content.slice(ephemeral.cards_at)).to.equal('[Branches](https://a.example/)')
    answer = { type: 'text/plain', body: 'plain & simple' }
    const plain = (await (await give(world.bob, '/deploy')).json()) as CommandAnswerPayload
    expect(plain.ephemeral).to.deep.equal({ content: 'plain & simple', cards: [], cards_at: 14 })
    expect(await contents()).to.deep.equal(before)
  })

  it('A6: has an answer that its bot posts, as a reply where it was one', async () => {
    const parent = await world.bob.send('general', 'and now?')
    says({
      response_type: 'in_channel',
      text: 'Deployed <!channel>',
      extra_responses: [{ text: 'For you' }, { response_type: 'in_channel', text: 'And tested' }],
    })
    const response = await give(world.bob, '/deploy prod', { reply_to_id: parent })
    const { ephemeral } = (await response.json()) as CommandAnswerPayload
    expect(ephemeral.content).to.equal('For you')
    const posted = (await messages()).slice(-2)
    expect(posted.map(({ sender, content, mentions }) => [sender, content, mentions])).to.deep.equal([
      ['deploy-bot', 'Deployed everyone', null],
      ['deploy-bot', 'And tested', null],
    ])
    expect(posted.every(({ reply_to_id }) => reply_to_id === parent)).to.equal(true)
  })

  it('has its answer shown to its person where the bot may not write', async () => {
    const den = await world.privateChannel('den', [world.bob, world.ada])
    says({ response_type: 'in_channel', text: 'Deployed' })
    const response = await give(world.bob, '/deploy', { channel: den })
    expect(((await response.json()) as CommandAnswerPayload).ephemeral.content).to.equal('Deployed')
    expect(received[0]!.fields).to.include({ channel_id: den, channel_name: 'den' })
    await give(world.bob, '/deploy', { channel: 'dm:ada:bob' })
    expect(received[1]!.fields).to.include({ channel_id: 'dm:ada:bob', channel_name: 'dm:ada:bob' })
  })

  it('A6: is 502 without a usable answer in time', async () => {
    const started = performance.now()
    answer = { never: true }
    expect(await refusalOf(await give(world.bob, '/deploy'))).to.deep.equal(NO_ANSWER)
    expect(performance.now() - started).to.be.within(2_900, 4_000)
    for (const bad of [
      { status: 500, body: '{"text":"x"}' },
      { status: 302, body: '' },
      { body: '{"text"' },
      { body: '[]' },
      { body: '{"text":{}}' },
      { body: `{"text":"${'x'.repeat(20_000)}"}` },
    ]) {
      answer = bad
      expect(await refusalOf(await give(world.bob, '/deploy')), bad.body.slice(0, 20)).to.deep.equal(
        NO_ANSWER,
      )
    }
  })

  it('tells administrators when it was used and why it failed', async () => {
    const listed = async (viewer = world.ada) =>
      (await viewer.get<CommandPayload[]>('/commands')).find(({ name }) => name === 'deploy')!
    for (const [bad, why] of [
      [{ status: 503 }, 'status_503'],
      [{ body: '[]' }, 'invalid_payload'],
      [{}, null],
    ] as const) {
      answer = bad
      await give(world.bob, '/deploy')
      const { last_used_ts, last_error } = await listed()
      expect(last_used_ts).to.be.closeTo(Date.now() / 1_000, 60)
      expect(last_error).to.equal(why)
    }
    expect(await listed(world.bob)).to.have.all.keys('name', 'description', 'usage')
  })

  it('is 502 where its address is not allowed', async () => {
    for (const inside of ['http://10.1.2.3/', 'http://[::1]:1/', 'http://localhost:22/']) {
      await world.ada.patchJson('/commands/deploy', { url: inside })
      expect(await refusalOf(await give(world.bob, '/deploy')), inside).to.deep.equal(NO_ANSWER)
      const [row] = await world.ada.get<CommandPayload[]>('/commands')
      expect(row!.last_error).to.equal('refused_address')
    }
    await world.ada.patchJson('/commands/deploy', { url })
  })

  it('is refused where its person may not write, and without a command of that name', async () => {
    const den = await world.privateChannel('cellar', [world.ada, world.bob])
    const cases: [Response, number, string][] = [
      [await give(world.mallory, '/deploy', { channel: den }), 404, 'not_found'],
      [await give(world.bob, '/nothing'), 404, 'not_found'],
      [await give(world.bob, 'deploy'), 400, 'invalid'],
      [await give(world.bob, '/'), 400, 'invalid'],
      [await give(world.bob, `/deploy ${'x'.repeat(100_001)}`), 413, 'too_large'],
      [await give(world.bob, `/deploy ${'🎉'.repeat(20_000)}`), 413, 'too_large'],
      [await give(world.bob, '/deploy', { reply_to_id: 'x' }), 400, 'required'],
    ]
    await world.ada.patchJson('/channel_info/general', { posting: 'managers' })
    cases.push([await give(world.bob, '/deploy'), 403, 'forbidden'])
    await world.ada.patchJson('/channel_info/general', { posting: 'everyone' })
    for (const [response, status, code] of cases) {
      const [found, body] = (await refusalOf(response)) as [number, { code: string }]
      expect([found, body.code]).to.deep.equal([status, code])
    }
    expect(received).to.deep.equal([])
  })

  it('is sent once for a client id, also where its answer got lost', async () => {
    says({ text: 'once' })
    const client_id = randomUUID()
    const both = await Promise.all([
      give(world.bob, '/deploy', { client_id }),
      give(world.bob, '/deploy', { client_id }),
    ])
    expect(both.map(({ status }) => status).toSorted()).to.deep.equal([200, 204])
    expect((await give(world.bob, '/deploy', { client_id })).status).to.equal(204)
    expect(received).to.have.length(1)
    const { rows } = await db.query('select body from made_once where client_id = $1', [client_id])
    expect(rows).to.deep.equal([{ body: null }])
  })

  it('A6: has late answers, five within half an hour', async () => {
    await give(world.bob, '/deploy')
    const { response_url } = received[0]!.fields
    const path = new URL(response_url!).pathname
    const late = async (body: string, type = 'application/json') => {
      const response = await fetch(world.api[0]!.url + path, {
        method: 'POST',
        headers: { 'Content-Type': type },
        body,
      })
      return [response.status, await response.text()]
    }
    const inChannel = (text: string) => JSON.stringify({ response_type: 'in_channel', text })
    for (const [body, ...expected] of [
      ['{"text"', 400, 'invalid_payload'],
      ['', 400, 'no_text'],
      ['{"attachments":[]}', 400, 'no_text'],
      ['{"blocks":"none"}', 400, 'invalid_payload'],
      ['x'.repeat(300_000), 413, 'payload_too_large'],
    ] as const)
      expect(await late(body), body.slice(0, 9)).to.deep.equal(expected)
    for (let use = 1; use <= 5; use++) expect(await late(inChannel(`late ${use}`))).to.deep.equal([200, 'ok'])
    expect(await late(inChannel('late 6'))).to.deep.equal([404, 'no_service'])
    expect(await last()).to.include({ sender: 'deploy-bot', content: 'late 5' })
    expect(
      (await fetch(`${world.api[0]!.url}/hooks/answer/${'0'.repeat(40)}`, { method: 'POST' })).status,
    ).to.equal(404)
  })

  it('has late answers for its person alone in the inbox', async () => {
    const before = await contents()
    const { bob, ada } = world
    const { unread } = await bob.get<InboxPayload>('/inbox')
    const tab = await openTab(gateway.url, bob.cookie, { deltas: ['inbox'] })
    await give(bob, '/deploy')
    const path = new URL(received[0]!.fields['response_url']!).pathname
    const late = (body: string) => fetch(world.api[0]!.url + path, { method: 'POST', body })
    expect((await late('{"text":"Done, <@bob>", "attachments":[{"title":"Log"}]}')).status).to.equal(200)
    await tab.waitFor(({ last }) => last.inbox?.unread === unread + 1)
    tab.close()
    const inbox = async (person: Person) => (await person.get<InboxPayload>('/inbox?kind=command')).items
    const [item, ...more] = await inbox(bob)
    expect(more).to.deep.equal([])
    const { id, ts, ...rest } = item!
    expect(id).to.match(/^c\d+$/)
    expect(ts).to.be.closeTo(Date.now() / 1_000, 10)
    expect(rest).to.deep.equal({
      ...{ kind: 'command', channel: 'general', message_id: null, root_id: null, command: 'deploy' },
      ...{ actors: ['deploy-bot'], count: 1, content: 'Done, @bob\n\nLog', read: false },
    })
    expect(await inbox(ada)).to.deep.equal([])
    await ada.postJson('/inbox/read', { ids: [id] })
    expect((await inbox(bob))[0]!.read, 'read by somebody else').to.equal(false)
    await bob.postJson('/inbox/read', { ids: [id] })
    expect((await inbox(bob))[0]!.read).to.equal(true)
    expect((await bob.get<InboxPayload>('/inbox')).unread).to.equal(unread)
    expect(await contents()).to.deep.equal(before)
    await db.query('update command_answers set ts = ts - 24 * 3600')
    expect(await inbox(bob)).to.deep.equal([])
    await db.query(
      `insert into command_answers (username, channel, command, content, ts)
       select 'bob', 'general', 'deploy', 'x', extract(epoch from now()) from generate_series(1, 60)`,
    )
    expect((await late('{"text":"newest"}')).status).to.equal(200)
    const { rows } = await db.query('select count(*)::int as count from command_answers')
    expect(rows).to.deep.equal([{ count: 50 }])
    expect((await inbox(bob))[0]!.content).to.equal('newest')
  })

  it('has no late answers once it is removed', async () => {
    const command = { name: 'brief', url, bot: 'deploy-bot' }
    await world.ada.postJson('/commands', command)
    await give(world.bob, '/brief')
    const path = new URL(received[0]!.fields['response_url']!).pathname
    await world.ada.fetch('/commands/brief', { method: 'DELETE' })
    await world.ada.postJson('/commands', command)
    const response = await fetch(world.api[0]!.url + path, { method: 'POST', body: '{"text":"x"}' })
    expect([response.status, await response.text()]).to.deep.equal([404, 'no_service'])
  })

  const make = async (name: string) =>
    expect((await world.ada.postJson('/public_channels', { name })).status).to.equal(201)

  it('has no answer in another channel that got the id of a deleted one meanwhile', async () => {
    const channel = 'yard'
    await make(channel)
    answer = {
      body: JSON.stringify({ response_type: 'in_channel', text: 'of the former yard' }),
      // Stands for the owner's command and a new channel, which take longer than an answer may.
      async meanwhile() {
        await db.query('update channel_properties set created_ts = created_ts + 1 where channel = $1', [
          channel,
        ])
      },
    }
    const given = await give(world.bob, '/deploy', { channel })
    const { ephemeral } = (await given.json()) as CommandAnswerPayload
    expect(ephemeral.content).to.equal('of the former yard')
    expect((await messages(channel)).map(({ content }) => content)).to.not.include('of the former yard')
  })

  it('has no late answers in another channel that got the id of a deleted one', async () => {
    const { ada, bob } = world
    const channel = 'shed'
    const late = async (path: string) => {
      const body = JSON.stringify({ response_type: 'in_channel', text: 'late' })
      const response = await fetch(world.api[0]!.url + path, { method: 'POST', body })
      return [response.status, await response.text()]
    }
    const pathAfter = async () => {
      received.length = 0
      await give(bob, '/deploy', { channel })
      return new URL(received[0]!.fields['response_url']!).pathname
    }
    await make(channel)
    const path = await pathAfter()
    expect(await late(path)).to.deep.equal([200, 'ok'])
    expect((await ada.postForm(`/channel_info/${channel}/archive`)).status).to.equal(204)
    const { stdout } = await runAdmin(world.backing.env, ['delete-channel', channel], async () => channel)
    expect(stdout).to.include('are deleted')
    expect(await late(path)).to.deep.equal([404, 'no_service'])
    await make(channel)
    expect(await late(path)).to.deep.equal([404, 'no_service'])
    expect((await messages(channel)).map(({ content }) => content)).to.not.include('late')
    expect(await late(await pathAfter())).to.deep.equal([200, 'ok'])
  })

  it('is 502 in time when the worker is killed meanwhile, and 502 at once without one', async () => {
    answer = { never: true }
    const started = performance.now()
    const given = give(world.bob, '/deploy')
    await eventually(() => expect(received).to.have.length(1))
    await worker.kill()
    expect(await refusalOf(await given)).to.deep.equal(NO_ANSWER)
    expect(performance.now() - started).to.be.below(4_000)
    const client_id = randomUUID()
    expect(await refusalOf(await give(world.bob, '/deploy', { client_id }))).to.deep.equal(NO_ANSWER)
    worker = await startService('previews', world.backing.env)
    says({ text: 'again' })
    await eventually(async () => {
      const response = await give(world.bob, '/deploy', { client_id })
      expect(response.status, 'what was not sent may be repeated').to.equal(200)
    })
    expect(received).to.have.length(2)
  })

  it('has its secrets under the new key once that of the sessions has changed', async () => {
    const sealed = async () =>
      (await db.query(`select secret_enc, verify_token_enc from slash_commands where name = 'deploy'`))
        .rows[0]
    const before = await sealed()
    const { env } = world.backing as unknown as { env: Record<string, string> }
    const keys = { SESSION_SECRET: 'n'.repeat(40), SESSION_SECRET_PREVIOUS: env['SESSION_SECRET'] }
    const renewed = await startService('api', { ...env, ...keys })
    const bob = await somebody(renewed.url).signUp()
    expect((await give(bob, '/deploy')).status).to.equal(204)
    expect(received[0]!.headers.authorization).to.equal(`Token ${made.verify_token}`)
    const after = await sealed()
    expect(after.secret_enc.equals(before.secret_enc)).to.equal(false)
    expect(after.verify_token_enc.equals(before.verify_token_enc)).to.equal(false)
    expect((await give(bob, '/deploy')).status).to.equal(204)
    expect(await sealed()).to.deep.equal(after)
    expect(await renewed.stop()).to.equal(0)
    expect(await refusalOf(await give(world.bob, '/deploy')), 'a process without the new key').to.deep.equal(
      NO_ANSWER,
    )
  })

  it('leaves no secret in the log', () => {
    const [{ output }] = world.api as [RunningService]
    expect(output()).to.include('"route":"/hooks/answer/:token"')
    for (const secret of [made.secret!, made.verify_token!, 'key=k', ...tokens]) {
      expect(output()).to.not.include(secret)
      expect(worker.output()).to.not.include(secret)
    }
  })
})
