import { expect } from 'chai'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { ROUTES } from './endpoints.ts'

/** PostgreSQL stores neither NUL nor, in JSON, a lone surrogate. */
describe('text that PostgreSQL does not store', function () {
  this.timeout(300_000)
  let world: World
  before(async () => {
    world = await newWorld()
  })
  after(() => world.end())

  const KINDS = [
    '%00',
    'a%00b',
    'dm:ada:%00',
    'dm:a:%00',
    'private:%00',
    'private:1%00',
    '1%00',
    '00000000-0000-4000-8000-00000000000%00',
    '%ED%A0%80',
  ]
  /** Every name that a query, a form or a JSON body may have. */
  const FIELDS = [
    'q from to channel start end before after around around_ts limit cursor sort tz role state type sender month',
    'ids kind unread own archived with since v still size list actor target action setting value name topic',
    'description posting default usernames username members members_add add remove handle text note title',
    'display_name email timezone reason client_id composed_for part_of reply_to_id message_id message_ids emoji',
    'reaction until for_minutes updated_ts thread_id send_ts section level favourite collapsed id uploads url tab',
    'override invite password confirm_password current_password new_password csrf_token next upto most file_type',
  ].flatMap(line => line.split(' '))

  it('in a path is never a 5xx: every endpoint', async () => {
    for (const endpoint of ROUTES.filter(one => one.includes('/:'))) {
      for (const text of KINDS) {
        const [method, path] = endpoint.split(' ') as [string, string]
        const at = path.replace(/:\w+/g, text)
        const body = method === 'GET' || method === 'DELETE' ? {} : bodyOf({ text: '', updated_ts: 1 })
        await expectMild(world.ada.fetch(at, { method, ...body }), `${method} ${at}`)
      }
    }
  })

  it('in a query, a header or a body is never a 5xx: every endpoint', async () => {
    const query = FIELDS.map(name => `${name}=%00`).join('&')
    for (const endpoint of ROUTES) {
      const [method, pattern] = endpoint.split(' ') as [string, string]
      if (/\/(logout|delete_account|signup|login|confirm)$/.test(pattern)) continue
      const path = pattern.replace(/:\w+/g, 'general')
      await expectMild(world.ada.fetch(`${path}?${query}`, { method }), `${method} ${path}?…`)
      if (method === 'GET') continue
      for (const bad of ['a\0b', '\ud800']) {
        const filled = Object.fromEntries(FIELDS.map(name => [name, bad]))
        for (const body of [filled, Object.fromEntries(FIELDS.map(name => [name, [bad]]))])
          await expectMild(
            world.ada.fetch(path, { method, ...bodyOf(body) }),
            `${method} ${path} ${bad.length}`,
          )
        const form = new URLSearchParams(filled)
        await expectMild(world.ada.fetch(path, { method, body: form }), `${method} ${path} form`)
      }
      const headers = {
        'User-Agent': 'a\u00ff',
        tab: '%00',
        'Upload-Offset': '%00',
        'Last-Event-ID': '%00',
        'X-Mime': '%00',
      }
      await expectMild(world.ada.fetch(path, { method, headers }), `${method} ${path} headers`)
    }
  })

  it('in a free text of an extension is 400 with a code', async () => {
    const { ada } = world
    await ada.postJson('/public_channels', { name: 'Mine' })
    await ada.postJson('/groups', { handle: 'crew', name: 'Crew', members: ['bob'] })
    await ada.postJson('/sections', { name: 'Own' })
    await ada.postJson('/bots', { username: 'crew-bot' })
    const id = await ada.send('general', 'hello')
    const send_ts = Date.now() / 1_000 + 3_600
    const cases: [line: string, base: object, fields: string[]][] = [
      ['POST /public_channels', { name: 'New' }, ['name', 'topic', 'description']],
      ['PATCH /channel_info/mine', {}, ['name', 'topic', 'description']],
      ['POST /groups', { handle: 'more', members: [] }, ['name', 'handle']],
      ['PATCH /groups/crew', {}, ['name', 'handle']],
      ['POST /bots', { username: 'new-bot' }, ['username', 'display_name', 'description']],
      ['POST /hooks_in', { name: 'x', channel: 'general' }, ['name', 'channel', 'bot', 'template']],
      [
        'POST /hooks_out',
        { name: 'x', url: 'http://a.example/', events: ['message.created'] },
        ['name', 'url', 'bot'],
      ],
      ['PATCH /bots/crew-bot', {}, ['display_name', 'description', 'owner']],
      [
        'POST /commands',
        { name: 'new', url: 'http://a.example/', bot: 'crew-bot' },
        ['name', 'url', 'bot', 'description', 'usage'],
      ],
      ['POST /command/general', {}, ['text']],
      ['POST /sections', {}, ['name']],
      ['POST /invites', {}, ['note']],
      ['POST /tokens', {}, ['name']],
      ['PUT /status', {}, ['text', 'emoji']],
      ['PATCH /me', {}, ['display_name', 'title', 'timezone']],
      ['PATCH /admin/people/bob', {}, ['display_name', 'title', 'email']],
      [`PUT /saved/${id}`, {}, ['note']],
      [`PATCH /saved/${id}`, {}, ['note']],
      ['POST /scheduled', { channel: 'general', send_ts }, ['text']],
      ['PUT /drafts/general', { updated_ts: 1 }, ['text']],
      [`POST /forward/${id}`, { channel: 'general' }, ['text']],
      [`POST /moderate/delete/${id}`, {}, ['reason']],
      ['PUT /uploads/00000000-0000-4000-8000-000000000001', { size: 1 }, ['name']],
      ['PATCH /admin/settings', {}, ['workspace_name']],
    ]
    for (const [line, base, fields] of cases) {
      const [method, path] = line.split(' ') as [string, string]
      for (const field of fields) {
        for (const bad of ['a\0b', 'a\ud800']) {
          const response = await ada.fetch(path, { method, ...bodyOf({ ...base, [field]: bad }) })
          const text = await response.text()
          expect(response.status, `${line} ${field} ${JSON.stringify(bad)}: ${text}`).to.equal(400)
          expect(JSON.parse(text), line).to.include.keys('error', 'code')
        }
      }
    }
  })

  it('is no excuse for another form of error: malformed JSON of an extension has a code', async () => {
    const json = ROUTES.filter(line => /^(POST|PUT|PATCH) /.test(line) && OF_EXTENSIONS.test(line))
    expect(json.length).to.be.above(30)
    for (const line of json) {
      const [method, pattern] = line.split(' ') as [string, string]
      const path = pattern.replace(/:\w+/g, '1')
      const headers = { 'Content-Type': 'application/json' }
      const response = await world.ada.fetch(path, { method, headers, body: '{"a":' })
      const text = await response.text()
      if (response.status < 400) continue
      expect(text, `${line}: ${response.status}`).to.match(/^\{"error":/)
      expect(JSON.parse(text), line).to.include.keys('error', 'code')
    }
  })

  const OF_EXTENSIONS =
    / \/(preferences|inbox|thread|threads|mark_unread|mark_all_read|channel_prefs|sections|status|admin|me|confirm|public_channels|channel_info|emoji|moderate|invites|tokens|groups|bots|hooks_in|hooks_out|deliveries|uploads|forward|pin|saved|scheduled|drafts|private_channels\/:id\/remove_member|client_errors)(\/|$)/

  async function expectMild(asked: Promise<Response>, about: string) {
    const response = await asked
    const body = await response.text()
    expect(response.status, `${about.slice(0, 200)}: ${body.slice(0, 200)}`).to.be.below(500)
  }
  const bodyOf = (fields: object) => ({
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  })
})
