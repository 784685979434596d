import { randomUUID } from 'node:crypto'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { Program, programOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import type { ShownMessage } from './shown-message.ts'
import { TOOLS } from './tools.ts'

type Json = Record<string, unknown>
interface Page {
  messages: ShownMessage[]
  next_before: number | null
}
interface Channels {
  you: string
  channels: { id: string; kind: string; name?: string; joined: boolean; permalink: string }[]
}
interface News {
  until: number
  for_you: { kind: string; channel: string; text: string; message_id: number }[]
  messages: ShownMessage[]
  total: number
}

const READING = ['search', 'read_channel', 'read_thread', 'list_channels', 'who', 'catch_up']
const HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

/** The client of the SDK. It checks results by the `outputSchema` of each tool. */
async function clientOf({ at, token }: Program): Promise<Client> {
  const client = new Client({ name: 'assistant', version: '1.0.0' })
  const headers = { Authorization: `Bearer ${token}` }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${at}/mcp`), { requestInit: { headers } }))
  await client.listTools()
  return client
}

const resultOf = async (client: Client, name: string, args: Json = {}) =>
  (await client.callTool({ name, arguments: args })) as CallToolResult

const sentenceOf = ({ content: [first] }: CallToolResult) => (first?.type === 'text' ? first.text : '')

async function call<T>(client: Client, name: string, args: Json = {}): Promise<T> {
  const result = await resultOf(client, name, args)
  expect(result.isError ?? false, sentenceOf(result)).to.equal(false)
  expect(JSON.parse(sentenceOf(result)), 'the text for older clients').to.deep.equal(result.structuredContent)
  return result.structuredContent as unknown as T
}

async function refusal(client: Client, name: string, args: Json = {}): Promise<string> {
  const result = await resultOf(client, name, args)
  expect(result.isError, `${name} ${JSON.stringify(args).slice(0, 100)}`).to.equal(true)
  return sentenceOf(result)
}

async function botOf(owner: Person, draft: Json): Promise<Program> {
  const response = await owner.postJson('/bots', draft)
  expect(response.status).to.equal(201)
  const { username, token } = (await response.json()) as { username: string; token: string }
  return new Program(username, owner.at, token)
}

describe('POST /mcp (interface 19.9)', () => {
  let world: World
  let bell: Client
  let bot: Program
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'], mcp_enabled: true } })
    bot = await botOf(world.ada, { username: 'bell' })
    bell = await clientOf(bot)
  })
  after(() => world.end())

  const post = (who: Person, body: unknown, headers: Record<string, string> = {}) =>
    who.fetch('/mcp', {
      method: 'POST',
      headers: { ...HEADERS, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const idsOf = ({ channels }: Channels) => channels.map(({ id }) => id)
  const textsOf = ({ messages }: { messages: ShownMessage[] }) => messages.map(({ text }) => text)

  it("A9: is understood by the SDK's client: it initialises, lists and calls", async () => {
    expect(bell.getServerVersion()?.name).to.equal('bothy')
    expect(bell.getInstructions()).to.include('never instructions')
    const { tools } = await bell.listTools()
    expect(tools.map(({ name }) => name)).to.have.members([...READING, 'send'])
    for (const { name, annotations, outputSchema } of tools) {
      expect(annotations?.readOnlyHint, name).to.equal(name !== 'send')
      expect(outputSchema?.type, name).to.equal('object')
    }

    const { ada, bob } = world
    const root = await bob.send('general', 'the *harbour* plan, @bell')
    const reply = await ada.send('general', 'agreed', { reply_to_id: String(root) })
    const found = await call<Page & { total: number; ignored: string[] }>(bell, 'search', {
      query: 'harbour from:bob from:nobody',
    })
    expect([found.total, found.ignored]).to.deep.equal([1, ['from:nobody']])
    expect(found.messages[0]).to.include({
      id: root,
      channel: 'general',
      sender: 'bob',
      text: 'the *harbour* plan, @bell',
    })
    expect(found.messages[0]?.permalink).to.match(new RegExp(`^http://.+/m/${root}$`))

    const page = await call<Page>(bell, 'read_channel', { channel: '#general' })
    const [first, second] = page.messages.slice(-2)
    expect([first?.id, first?.replies, second?.id, second?.thread]).to.deep.equal([root, 1, reply, root])
    const older = await call<Page>(bell, 'read_channel', { channel: 'general', before: reply })
    expect([older.messages.at(-1)?.id, older.next_before]).to.deep.equal([root, null])
    expect(textsOf(await call<Page>(bell, 'read_thread', { id: reply }))).to.deep.equal([
      'the *harbour* plan, @bell',
      'agreed',
    ])

    const channels = await call<Channels>(bell, 'list_channels')
    expect(channels.you).to.equal('bell')
    expect(idsOf(channels)).to.have.members(['general', 'design'])
    expect(channels.channels[0]?.permalink).to.match(/^http:.+\/#\/c\/general$/)

    await ada.patchJson('/me', { title: 'Harbour master' })
    const people = async (q: string) =>
      (await call<{ people: { username: string }[] }>(bell, 'who', { q })).people.map(one => one.username)
    expect(await people('harbour')).to.deep.equal(['ada'])
    expect(await people('@B')).to.deep.equal(['bell', 'bob', 'ada'])
    expect(await people('')).to.include.members(['ada', 'bob', 'cleo', 'mallory', 'bell'])

    const sent = await call<{ id: number; channel: string; permalink: string }>(bell, 'send', {
      channel: '@bob',
      text: 'Done.',
    })
    expect(sent.channel).to.equal('dm:bell:bob')
    expect(sent.permalink).to.match(new RegExp(`/m/${sent.id}$`))
    expect((await bob.messages('dm:bell:bob')).at(-1)?.content).to.equal('Done.')
  })

  it('tells what is new since a time, own messages and muted channels left out', async () => {
    const { bob, cleo } = world
    const { until } = await call<News>(bell, 'catch_up', { since: 0 })
    await bob.send('general', 'news for @bell')
    await cleo.send('design', 'in a muted channel')
    await bob.send('dm:bell:bob', 'a question')
    await bot.mute('design', { muted_until: 'forever' })
    await call(bell, 'send', { channel: 'general', text: 'mine' })
    const news = await call<News>(bell, 'catch_up', { since: until })
    expect(textsOf(news)).to.deep.equal(['news for @bell', 'a question'])
    expect(news.total).to.equal(2)
    expect(news.for_you.map(({ kind, text }) => [kind, text])).to.deep.equal([['mention', 'news for @bell']])
    const none = await call<News>(bell, 'catch_up', { since: news.until + 1_000 })
    expect([none.for_you, none.messages, none.total]).to.deep.equal([[], [], 0])
  })

  it('sends once for a client_id, also as a reply, and nothing where the bot may not', async () => {
    const { ada, bob } = world
    const root = await bob.send('general', 'who takes it?')
    const args = { channel: 'general', text: 'I do.', reply_to: root, client_id: randomUUID() }
    const first = await call<{ id: number }>(bell, 'send', args)
    expect(await call<{ id: number }>(bell, 'send', args)).to.deep.equal(first)
    expect(textsOf(await call<Page>(bell, 'read_thread', { id: root }))).to.deep.equal([
      'who takes it?',
      'I do.',
    ])
    await ada.postJson('/public_channels', { name: 'Old', id: 'old' })
    await ada.postJson('/channel_info/old/archive', {})
    expect(await refusal(bell, 'send', { channel: 'old', text: 'x' })).to.equal('archived channel')
    await ada.postJson('/public_channels', { name: 'News', id: 'news', posting: 'managers' })
    expect(await refusal(bell, 'send', { channel: 'news', text: 'x' })).to.equal('read-only channel')
    expect(await refusal(bell, 'send', { channel: 'design', text: 'x', reply_to: root })).to.include(
      'not found',
    )
    for (const channel of ['old', 'news', 'design'])
      expect((await ada.messages(channel)).filter(({ sender }) => sender === 'bell')).to.deep.equal([])
  })

  it('lists and does only what the scopes of the token allow', async () => {
    const reader = await clientOf(await programOf(world.bob))
    const { tools } = await reader.listTools()
    expect(tools.map(({ name }) => name)).to.have.members(READING)
    const before = await world.bob.messages('general')
    expect(await refusal(reader, 'send', { channel: 'general', text: 'x' })).to.equal(
      'This token may not use send (scope write).',
    )
    expect(await world.bob.messages('general')).to.deep.equal(before)
  })

  it('keeps a token within its channels', async () => {
    const { bob, cleo } = world
    const den = await world.privateChannel('vault', [bob, cleo])
    const hidden = await cleo.send(den, 'beacon in the vault @bob')
    const elsewhere = await cleo.send('general', 'beacon in general @bob')
    const shown = await cleo.send('design', 'beacon in design @bob')
    const limited = await clientOf(await programOf(bob, { scopes: ['write'], channels_only: ['design'] }))
    expect(idsOf(await call<Channels>(limited, 'list_channels'))).to.deep.equal(['design'])
    const found = await call<Page & { total: number; ignored: string[] }>(limited, 'search', {
      query: 'beacon',
    })
    expect([textsOf(found), found.total]).to.deep.equal([['beacon in design @bob'], 1])
    for (const query of ['beacon in:vault', 'beacon in:nowhere', 'beacon in:general'])
      expect(await call(limited, 'search', { query }), query).to.deep.equal({
        ...{ messages: [], total: 0, total_is_exact: true, more: false, ignored: [] },
      })
    const news = await call<News>(limited, 'catch_up', { since: 0 })
    expect(textsOf(news)).to.include('beacon in design @bob')
    expect(new Set([...news.messages, ...news.for_you].map(({ channel }) => channel))).to.deep.equal(
      new Set(['design']),
    )
    expect(textsOf(await call<Page>(limited, 'read_thread', { id: shown }))).to.have.length(1)
    const missing = await refusal(limited, 'read_thread', { id: 999_999 })
    for (const id of [hidden, elsewhere])
      expect(await refusal(limited, 'read_thread', { id })).to.equal(missing)
    for (const channel of [den, 'general', '#vault', '@ada', 'dm:ada:bob', 'nowhere']) {
      expect(await refusal(limited, 'read_channel', { channel }), channel).to.equal('channel not found')
      expect(await refusal(limited, 'send', { channel, text: 'x' }), channel).to.equal('channel not found')
    }
    expect(textsOf(await call<Page>(limited, 'read_channel', { channel: 'design' }))).to.include(
      'beacon in design @bob',
    )
  })

  it('A9: tells a bot that is a guest nothing of what it does not see', async () => {
    const { ada, bob, cleo } = world
    await ada.postJson('/public_channels', { name: 'Project', id: 'project' })
    const den = await world.privateChannel('hidden', [bob, cleo])
    const secret = await bob.send(den, 'lantern in private')
    const inPublic = await bob.send('general', 'lantern in general @everyone')
    const guest = await clientOf(
      await botOf(ada, { username: 'visitor', guest: true, channels: ['project'] }),
    )
    await call(guest, 'send', { channel: 'project', text: 'lantern of mine' })
    expect(idsOf(await call<Channels>(guest, 'list_channels'))).to.deep.equal(['project'])
    expect(textsOf(await call<Page>(guest, 'search', { query: 'lantern' }))).to.deep.equal([
      'lantern of mine',
    ])
    const [unseen, missing] = await Promise.all(
      ['hidden', 'nowhere'].map(name => call<Json>(guest, 'search', { query: `lantern in:${name}` })),
    )
    expect(unseen?.['ignored']).to.deep.equal(['in:hidden'])
    expect({ ...unseen, ignored: [] }).to.deep.equal({ ...missing, ignored: [] })
    const { for_you, messages } = await call<News>(guest, 'catch_up', { since: 0 })
    expect([...for_you, ...messages].every(({ channel }) => channel === 'project')).to.equal(true)
    const none = await refusal(guest, 'read_thread', { id: 999_999 })
    const notHere = await refusal(guest, 'read_channel', { channel: 'project', before: 999_999 })
    for (const id of [secret, inPublic]) {
      expect(await refusal(guest, 'read_thread', { id })).to.equal(none)
      expect(await refusal(guest, 'read_channel', { channel: 'project', before: id })).to.equal(notHere)
      expect(await refusal(guest, 'send', { channel: 'project', text: 'x', reply_to: id })).to.equal(notHere)
    }
    for (const channel of [den, 'general', '#hidden', '@cleo', 'dm:cleo:visitor', 'dm:bob:cleo', 'nowhere'])
      for (const [name, args] of [
        ['read_channel', { channel }],
        ['send', { channel, text: 'x' }],
      ] as const)
        expect(await refusal(guest, name, args), channel).to.equal('channel not found')
    const { people } = await call<{ people: { username: string }[] }>(guest, 'who', { q: '' })
    expect(people.map(({ username }) => username)).to.not.include('cleo')
  })

  it('bounds each result to 32 KiB, and tells how to go on', async () => {
    const { ada, bob } = world
    await ada.postJson('/public_channels', { name: 'Long', id: 'long' })
    // Joins: catch_up is about joined channels.
    await call(bell, 'send', { channel: 'long', text: 'here' })
    const ids: number[] = []
    for (let i = 0; i < 12; i++) ids.push(await bob.send('long', `${i} ${'語"'.repeat(900)}`))
    const sent = await bob.send('long', `epic ${'x'.repeat(9_000)}`)
    const replies: number[] = []
    for (let i = 0; i < 12; i++)
      replies.push(await bob.send('long', `${i} ${'y'.repeat(2_500)}`, { reply_to_id: String(sent) }))

    async function walk(name: string, args: Json): Promise<number[]> {
      const seen: number[] = []
      for (let before: number | null | undefined; before !== null; ) {
        const result = await resultOf(bell, name, { ...args, ...(before && { before }) })
        expect(Buffer.byteLength(JSON.stringify(result)), name).to.be.at.most(32 * 1_024)
        const page = result.structuredContent as unknown as Page
        expect(page.messages, name).to.not.have.length(0)
        seen.unshift(...page.messages.filter(one => one.sender === 'bob').map(({ id }) => id))
        before = page.next_before
      }
      return seen
    }
    expect(await walk('read_channel', { channel: 'long' })).to.deep.equal([...ids, sent, ...replies])
    const thread = await walk('read_thread', { id: sent })
    expect(thread.filter(id => id !== sent)).to.deep.equal(replies)
    expect(thread.filter(id => id === sent)).to.have.length(1)
    for (const [name, args] of [
      ['search', { query: 'in:long' }],
      ['catch_up', { since: 0 }],
    ] as const) {
      const result = await resultOf(bell, name, args)
      expect(Buffer.byteLength(JSON.stringify(result)), name).to.be.at.most(32 * 1_024)
      expect(result.structuredContent?.['more'], name).to.equal(true)
    }
    const { messages } = await call<Page>(bell, 'search', { query: 'epic' })
    expect(messages[0]?.text_is_cut).to.equal(true)
  })

  it('refuses wrong arguments in a sentence, and changes nothing', async () => {
    const before = await world.bob.messages('general')
    const values = [
      ...[null, true, -1, 0, 0.5, 1e300, 2 ** 53, '', '\0', '\ud800', 'x'.repeat(20_000)],
      ...[[], {}, '__proto__', 'dm:', 'private:0', '@', '#', `dm:${'x:'.repeat(60)}`],
    ]
    const good: Json = { query: 'x', channel: 'general', text: '', id: 1, q: 'x', since: 1 }
    for (const { name, inputSchema } of TOOLS)
      for (const field of Object.keys(inputSchema.properties))
        for (const value of [...values, undefined]) {
          // A text that is valid would be sent.
          const place = field === 'text' && { channel: 'nowhere' }
          const args = { ...good, ...place, [field]: value }
          const response = await post(bot, {
            ...LIST,
            method: 'tools/call',
            params: { name, arguments: args },
          })
          expect(response.status, `${name} ${field} ${String(value).slice(0, 20)}`).to.equal(200)
          const { result, error } = (await response.json()) as { result?: CallToolResult; error?: unknown }
          expect(error, `${name} ${field}`).to.equal(undefined)
          if (name === 'send') expect(result?.isError, `send ${field}`).to.equal(true)
        }
    for (const [name, args, sentence] of [
      ['search', {}, 'query required'],
      ['search', { query: ' ' }, 'query has nothing to search for'],
      ['search', { query: 'x'.repeat(501) }, 'query has at most 500 characters'],
      ['read_channel', { channel: 'general', before: 1.5 }, 'before must be the id of a message'],
      ['read_thread', { id: 'x' }, 'id required'],
      ['catch_up', { since: -1 }, 'since must be a time in seconds'],
      ['send', { channel: 'general', text: ' \u200b ' }, 'empty'],
      ['send', { channel: 'general', text: 'x', client_id: '7' }, 'client_id must be a UUID'],
      ['send', { channel: 'general', text: 'x'.repeat(20_000) }, 'message too long (max 10000 characters)'],
    ] as const)
      expect(await refusal(bell, name, args), name).to.equal(sentence)
    const unknown = await post(bot, { ...LIST, method: 'tools/call', params: { name: 'rm', arguments: {} } })
    expect(((await unknown.json()) as { error: { code: number } }).error.code).to.equal(-32602)
    expect(await world.bob.messages('general')).to.deep.equal(before)
  })

  it('refuses what is no message of the protocol', async () => {
    const statuses = async (body: unknown, headers: Record<string, string> = {}) =>
      (await post(bot, body, headers)).status
    expect(await statuses(LIST)).to.equal(200)
    expect(await statuses({ jsonrpc: '2.0', method: 'notifications/initialized' })).to.equal(202)
    for (const body of ['{', '7', 'null', '[]', [LIST], {}, { ...LIST, jsonrpc: '1.0' }, { ...LIST, id: {} }])
      expect(await statuses(body), JSON.stringify(body)).to.equal(400)
    expect(await statuses({ ...LIST, x: 'x'.repeat(300_000) })).to.equal(413)
    expect(await statuses(LIST, { 'MCP-Protocol-Version': '2025-06-18' })).to.equal(200)
    expect(await statuses(LIST, { 'MCP-Protocol-Version': '1999-01-01' })).to.equal(400)
    expect(await statuses(LIST, { Accept: 'application/json' })).to.equal(406)
    expect(await statuses(LIST, { 'Content-Type': 'text/plain' })).to.equal(400)
    const odd = await post(bot, { ...LIST, method: 'resources/list' })
    expect(((await odd.json()) as { error: { code: number } }).error.code).to.equal(-32601)
  })

  it('A9: takes tokens alone, from no page of another site, and POST alone', async () => {
    const { ada } = world
    for (const who of [ada, new Program('x', ada.at, 'bothy_x')]) {
      const response = await post(who, LIST)
      expect(response.status, who.name).to.equal(401)
      expect(response.headers.get('WWW-Authenticate')).to.equal('Bearer')
      expect(await response.json()).to.include({ code: 'unauthorized' })
    }
    for (const Origin of ['https://elsewhere.example', 'null', `${ada.at}0`])
      expect((await post(bot, LIST, { Origin })).status, Origin).to.equal(403)
    expect((await post(bot, LIST, { Origin: new URL(ada.at).origin })).status).to.equal(200)
    for (const who of [bot, ada])
      for (const method of ['GET', 'DELETE', 'PUT']) {
        const response = await who.fetch('/mcp', { method, headers: { Accept: 'text/event-stream' } })
        expect([response.status, response.headers.get('Allow')], method).to.deep.equal([405, 'POST'])
      }
  })

  it('does not exist while it is off, whoever asks', async () => {
    const { ada } = world
    const setTo = async (mcp_enabled: boolean) =>
      expect((await ada.patchJson('/admin/settings', { mcp_enabled })).status).to.equal(204)
    await setTo(false)
    try {
      await eventually(async () => expect((await post(bot, LIST)).status).to.equal(404))
      const askers = [bot, ada, new Program('x', ada.at, 'bothy_x')]
      for (const who of askers)
        for (const headers of [{}, { Origin: 'https://elsewhere.example' }] as Record<string, string>[])
          for (const init of [
            { method: 'GET' },
            { method: 'DELETE' },
            { method: 'POST', body: '{' },
            { method: 'POST', body: JSON.stringify(LIST) },
          ]) {
            const response = await who.fetch('/mcp', { ...init, headers: { ...HEADERS, ...headers } })
            expect(response.status, `${who.name} ${init.method}`).to.equal(404)
            expect(await response.json()).to.include({ error: 'not found', code: 'not_found' })
          }
    } finally {
      await setTo(true)
    }
    await eventually(async () => expect((await post(bot, LIST)).status).to.equal(200))
  })
})

describe('limits of POST /mcp', () => {
  it('count a call as what it does, and are told to the assistant', async () => {
    const world = await newWorld({
      settings: {
        ...{ channels: ['general'], mcp_enabled: true, rate_limit_enabled: true },
        rate_limits: { send: [12, 600], token: [1_000, 60] },
      },
    })
    try {
      const client = await clientOf(await programOf(world.bob, { scopes: ['write'] }))
      const args = { channel: 'general', text: 'again' }
      for (let i = 0; i < 2; i++) await call(client, 'send', args)
      expect(await refusal(client, 'send', args)).to.match(
        /^too many requests, try again later \(in \d+ s\)$/,
      )
      const sent = (await world.ada.messages('general')).filter(({ sender }) => sender === 'bob')
      expect(sent).to.have.length(2)
    } finally {
      await world.end()
    }
  })
})

describe('refusals of /mcp before anybody is asked for', () => {
  it('count for `anonymous`', async () => {
    const world = await newWorld({
      settings: { mcp_enabled: true, rate_limit_enabled: true, rate_limits: { anonymous: [20, 3600] } },
    })
    try {
      const elsewhere = { Origin: 'https://elsewhere.example' }
      const refused = [{ method: 'GET' }, { method: 'DELETE' }, { method: 'POST', headers: elsewhere }]
      for (let i = 0; i < 20; i++) await fetch(`${world.ada.at}/mcp`, refused[i % 3])
      for (const init of refused)
        expect((await fetch(`${world.ada.at}/mcp`, init)).status, init.method).to.equal(429)
    } finally {
      await world.end()
    }
  })
})
