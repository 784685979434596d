import { expect } from 'chai'
import pg from 'pg'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { ENDPOINTS } from './endpoints.ts'

/**
 * Sends malformed input to every endpoint: never a 5xx, never a hang, and nothing changes. Paths are those of endpoints.ts;
 * a new query or body needs a line here.
 */
describe('bad input (interface 7)', () => {
  let world: World
  let db: pg.Client
  let id: number
  let call: string
  let share: string
  before(async () => {
    world = await newWorld()
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    id = await world.bob.send('dm:bob:cleo', 'not for mallory')
    await world.bob.send('general', 'hello')
    const channel = 'dm:bob:mallory'
    const begun = await world.mallory.postJson('/calls/initiate', { channel })
    call = ((await begun.json()) as { call_id: string }).call_id
    // Keeps the ring from expiring meanwhile.
    await world.bob.postJson(`/calls/${call}/accept`, {})
    const started = await world.mallory.postJson('/screenshare/start', { channel })
    share = ((await started.json()) as { share_id: string }).share_id
    // Her own, so that the input is the only reason for an error.
    await world.privateChannel('den', [world.mallory])
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const NASTY = [
    '%00',
    '%ED%A0%80',
    '%F0%9F%98%80',
    '-1',
    '0',
    '1.5',
    '1e9',
    '99999999999999999999',
    '9223372036854775807',
    'undefined',
    '[object%20Object]',
    'dm:',
    'dm:a',
    'dm:a:',
    'dm:mallory:%00',
    `dm:mallory:${'x'.repeat(33)}`,
    `dm:${Array.from({ length: 60 }, (_, i) => `u${i}`).join(':')}`,
    'private:',
    'private:0',
    'private:-1',
    'private:99999999999999999999',
    'private:1%20or%201=1',
    '..%2f..%2f',
    '%',
    '%E0%A4%A',
    "';drop%20table%20users;--",
    'x'.repeat(5_000),
    '__proto__',
    'constructor',
  ]
  /** Every place of an id. */
  const PATHS = ENDPOINTS.flatMap(({ method, path }) =>
    [...path.matchAll(/:\w+/g)].map(([name]) => {
      const asked = path.replace(name, ':x').replace('/:channel', '/general').replace('/:username', '/bob')
      return `${method.toUpperCase()} ${asked.replaceAll(/:(?!x)\w+/g, ':x')}`
    }),
  )
  const QUERIES = [
    'GET /messages/general?after=:x',
    'GET /messages/general?limit=:x',
    'GET /messages/general?limit=5&before=:x',
    'GET /messages/general?around_ts=:x&limit=:x',
    'GET /messages/general?around=:x',
    'GET /messages/general?after=:x&after=:x',
    'GET /saved?state=:x',
    'GET /saved?limit=:x',
    'GET /saved?cursor=:x',
    'GET /scheduled?limit=:x',
    'GET /scheduled?cursor=:x',
    'GET /pins/general?limit=:x',
    'GET /pins/general?cursor=:x',
    'GET /emoji/:x?still=:x&v=:x',
    'GET /channel_days/:x?month=2026-03',
    'GET /channel_days/general?month=:x',
    'GET /channel_days/general?month=2026-03&tz=:x',
    'GET /linked_messages?ids=:x',
    'GET /linked_messages?ids=1,ID-:x',
    'GET /thread/ID?limit=:x',
    'GET /thread/ID?before=:x',
    'GET /threads?unread=:x',
    'GET /threads?own=:x',
    'GET /threads?channel=:x',
    'GET /threads?limit=:x',
    'GET /threads?cursor=:x',
    'GET /inbox?kind=:x',
    'GET /inbox?unread=:x',
    'GET /inbox?limit=:x',
    'GET /inbox?cursor=:x',
    'GET /inbox?cursor=:x_1',
    'GET /inbox?cursor=1_:x',
    'GET /public_channels?q=:x',
    'GET /public_channels?archived=:x',
    'GET /public_channels?managed=:x',
    'GET /public_channels?with=:x',
    'GET /public_channels?sort=:x&limit=:x',
    'GET /public_channels?cursor=:x',
    'GET /channel_people/general?q=:x&role=:x',
    'GET /channel_people/general?limit=:x',
    'GET /channel_people/general?cursor=:x',
    'GET /channel_files/general?type=:x',
    'GET /channel_files/general?q=:x&sender=:x',
    'GET /channel_files/general?limit=:x',
    'GET /channel_files/general?cursor=:x',
    'GET /link_preview?url=:x',
    'GET /link_preview?url=http://:x/',
    'GET /link_preview?url[]=:x&url=:x',
    'GET /invites?state=:x',
    'GET /invites?limit=:x',
    'GET /invites?cursor=:x',
    'GET /admin/tokens?username=:x',
    'GET /admin/tokens?limit=:x',
    'GET /admin/tokens?cursor=:x',
    'GET /hooks_in?cursor=:x',
    'GET /hooks_out?cursor=:x',
    'GET /workspace_logo?v=:x',
    'GET /workspace_accent.css?v=:x',
    'GET /search_messages?q=:x',
    'GET /search_messages?from=:x',
    'GET /search_messages?channel=:x',
    'GET /search_messages?q=a&start=:x&end=:x',
    'GET /search_messages?q=a&before_id=:x&has=:x',
    'GET /search_messages?q[]=:x&q=:x',
    'GET /search?q=:x',
    'GET /search?q=from%3A:x+in%3A:x+on%3A:x+has%3A:x+-is%3A:x',
    'GET /search?q=a&limit=:x',
    'GET /search?q=a&cursor=:x',
    'GET /search?q=a&tz=:x&sort=:x',
    'GET /search?q[]=:x&q=:x',
    'GET /people?since=:x',
    'GET /:x',
    'GET /calls/CALL/signals?after=:x',
    'GET /calls/:x/media?sender=bob',
    'GET /calls/CALL/media?sender=:x&after=:x',
    'POST /calls/CALL/media?init=1&mime=:x',
    'GET /screenshare/active?channel=:x',
    'GET /screenshare/SHARE/signals?after=:x',
    'GET /screenshare/SHARE/media?after=:x',
  ]

  const BODIES: [name: string, init: RequestInit][] = [
    ['none', {}],
    ['empty form', { body: new URLSearchParams() }],
    [
      'lists',
      form('text=a&text=b&reaction=tada&reaction=x&username=a&username=b&reply_to_id=1&reply_to_id=2'),
    ],
    [
      'NULs',
      form(
        'text=%00&reaction=%00&username=%00&password=%00&reply_to_id=%00&client_id=%00&part_of=%00&composed_for=%00',
      ),
    ],
    ['brackets', form('text[a]=b&username[__proto__]=x&__proto__=x&constructor=y')],
    ['broken percent', form('txt=%E0%A4%A&username=%')],
    ['many parameters', form(Array.from({ length: 500 }, (_, i) => `f${i}=1`).join('&'))],
    ['oversize form', form(`ignored=${'x'.repeat(2 * 1024 * 1024)}`)],
    ['broken JSON', json('{"channel":')],
    ['JSON null', json('null')],
    ['JSON list', json('[]')],
    ['JSON number', json('7')],
    ['JSON wrong types', json('{"channel":7,"state":[],"override":{},"username":null,"name":false}')],
    ['JSON wrong ids', json('{"message_id":9223372036854775808,"message_ids":[0.5],"muted_until":-1}')],
    ['JSON lone surrogate', json('{"channel":"\\ud800","state":"\\udfff"}')],
    ['JSON NUL', json('{"channel":"dm:a\\u0000:b","state":"\\u0000"}')],
    ['JSON deep', json('['.repeat(20_000) + ']'.repeat(20_000))],
    ['oversize JSON', json(JSON.stringify({ channel: 'x'.repeat(300_000) }))],
    [
      'unknown charset',
      { ...form('text='), headers: type('application/x-www-form-urlencoded; charset=klingon') },
    ],
    ['multipart without boundary', { body: 'x', headers: type('multipart/form-data') }],
    [
      'multipart cut off',
      { body: '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nx', headers: multipart('b') },
    ],
    ['multipart nonsense', { body: '\r\n\r\n--b--\0\0', headers: multipart('b') }],
    ['multipart nested', { body: part('text[a][b][c]', 'x'), headers: multipart('b') }],
    [
      'multipart unknown file field',
      { body: part('avatar"; filename="a.png', 'x'), headers: multipart('b') },
    ],
    [
      'compressed',
      {
        ...form('text='),
        headers: { ...type('application/x-www-form-urlencoded'), 'Content-Encoding': 'gzip' },
      },
    ],
  ]
  const POSTS = [
    '/send/general',
    '/edit/ID',
    '/delete/ID',
    '/react/ID',
    '/moderate/delete/ID',
    '/dms/close',
    '/presence/override',
    '/settings',
    '/avatar',
    '/change-password',
    '/delete_account',
    '/send/dm:bob:cleo',
    '/mark_read/dm:bob:cleo',
    '/mark_unread',
    '/mark_unread/general',
    '/mark_unread/dm:bob:cleo',
    '/inbox/read',
    '/calls/initiate',
    '/calls/CALL/invite',
    '/calls/CALL/signal',
    '/calls/CALL/screenshare',
    '/screenshare/start',
    '/screenshare/SHARE/signal',
    '/typing/dm:bob:cleo',
    '/private_channels/create',
    '/private_channels/1/rename',
    '/private_channels/1/add_member',
    '/private_channels/1/remove_member',
    '/public_channels',
    '/sections',
    '/scheduled',
    '/forward/ID',
    '/groups',
    '/tokens',
    '/bots',
    '/commands',
    '/hooks_in',
    '/hooks_out',
    '/command/general',
    '/hooks/answer/x',
    '/mcp',
    '/slack_uploads/x',
    '/emoji',
    '/public_channels/general/add',
    '/public_channels/general/remove',
    '/private_channels/999999/leave',
    '/no/such/path',
  ]
  /** Endpoints for which empty input is valid. */
  const MILD = ['/presence', '/typing', '/settings']
  const OPEN_POSTS = ['/signup', '/login', '/reset-password/unknown', '/claim/AAAAAAAAAAAAAAAA']
  /** Bad values of a text field and their codes; a time zone is `invalid` in each case. */
  const BAD_TEXTS: [value: unknown, code: string][] = [
    [7, 'required'],
    [false, 'required'],
    [['x'], 'required'],
    [{}, 'required'],
    ['x'.repeat(10_000), 'too_long'],
    ['a\0b', 'invalid'],
    ['a\nb', 'invalid'],
    ['\ud800', 'invalid'],
  ]

  /** A message that mallory cannot read; a call and a share in which she takes part. */
  const place = (path: string) => path.replace('ID', String(id)).replace('CALL', call).replace('SHARE', share)

  /** The state that bad input must not change. Requests by a sharer about their share are its heartbeat. */
  async function everything() {
    const tables = [
      'users',
      'channels',
      'messages',
      'reactions',
      'message_mentions',
      'read_watermarks',
      'hidden_dms',
      'channel_prefs',
      'channel_properties',
      'channel_managers',
      'channel_memberships',
      'sidebar_sections',
      'pins',
      'saved',
      'scheduled',
      'drafts',
      'own_lists',
      'user_groups',
      'group_members',
      'made_once',
      'message_edits',
      'hidden_versions',
      'custom_emoji',
      'calls',
      'call_participants',
      'signals',
      'media_chunks',
      'screen_shares',
      'private_channels',
      'private_channel_members',
      'reset_tokens',
      'deleted_names',
      'removed_messages',
      'activity',
      'thread_follows',
      'preferences',
      'workspace_settings',
      'invites',
      'api_tokens',
      'invite_uses',
      'files',
      'uploads',
      'made_once',
      'audit_log',
      'claim_codes',
    ]
    const found: unknown[] = []
    for (const table of tables) {
      found.push((await db.query(`select to_jsonb(t) - 'seen_ts' as row from ${table} t order by 1`)).rows)
    }
    return JSON.stringify(found)
  }

  it('in paths and queries is refused and changes nothing', async function () {
    this.timeout(300_000)
    const before = await everything()
    for (const endpoint of [...PATHS, ...QUERIES]) {
      for (const nasty of NASTY) {
        const [method, path] = endpoint.split(' ') as [string, string]
        const response = await world.mallory.fetch(place(path).replaceAll(':x', nasty), { method })
        const body = await response.text()
        expect(response.status, `${endpoint} ${nasty.slice(0, 40)}: ${body.slice(0, 200)}`).to.be.within(
          200,
          499,
        )
      }
    }
    expect(await everything()).to.equal(before)
  })

  it('in bodies is refused and changes nothing', async function () {
    this.timeout(300_000)
    const before = await everything()
    for (const path of POSTS) {
      for (const [name, init] of BODIES) {
        const response = await world.mallory.fetch(place(path), {
          ...init,
          method: 'POST',
        })
        const body = await response.text()
        expect(response.status, `${path} ${name}: ${body.slice(0, 200)}`).to.be.within(200, 499)
        if (!MILD.some(mild => path.startsWith(mild))) {
          expect(response.status, `${path} ${name}`).to.be.at.least(400)
        }
      }
    }
    expect(await everything()).to.equal(before)
  })

  it('in preferences is refused and changes nothing', async () => {
    const before = await everything()
    for (const [name, init] of BODIES) {
      const response = await world.mallory.fetch('/preferences', { ...init, method: 'PATCH' })
      const body = await response.text()
      expect(response.status, `${name}: ${body.slice(0, 200)}`).to.be.within(400, 499)
    }
    for (const share_read of [0, 1, 'true', '', [], {}, 'x'.repeat(10_000)]) {
      const response = await world.mallory.prefer({ share_read })
      expect(response.status).to.equal(400)
      expect(await response.json()).to.deep.equal({
        error: 'share_read must be true or false',
        code: 'invalid',
      })
    }
    expect((await world.mallory.prefer({ share_read: false, colour: 'red' })).status).to.equal(400)
    expect(await everything()).to.equal(before)
  })

  it('in the own profile is refused and changes nothing', async () => {
    const before = await everything()
    for (const [name, init] of BODIES) {
      const response = await world.mallory.fetch('/me', { ...init, method: 'PATCH' })
      const body = await response.text()
      expect(response.status, `${name}: ${body.slice(0, 200)}`).to.be.within(200, 499)
    }
    for (const field of ['display_name', 'title', 'timezone']) {
      for (const [value, code] of BAD_TEXTS) {
        const response = await world.mallory.patchJson('/me', {
          display_name: 'M',
          title: 'T',
          [field]: value,
        })
        expect(response.status, `${field} ${JSON.stringify(value).slice(0, 20)}`).to.equal(400)
        const answer = (await response.json()) as { code: string }
        expect(answer.code).to.be.oneOf([code, 'invalid'])
      }
    }
    expect(await everything()).to.equal(before)
  })

  it('in settings is refused and changes nothing, whoever sends it', async () => {
    const before = await everything()
    for (const person of [world.ada, world.mallory]) {
      for (const [name, init] of BODIES) {
        for (const [method, path] of [
          ['PATCH', '/admin/settings'],
          ['POST', '/admin/logo'],
          ['POST', '/admin/backups'],
          ['POST', '/confirm'],
        ] as const) {
          if (path === '/confirm' && name === 'JSON wrong types') continue
          const response = await person.fetch(path, { ...init, method })
          const body = await response.text()
          const about = `${method} ${path} ${name}: ${response.status} ${body.slice(0, 200)}`
          if (path === '/admin/settings' && response.status === 204) continue
          expect(response.status, about).to.be.within(400, 499)
        }
      }
    }
    for (const value of [7, -1, 0.5, [], {}, '', 'x'.repeat(10_000), '\0', '\ud800', true]) {
      for (const key of [
        'workspace_name',
        'signup_mode',
        'who_invites',
        'accent',
        'no_such_setting',
        '__proto__',
      ]) {
        const body = `{"read_receipts": false, "${key}": ${JSON.stringify(value)}}`
        const response = await world.ada.fetch('/admin/settings', { ...json(body), method: 'PATCH' })
        expect(response.status, body.slice(0, 60)).to.equal(400)
        expect(((await response.json()) as { error: string }).error).to.include(key)
      }
    }
    expect(await everything()).to.equal(before)
  })

  it('in fields of channels is refused with its sentence and changes nothing', async function () {
    this.timeout(300_000)
    const { ada } = world
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    await ada.postJson('/public_channels', { name: 'Mine' })
    const own = await ada.send('general', 'not marked')
    const before = await everything()
    const values = [0, -1, 1.5, null, [], {}, true, '\u0000', '\ud800', 'x'.repeat(10_000)]
    /** Where null takes a value away, or stands for none. */
    const emptied = ['id', 'client_id', 'topic', 'description', 'section', 'before', 'muted_until']
    const endpoints: [method: string, path: string, base: object, fields: string[]][] = [
      [
        'POST',
        '/public_channels',
        { name: 'New' },
        ['name', 'id', 'topic', 'description', 'client_id', 'default'],
      ],
      ['PATCH', '/channel_info/mine', {}, ['name', 'topic', 'description', 'posting', 'default']],
      ['POST', '/public_channels/mine/add', {}, ['usernames']],
      ['POST', '/sections', { name: 'New' }, ['name', 'collapsed', 'before']],
      ['PATCH', '/channel_prefs/general', {}, ['level', 'favourite', 'section', 'before', 'order']],
      ['PATCH', '/channel_prefs/general', {}, ['muted_for_minutes', 'muted_until']],
      ['POST', '/mark_unread/general', { message_id: own }, ['message_id']],
      ['POST', '/groups', { handle: 'fresh', name: 'Fresh', members: [] }, ['handle', 'name']],
      ['POST', '/public_channels/mine/remove', {}, ['username']],
    ]
    for (const [method, path, base, fields] of endpoints) {
      for (const field of fields) {
        for (const value of values) {
          if (['default', 'collapsed', 'favourite'].includes(field) && value === true) continue
          if (emptied.includes(field) && value === null) continue
          // For ever, and not at all.
          if (field === 'muted_for_minutes' && (value === -1 || value === 0)) continue
          const response = await ada.fetch(path, {
            ...json(JSON.stringify({ ...base, [field]: value })),
            method,
          })
          const body = await response.text()
          // An unknown name is not in the channel.
          const isId = field === 'before' || field === 'message_id'
          const statuses = field === 'username' ? [400, 409] : isId ? [400, 404] : [400]
          expect(
            response.status,
            `${method} ${path} ${field} ${String(value).slice(0, 9)}: ${body}`,
          ).to.be.oneOf(statuses)
          expect(JSON.parse(body)).to.have.keys('error', 'code')
        }
      }
    }
    expect(await everything()).to.equal(before)
  })

  it('in fields of bots, hooks and commands is refused with its sentence and changes nothing', async () => {
    const { ada } = world
    await db.query(`update users set role = 'owner' where username = 'ada'`)
    expect((await ada.postJson('/bots', { username: 'own-bot' })).status).to.equal(201)
    const command = { url: 'https://a.example/', bot: 'own-bot' }
    expect((await ada.postJson('/commands', { name: 'own', ...command })).status).to.equal(201)
    const hook = { name: 'Deploys', channel: 'general' }
    const madeHook = await ada.postJson('/hooks_in', hook)
    expect(madeHook.status).to.equal(201)
    const hookPath = `/hooks_in/${((await madeHook.json()) as { id: number }).id}`
    const outgoing = { name: 'Out', url: 'https://a.example/', events: ['message.created'] }
    const madeOut = await ada.postJson('/hooks_out', outgoing)
    expect(madeOut.status).to.equal(201)
    const outPath = `/hooks_out/${((await madeOut.json()) as { id: number }).id}`
    const before = await everything()
    const values = [0, -1, 1.5, null, [], {}, true, '\u0000', '\ud800', 'x'.repeat(10_000)]
    const endpoints: [method: string, path: string, base: object, fields: string[]][] = [
      ['POST', '/bots', { username: 'new-bot' }, ['username', 'display_name', 'description', 'channels']],
      ['POST', '/bots', { username: 'new-bot' }, ['guest', 'client_id']],
      ['PATCH', '/bots/own-bot', {}, ['display_name', 'description', 'owner', 'avatar']],
      ['POST', '/bots/own-bot/tokens', { name: 'CI' }, ['name', 'scopes', 'channels_only', 'client_id']],
      ['POST', '/bots/own-bot/tokens', { name: 'CI' }, ['expires_in_days']],
      ['POST', '/commands', { name: 'new', ...command }, ['name', 'url', 'bot', 'client_id']],
      ['POST', '/commands', { name: 'new', ...command }, ['description', 'usage']],
      ['PATCH', '/commands/own', {}, ['url', 'bot', 'description', 'usage']],
      ['POST', '/hooks_in', hook, ['name', 'template', 'client_id']],
      ['PATCH', hookPath, {}, ['name', 'template', 'sign_secret']],
      ['POST', `${hookPath}/sign_secret`, {}, ['secret']],
      ['POST', '/hooks_out', outgoing, ['name', 'url', 'format', 'bot', 'events', 'channels', 'triggers']],
      ['POST', '/hooks_out', outgoing, ['client_id']],
      ['PATCH', outPath, {}, ['name', 'url', 'format', 'bot', 'events', 'triggers']],
      ['POST', `${hookPath}/try`, { body: '{"text":"x"}' }, ['headers', 'body']],
      ['POST', '/command/general', { text: '/none' }, ['text', 'reply_to_id', 'client_id']],
    ]
    /** Where null takes a value away, or stands for none. */
    const emptied = [
      ...['display_name', 'description', 'channels', 'avatar', 'client_id', 'channels_only'],
      'usage',
      'triggers',
      'template',
      'sign_secret',
    ]
    for (const [method, path, base, fields] of endpoints)
      for (const field of fields)
        for (const value of values) {
          if (value === null && emptied.includes(field)) continue
          // No channel, no end, and a guest without channels.
          if (field === 'channels' && Array.isArray(value) && path !== '/hooks_out') continue
          if (field === 'expires_in_days' && value === 0) continue
          // Then one is made.
          if (path === '/hooks_out' && field === 'bot' && value === null) continue
          if (field === 'headers' && typeof value === 'object') continue
          if (field === 'reply_to_id' && value === null) continue
          const response = await ada.fetch(path, {
            ...json(JSON.stringify({ ...base, [field]: value })),
            method,
          })
          const body = await response.text()
          expect(
            response.status,
            `${method} ${path} ${field} ${String(value).slice(0, 9)}: ${body}`,
          ).to.equal(400)
          expect(JSON.parse(body)).to.have.keys('error', 'code', 'request_id')
        }
    for (const name of NASTY)
      for (const [method, verb] of [
        ['PATCH', ''],
        ['DELETE', ''],
        ['GET', '/tokens'],
        ['POST', '/tokens'],
        ['POST', '/deactivate'],
        ['POST', '/reactivate'],
      ] as const) {
        const response = await ada.fetch(`/bots/${name}${verb}`, {
          ...(method === 'GET' ? {} : json('{"name": "CI", "description": "x"}')),
          method,
        })
        const about = `${method} /bots/${name.slice(0, 40)}${verb}: ${(await response.text()).slice(0, 200)}`
        expect(response.status, about).to.be.within(400, 499)
      }
    expect(await everything()).to.equal(before)
  })

  it('in the administration of people and of messages is refused and changes nothing', async function () {
    this.timeout(300_000)
    const { ada } = world
    const own = await ada.send('general', 'stays')
    const before = await everything()
    for (const nasty of NASTY) {
      for (const [method, path] of [
        ['GET', '/admin/people?q=:x&role=:x&state=:x'],
        ['GET', '/admin/people?limit=:x'],
        ['GET', '/admin/people?cursor=:x'],
        ['GET', '/admin/audit?actor=:x&target=:x&action=:x'],
        ['GET', '/admin/audit?from=:x&to=:x'],
        ['GET', '/admin/audit?cursor=:x'],
        ['GET', '/admin/audit?cursor=:x_1'],
        ['GET', '/admin/audit.csv?from=:x'],
        ['GET', '/admin/retention?setting=retention_days&value=:x'],
        ['GET', '/admin/retention?setting=:x&value=1'],
        ['GET', '/admin/channels?list=:x&sort=:x'],
        ['GET', '/admin/channels?q=:x&limit=:x'],
        ['GET', '/admin/channels?cursor=:x'],
        ['PATCH', '/admin/people/:x'],
        ['POST', '/admin/people/:x/approve'],
        ['POST', '/admin/people/:x/deactivate'],
        ['POST', '/admin/people/:x/reset_link'],
        ['POST', '/admin/people/:x/delete'],
        ['POST', '/moderate/delete/:x'],
      ] as const) {
        const response = await ada.fetch(path.replaceAll(':x', nasty), { method })
        const about = `${method} ${path} ${nasty.slice(0, 40)}: ${(await response.text()).slice(0, 200)}`
        expect(response.status, about).to.be.within(200, 499)
      }
    }
    for (const [name, init] of BODIES) {
      for (const [method, path] of [
        ['POST', '/admin/people'],
        ['POST', '/admin/people/bob/delete'],
        ['PATCH', '/admin/people/nobody-here'],
      ] as const) {
        const response = await ada.fetch(path, { ...init, method })
        const about = `${method} ${path} ${name}: ${(await response.text()).slice(0, 200)}`
        expect(response.status, about).to.be.within(400, 499)
      }
    }
    const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code
    for (const [field, value, code] of [
      ...['display_name', 'title'].flatMap(one => BAD_TEXTS.map(([bad, why]) => [one, bad, why] as const)),
      ...[7, {}, ['x'], true].flatMap(bad => ['role', 'email'].map(one => [one, bad, 'required'] as const)),
      ...['king', '\0', 'x'.repeat(10_000)].map(bad => ['role', bad, 'invalid'] as const),
      ...['a@', 'a b@c', 'a\0@b.c', '\ud800@b.c'].map(bad => ['email', bad, 'invalid'] as const),
      ['email', `${'x'.repeat(10_000)}@b.c`, 'too_long'],
      ...[7, {}, 'general'].map(bad => ['channels', bad, 'required'] as const),
      ...[[7], ['no-such-channel'], ['\0'], ['dm:ada:bob'], ['private:1'], Array(51).fill('general')].map(
        bad => ['channels', bad, 'invalid'] as const,
      ),
    ] as const) {
      const body = { title: 'T', role: 'guest', channels: ['general'], [field]: value }
      for (const response of [
        await ada.patchJson('/admin/people/bob', body),
        await ada.postJson('/admin/people', { username: 'fresh', ...body }),
      ]) {
        const about = `${field} ${JSON.stringify(value).slice(0, 30)}`
        expect(response.status, about).to.equal(400)
        expect(await codeOf(response), about).to.be.oneOf([code, 'invalid'])
      }
    }
    for (const username of [null, 7, '', 'a b', 'system', '\0', '\ud800', 'x'.repeat(10_000), []])
      expect((await ada.postJson('/admin/people', { username })).status).to.equal(400)
    for (const client_id of [7, {}, ['x'], '', 'once', '\0', 'x'.repeat(10_000)])
      expect((await ada.postJson('/admin/people', { username: 'fresh', client_id })).status).to.equal(400)
    for (const reason of [7, {}, ['x'], '\0', 'x'.repeat(10_000)])
      expect((await ada.postJson(`/moderate/delete/${own}`, { reason })).status).to.equal(400)
    expect(await everything()).to.equal(before)
  })

  it('in invitations is refused and changes nothing', async () => {
    const before = await everything()
    // Objects without a field of invitations are valid.
    const objects = ['JSON wrong types', 'JSON wrong ids', 'JSON lone surrogate', 'JSON NUL']
    for (const [name, init] of BODIES.filter(([about]) => !objects.includes(about))) {
      const response = await world.ada.fetch('/invites', { ...init, method: 'POST' })
      const body = await response.text()
      expect(response.status, `${name}: ${body.slice(0, 200)}`).to.be.within(400, 499)
    }
    for (const [field, values] of Object.entries({
      role: [7, false, {}, ['member'], 'owner', 'x'.repeat(10_000), '\0', '\ud800'],
      channels: [7, 'general', {}, [7], [null], ['\0'], ['\ud800'], ['private:9223372036854775808']],
      expires_in_hours: ['1', -1, 0.5, 1e300, {}, [], true],
      max_uses: ['1', 0, -1, 0.5, 1e300, {}, [], true],
      note: [7, {}, [], 'x'.repeat(10_000), 'a\0b', '\ud800'],
      client_id: [7, {}, [], 'x', 'x'.repeat(10_000), '\0'],
    })) {
      for (const value of values) {
        const response = await world.ada.postJson('/invites', { note: 'n', [field]: value })
        expect(response.status, `${field} ${JSON.stringify(value).slice(0, 30)}`).to.equal(400)
      }
    }
    expect(await everything()).to.equal(before)
  })

  it('in account forms is refused and changes nothing', async function () {
    this.timeout(300_000)
    const before = await everything()
    const attempts = OPEN_POSTS.flatMap(path =>
      BODIES.map(async ([name, init]) => {
        const response = await fetch(world.api[0]!.url + path, {
          ...init,
          method: 'POST',
          redirect: 'manual',
        })
        await response.text()
        expect(response.status, `${path} ${name}`).to.be.oneOf([200, 400, 403, 413, 415])
      }),
    )
    await Promise.all(attempts)
    expect(await everything()).to.equal(before)
  })
})

function form(body: string): RequestInit {
  return { body, headers: type('application/x-www-form-urlencoded') }
}
function json(body: string): RequestInit {
  return { body, headers: type('application/json') }
}
function type(name: string) {
  return { 'Content-Type': name }
}
function multipart(boundary: string) {
  return type(`multipart/form-data; boundary=${boundary}`)
}
function part(name: string, value: string) {
  return `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`
}
