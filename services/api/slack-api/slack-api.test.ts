import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { Program, tokenOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { cursorText } from '../middleware/paging.ts'
import { slackEndpoints } from './routes.ts'

type Json = Record<string, unknown>
interface Answer extends Json {
  ok: boolean
  error?: string
  ts: string
  channel: string
  channels: { id: string; name?: string; is_member: boolean }[]
  messages: { ts: string; text: string; user: string; thread_ts?: string; reactions?: Json[] }[]
  members: { id: string }[]
  response_metadata: { next_cursor: string }
}

describe("Slack's Web API (interface 19.8)", () => {
  let world: World
  let bell: Program
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'] } })
    bell = await botOf(world.ada, { username: 'bell' })
  })
  after(() => world.end())

  async function botOf(owner: Person, draft: Json): Promise<Program> {
    const response = await owner.postJson('/bots', draft)
    expect(response.status).to.equal(201)
    const { username, token } = (await response.json()) as { username: string; token: string }
    return new Program(username, owner.at, token)
  }
  const limited = async (person: Person, draft: Json) =>
    new Program(person.name, person.at, (await tokenOf(person, draft)).token)

  async function call(who: Person, method: string, args: Json = {}): Promise<Answer> {
    const response = await who.postJson(`/api/${method}`, args)
    expect(response.status, method).to.equal(200)
    expect(response.headers.get('content-type')).to.match(/^application\/json/)
    return (await response.json()) as Answer
  }
  const error = async (who: Person, method: string, args: Json = {}) => (await call(who, method, args)).error
  const post = async (text: string, rest: Json = {}) =>
    call(bell, 'chat.postMessage', { channel: 'general', text, ...rest })
  const row = async (ts: string) => {
    const rows = await world.bob.get<MessagePayload[]>('/messages/general?extra=1')
    return rows.find(message => message.ts.toFixed(6) === ts)!
  }

  it('takes arguments in the query, in a form and as JSON', async () => {
    const byQuery = await bell.fetch(
      `/api/chat.postMessage?${new URLSearchParams({ channel: '#general', text: 'a' })}`,
    )
    const byForm = await bell.postForm('/api/chat.postMessage', {
      channel: 'general',
      text: 'b',
      attachments: JSON.stringify([{ color: 'good', text: 'done' }]),
    })
    const byJson = await bell.postJson('/api/chat.postMessage', {
      channel: 'general',
      blocks: [{ type: 'section', text: { type: 'mrkdwn', text: 'c' } }],
    })
    const texts = []
    for (const response of [byQuery, byForm, byJson]) {
      const { ok, ts, error } = (await response.json()) as Answer
      expect([ok, error]).to.deep.equal([true, undefined])
      texts.push((await row(ts)).content)
    }
    expect(texts).to.deep.equal(['a', 'b\n\ndone', 'c'])
  })

  it('takes methods by GET, with arguments in the query', async () => {
    const { ts } = await post('By GET')
    const message = { channel: 'general', ts: String(ts) }
    const reaction = { channel: 'general', timestamp: String(ts), name: 'eyes' }
    const calls: [string, Record<string, string>][] = [
      ['api.test', {}],
      ['conversations.list', {}],
      ['conversations.info', { channel: 'general' }],
      ['conversations.history', { channel: 'general' }],
      ['conversations.replies', message],
      ['conversations.open', { users: 'ada' }],
      ['users.list', {}],
      ['users.info', { user: 'ada' }],
      ['chat.getPermalink', { channel: 'general', message_ts: String(ts) }],
      ['reactions.add', reaction],
      ['reactions.remove', reaction],
      ['chat.update', { ...message, text: 'By GET, too' }],
      ['chat.delete', message],
      ['auth.test', {}],
      ['chat.postEphemeral', { channel: 'general', user: 'ada', text: 'By GET' }],
    ]
    const get = async (who: Person, method: string, args: Record<string, string>) => {
      const response = await who.fetch(`/api/${method}?${new URLSearchParams(args)}`)
      const answer = (await response.json()) as Answer
      expect([answer.ok, answer.error], method).to.deep.equal([true, undefined])
      return answer
    }
    for (const [method, args] of calls) await get(bell, method, args)

    const notes = { filename: 'notes.txt', length: '5' }
    const { upload_url, file_id } = await get(bell, 'files.getUploadURLExternal', notes)
    expect((await fetch(upload_url as string, { method: 'POST', body: 'notes' })).status).to.equal(200)
    const files = JSON.stringify([{ id: file_id }])
    const completed = await get(bell, 'files.completeUploadExternal', { files, channel_id: 'general' })
    expect(completed['files']).to.deep.equal([{ id: file_id, title: 'notes.txt' }])

    await world.ada.patchJson('/admin/people/cleo', { email: 'cleo@example.org' })
    const admin = await limited(world.ada, { scopes: ['admin'] })
    const { user } = await get(admin, 'users.lookupByEmail', { email: 'cleo@example.org' })
    expect(user).to.have.property('id', 'cleo')
  })

  it('takes nothing but a token, in the words of Slack', async () => {
    const { ada, bob } = world
    const own = await ada.fetch('/api/auth.test')
    expect(await own.json(), 'a session').to.deep.equal({ ok: false, error: 'not_authed' })
    expect(await error(ada, 'chat.postMessage', { channel: 'general', text: 'x' })).to.equal('not_authed')
    expect(await error(new Program('x', ada.at, 'xoxb-1'), 'auth.test')).to.equal('invalid_auth')
    expect(await error(new Program('x', ada.at, 'xoxb-1'), 'no.such')).to.equal('invalid_auth')
    const nobody = await fetch(`${ada.at}/api/auth.test`, { redirect: 'manual' })
    expect([nobody.status, await nobody.json()]).to.deep.equal([200, { ok: false, error: 'not_authed' }])
    const reader = await limited(bob, {})
    expect(await call(reader, 'auth.test')).to.include({ ok: true, user: 'bob', user_id: 'bob' })
    for (const method of [
      'chat.postMessage',
      'chat.update',
      'chat.delete',
      'reactions.add',
      'reactions.remove',
    ]) {
      const refused = { ok: false, error: 'missing_scope', needed: 'write' }
      expect(await call(reader, method, { channel: 'general', text: 'x' }), method).to.deep.equal(refused)
    }
    expect(await error(bell, 'no.such')).to.equal('unknown_method')
    expect(await call(bell, 'auth.test')).to.include({ user: 'bell', bot_id: 'bell' })
  })

  it('draws no cards over 32 KiB, in a post and in its change', async () => {
    const attachments = Array.from({ length: 20 }, (_, i) => ({ title: `${i}`, text: 'x'.repeat(3_000) }))
    const { ts } = await post('large', { attachments })
    expect((await row(ts)).extra?.cards).to.equal(undefined)
    const update = { channel: 'general', ts, text: 'large', attachments }
    expect(await call(bell, 'chat.update', update)).to.include({ ok: true })
    expect((await row(ts)).extra?.cards).to.equal(undefined)
  })

  it('posts, replies, changes, reacts and deletes as the base does', async () => {
    const root = await post('deploy', { username: 'Deploys', icon_emoji: ':rocket:' })
    expect((await row(root.ts)).extra?.bot).to.deep.equal({ name: 'Deploys', emoji: 'rocket' })
    const reply = await post('done', { thread_ts: root.ts })
    const { id } = await row(root.ts)
    expect((await row(reply.ts)).reply_to_id).to.equal(id)
    const channel = 'general'
    const { messages } = await call(bell, 'conversations.replies', { channel, ts: root.ts })
    expect(messages.map(({ text, thread_ts }) => [text, thread_ts])).to.deep.equal([
      ['deploy', root.ts],
      ['done', root.ts],
    ])

    const update = { channel, ts: root.ts, text: 'deployed', attachments: [{ text: 'in 3 s' }] }
    expect(await call(bell, 'chat.update', update)).to.include({ ok: true, ts: root.ts })
    expect(await row(root.ts)).to.include({ content: 'deployed\n\nin 3 s', edited: 1 })
    expect((await row(root.ts)).extra?.cards).to.have.length(1)

    const reaction = { channel, timestamp: root.ts, name: 'thumbsup' }
    expect(await call(bell, 'reactions.add', reaction)).to.deep.equal({ ok: true })
    expect(await error(bell, 'reactions.add', reaction)).to.equal('already_reacted')
    expect(Object.values(JSON.parse((await row(root.ts)).reactions!))).to.deep.equal([['bell']])
    expect(await call(bell, 'reactions.remove', reaction)).to.deep.equal({ ok: true })
    expect(await error(bell, 'reactions.remove', reaction)).to.equal('no_reaction')
    expect(await error(bell, 'reactions.add', { ...reaction, name: 'no such' })).to.equal('invalid_name')

    const { permalink } = await call(bell, 'chat.getPermalink', { channel, message_ts: root.ts })
    expect(permalink).to.match(new RegExp(`/m/${id}$`))
    expect(await call(bell, 'chat.delete', { channel, ts: root.ts })).to.include({ ok: true })
    expect((await row(root.ts)).deleted).to.equal(1)
    expect(await error(bell, 'chat.delete', { channel, ts: root.ts })).to.equal('message_not_found')
  })

  it('posts a text that only looks like an escape', async () => {
    const attachments = [{ text: 'a \\u0000 b' }]
    expect((await post('path', { attachments })).error).to.equal(undefined)
  })

  it('posts once for one client_msg_id', async () => {
    const client_msg_id = randomUUID()
    const first = await post('once', { client_msg_id })
    expect((await post('once', { client_msg_id })).ts).to.equal(first.ts)
  })

  it('leaves name and emoji of a person as they are', async () => {
    const writer = await limited(world.bob, { scopes: ['write'] })
    const { ts } = await call(writer, 'chat.postMessage', { channel: 'general', text: 'me', username: 'ada' })
    const { sender, extra } = await row(ts)
    expect([sender, extra?.bot]).to.deep.equal(['bob', undefined])
  })

  it('refuses in the words of Slack, and changes nothing', async () => {
    const { ada, bob } = world
    const channel = 'general'
    const other = await bob.send(channel, 'of bob')
    const ofBob = (await bob.get<MessagePayload>(`/message/${other}?full=1`)).ts.toFixed(6)
    await ada.postJson('/public_channels', { name: 'Old', id: 'old' })
    await call(bell, 'chat.postMessage', { channel: 'old', text: 'before' })
    await ada.postJson('/channel_info/old/archive', {})
    await ada.postJson('/public_channels', { name: 'News', id: 'news', posting: 'managers' })
    const before = await bob.messages(channel)
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    const refused: [string, Json, string][] = [
      ['chat.postMessage', { text: 'x' }, 'channel_not_found'],
      ['chat.postMessage', { channel: '#nowhere', text: 'x' }, 'channel_not_found'],
      ['chat.postMessage', { channel: 'nobody', text: 'x' }, 'channel_not_found'],
      ['chat.postMessage', { channel: 'old', text: 'x' }, 'is_archived'],
      ['chat.postMessage', { channel: 'news', text: 'x' }, 'restricted_action'],
      ['chat.postMessage', { channel }, 'no_text'],
      ['chat.postMessage', { channel, text: ' \u200b ' }, 'no_text'],
      ['chat.postMessage', { channel, text: 'x'.repeat(200_000) }, 'msg_too_long'],
      ['chat.postMessage', { channel, text: 'x', thread_ts: '1.000000' }, 'thread_not_found'],
      ['chat.postMessage', { channel, text: 'x', blocks: '{' }, 'invalid_blocks'],
      ['chat.postMessage', { channel, text: { a: 1 } }, 'invalid_arguments'],
      ['chat.postMessage', { channel, text: 'a\0' }, 'invalid_arguments'],
      ['chat.postMessage', { channel, attachments: '["\\u0000"]' }, 'invalid_attachments'],
      ['chat.postMessage', { channel, attachments: [{ text: 'a\0' }] }, 'invalid_attachments'],
      ['chat.postMessage', { channel, blocks: [{ type: '\ud800' }] }, 'invalid_blocks'],
      ['chat.postMessage', { channel, blocks: [1] }, 'invalid_blocks'],
      ['chat.postMessage', { channel, blocks: `[{"a":${deep}}]` }, 'invalid_blocks'],
      ['chat.update', { channel, ts: ofBob, text: 'x' }, 'cant_update_message'],
      ['chat.update', { channel, ts: '1', text: 'x' }, 'message_not_found'],
      ['chat.delete', { channel, ts: ofBob }, 'cant_delete_message'],
      ['chat.delete', { channel, ts: 'x' }, 'message_not_found'],
      ['reactions.add', { channel, name: 'eyes' }, 'message_not_found'],
      ['conversations.history', { channel, limit: 'x' }, 'invalid_limit'],
      ['conversations.history', { channel, cursor: 'x' }, 'invalid_cursor'],
      ['conversations.history', { channel, oldest: 'x' }, 'invalid_ts_oldest'],
      ['conversations.list', { cursor: cursorText(['public', [1, '\ud800', '']]) }, 'invalid_cursor'],
      ['conversations.list', { cursor: cursorText(['public', [1, '', '\0']]) }, 'invalid_cursor'],
      ['conversations.list', { types: 'all' }, 'invalid_types'],
      ['conversations.open', { users: 'bob,nobody' }, 'user_not_found'],
      ['users.info', { user: 'nobody' }, 'user_not_found'],
    ]
    for (const [method, args, word] of refused)
      expect(await error(bell, method, args), `${method} ${word}`).to.equal(word)
    const broken = await bell.fetch('/api/chat.postMessage', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{',
    })
    expect(await broken.json()).to.deep.equal({ ok: false, error: 'invalid_arguments' })
    for (const headers of [
      { 'Content-Type': 'application/json; charset=nope' },
      { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-16' },
      { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' },
    ] as Record<string, string>[]) {
      const unread = await bell.fetch('/api/chat.postMessage', { method: 'POST', headers, body: '{}' })
      expect(((await unread.json()) as Answer).error, JSON.stringify(headers)).to.equal('invalid_arguments')
    }
    expect(await bob.messages(channel)).to.deep.equal(before)
  })

  it('lists channels, people and messages by cursor', async () => {
    const den = await world.privateChannel('den', [world.ada, world.bob])
    await world.ada.addMember(den, 'bell')
    const { channel } = await call(bell, 'conversations.open', { users: 'bob' })
    await call(bell, 'chat.postMessage', { channel: 'bob', text: 'hello' })
    const dm = (channel as unknown as { id: string }).id
    expect(dm).to.equal('dm:bell:bob')
    const types = 'public_channel,private_channel,im,mpim'
    const all: string[] = []
    for (let cursor = ''; ; ) {
      const page = await call(bell, 'conversations.list', { types, limit: 1, cursor })
      all.push(...page.channels.map(({ id }) => id))
      cursor = page.response_metadata.next_cursor
      if (cursor === '') break
    }
    expect(all).to.include.members(['general', 'design', 'news', 'old', dm, den])
    expect(new Set(all).size).to.equal(all.length)
    const open = await call(bell, 'conversations.list', { exclude_archived: 'true' })
    expect(open.channels.map(({ id }) => id)).to.not.include.members(['old', den, dm])
    expect((await call(bell, 'conversations.info', { channel: '#den' })).channel).to.include({
      id: den,
      name: 'den',
      is_private: true,
    })
    const withBob = (await call(bell, 'conversations.info', { channel: 'bob' })).channel
    expect(withBob).to.include({ id: dm, is_im: true, user: 'bob', num_members: 2 })

    const people: string[] = []
    for (let cursor = ''; ; ) {
      const page = await call(bell, 'users.list', { limit: 2, cursor })
      people.push(...page.members.map(({ id }) => id))
      cursor = page.response_metadata.next_cursor
      if (cursor === '') break
    }
    expect(people).to.deep.equal(['ada', 'bell', 'bob', 'cleo', 'mallory'])

    for (const text of ['1', '2', '3', '4', '5']) await call(bell, 'chat.postMessage', { channel: den, text })
    const texts: string[] = []
    for (let cursor = ''; ; ) {
      const page = await call(bell, 'conversations.history', { channel: den, limit: 2, cursor })
      texts.push(...page.messages.map(({ text }) => text))
      cursor = page.response_metadata.next_cursor
      if (cursor === '') break
    }
    expect(texts.slice(0, 5)).to.deep.equal(['5', '4', '3', '2', '1'])
    const { messages } = await call(bell, 'conversations.history', { channel: den, limit: 5 })
    const [latest, oldest] = [messages[1]!.ts, messages[3]!.ts]
    const window = async (inclusive: boolean) =>
      (await call(bell, 'conversations.history', { channel: den, latest, oldest, inclusive })).messages.map(
        ({ text }) => text,
      )
    expect(await window(false)).to.deep.equal(['3'])
    expect(await window(true)).to.deep.equal(['4', '3', '2'])
  })

  it('keeps a token within its channels', async () => {
    const den = await world.privateChannel('vault', [world.bob])
    const token = await limited(world.bob, { scopes: ['write'], channels_only: ['design'] })
    const sent = await call(token, 'chat.postMessage', { channel: 'design', text: 'here' })
    expect(sent.ok).to.equal(true)
    const elsewhere = await world.bob.send('general', 'elsewhere')
    const { ts } = await world.bob.get<MessagePayload>(`/message/${elsewhere}?full=1`)
    const stamp = { ts: ts.toFixed(6), timestamp: ts.toFixed(6), message_ts: ts.toFixed(6), name: 'eyes' }
    for (const channel of ['general', den, 'dm:ada:bob', '#vault', 'ada'])
      for (const method of METHODS_OF_CHANNELS)
        expect(await error(token, method, { channel, text: 'x', ...stamp }), method).to.equal(
          'channel_not_found',
        )
    const types = 'public_channel,private_channel,im,mpim'
    const { channels } = await call(token, 'conversations.list', { types })
    expect(channels.map(({ id }) => id)).to.deep.equal(['design'])
    expect(await error(token, 'conversations.open', { users: 'ada' })).to.equal('no_permission')
  })

  it('tells a bot that is a guest nothing of what it does not see', async () => {
    const { ada, bob, cleo } = world
    await ada.postJson('/public_channels', { name: 'Project', id: 'project' })
    const den = await world.privateChannel('hidden', [bob, cleo])
    const secret = await bob.send(den, 'secret')
    const inGeneral = await bob.send('design', 'not for guests')
    const guest = await botOf(ada, { username: 'visitor', guest: true, channels: ['project'] })
    const own = await call(guest, 'chat.postMessage', { channel: 'project', text: 'mine' })
    const tsOf = async (id: number) => (await bob.get<MessagePayload>(`/message/${id}?full=1`)).ts.toFixed(6)
    const times = [own.ts, await tsOf(secret), await tsOf(inGeneral)]
    for (const method of METHODS_OF_CHANNELS)
      for (const time of times) {
        const stamp = { ts: time, timestamp: time, message_ts: time, name: 'eyes', text: 'x' }
        for (const [unseen, missing] of [
          ['design', 'nowhere'],
          ['#design', '#nowhere'],
          [den, 'private:99999'],
          ['#hidden', '#nowhere'],
          ['cleo', 'nobody'],
          ['dm:cleo:visitor', 'dm:nobody:visitor'],
          ['dm:bob:cleo', 'dm:bob:nobody'],
        ]) {
          const answers = [unseen, missing].map(channel => call(guest, method, { ...stamp, channel }))
          const [one, other] = await Promise.all(answers)
          expect(one, `${method} ${unseen}`).to.deep.equal(other)
          expect(one!.error, `${method} ${unseen}`).to.equal('channel_not_found')
        }
        if (time !== own.ts)
          expect(
            await call(guest, method, { ...stamp, channel: 'project', thread_ts: time }),
            method,
          ).to.deep.equal(
            await call(guest, method, {
              ...{ ...stamp, ts: '5', timestamp: '5', message_ts: '5' },
              ...{ channel: 'project', thread_ts: '5' },
            }),
          )
      }
    expect(await call(guest, 'users.info', { user: 'cleo' })).to.deep.equal(
      await call(guest, 'users.info', { user: 'nobody' }),
    )
    expect(await call(guest, 'conversations.open', { users: 'cleo' })).to.deep.equal(
      await call(guest, 'conversations.open', { users: 'nobody' }),
    )
    expect((await call(guest, 'users.list')).members.map(({ id }) => id)).to.not.include('cleo')
    const types = 'public_channel,private_channel,im,mpim'
    const { channels } = await call(guest, 'conversations.list', { types })
    expect(channels.map(({ id }) => id)).to.deep.equal(['project'])
    expect(channels[0], 'who made it').to.not.have.property('creator')
  })

  it('finds a person by their address for administrators alone', async () => {
    const { ada, bob } = world
    const email = 'Bob.B@example.org'
    expect((await ada.patchJson('/admin/people/bob', { email })).status).to.equal(204)
    await ada.patchJson('/admin/people/cleo', { role: 'admin' })
    const admin = await limited(world.cleo, { scopes: ['admin'] })
    const { user } = await call(admin, 'users.lookupByEmail', { email: ' bob.b@EXAMPLE.org' })
    expect(user).to.include({ id: 'bob', name: 'bob', is_bot: false })
    expect((user as { profile: Json }).profile['email']).to.equal(email)
    for (const args of [{}, { email: '' }, { email: 'bob' }, { email: '%' }, { email: 'ada@example.org' }])
      expect(await error(admin, 'users.lookupByEmail', args)).to.equal('users_not_found')
    for (const args of [{ email: {} }, { email: 'a\0' }])
      expect(await error(admin, 'users.lookupByEmail', args)).to.equal('invalid_arguments')
    await ada.postJson('/admin/people/bob/deactivate', {})
    expect(await error(admin, 'users.lookupByEmail', { email })).to.equal('users_not_found')
    await ada.postJson('/admin/people/bob/reactivate', {})

    const needed = { ok: false, error: 'missing_scope', needed: 'admin' }
    expect(await call(bell, 'users.lookupByEmail', { email })).to.deep.equal(needed)
    const ofChannels = await limited(ada, { scopes: ['admin'], channels_only: ['design'] })
    expect(await error(ofChannels, 'users.lookupByEmail', { email })).to.equal('no_permission')
    await ada.patchJson('/admin/people/cleo', { role: 'member' })
    expect(await error(admin, 'users.lookupByEmail', { email }), 'no longer one').to.equal('no_permission')
    const info = await call(bell, 'users.info', { user: bob.name })
    expect(JSON.stringify(info)).to.not.include('@')
  })

  it('has no method of a channel that these tests leave out', () => {
    const others = [
      'api.test',
      'auth.test',
      'conversations.list',
      'conversations.open',
      'users.list',
      'users.info',
      'users.lookupByEmail',
      // ephemeral.test.ts
      'chat.postEphemeral',
      // files.test.ts
      'files.getUploadURLExternal',
    ]
    const methods = slackEndpoints
      .filter(({ method }) => method === 'post')
      .map(({ path }) => path.slice('/api/'.length))
    expect(methods.toSorted()).to.deep.equal([...METHODS_OF_CHANNELS, ...others, ':method'].toSorted())
  })
})

const METHODS_OF_CHANNELS = [
  'chat.postMessage',
  'chat.update',
  'chat.delete',
  'chat.getPermalink',
  'reactions.add',
  'reactions.remove',
  'conversations.info',
  'conversations.history',
  'conversations.replies',
  'files.completeUploadExternal',
]

describe("a limit in Slack's Web API", () => {
  it('is 429 with Retry-After', async () => {
    const world = await newWorld({
      settings: { channels: ['general'], rate_limit_enabled: true, rate_limits: { token: [3, 60] } },
    })
    try {
      const { token } = await tokenOf(world.ada)
      const program = new Program('ada', world.ada.at, token)
      let last: Response | undefined
      for (let i = 0; i < 4; i++) last = await program.postJson('/api/auth.test', {})
      expect(last!.status).to.equal(429)
      expect(Number(last!.headers.get('Retry-After'))).to.be.at.least(1)
      expect(await last!.json()).to.deep.equal({ ok: false, error: 'ratelimited' })
    } finally {
      await world.end()
    }
  })
})
