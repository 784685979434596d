import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import { DELTA_NAMES, EXTRA_EVENTS, WITH_EXTRA } from '#shared/domain/deltas.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { ROUTES } from './endpoints.ts'

/*
 * Walks every endpoint as a guest. A response must be the same whether something that the guest may not see exists or
 * not: lists before and after it comes into being, look-ups by its id and by an id that nothing has. A new endpoint
 * needs a line here.
 */

/** An id of something that the guest may not see, and one of the same form that nothing has. */
type Pair = [unseen: string, missing: string]

/** Kinds of ids in paths, by endpoint; a list without kinds has no ids. */
const LOOKUPS: Record<string, readonly Kind[]> = {
  'GET /messages/:channel': ['channel'],
  'GET /message/:id': ['message'],
  'GET /m/:id': ['message'],
  'GET /seen/:id': ['message'],
  'GET /message/:id/edits': ['message'],
  'GET /channel_days/:channel': ['channel'],
  'GET /pins/:channel': ['channel'],
  'PUT /saved/:id': ['message'],
  'PATCH /saved/:id': ['message'],
  'DELETE /saved/:id': ['message'],
  'POST /command/:channel': ['channel'],
  'PUT /drafts/:channel': ['channel'],
  'POST /forward/:id': ['message'],
  'PUT /pin/:id': ['message'],
  'DELETE /pin/:id': ['message'],
  'GET /thread/:id': ['message'],
  'PUT /thread/:id/follow': ['message'],
  'DELETE /thread/:id/follow': ['message'],
  'POST /thread/:id/read': ['message'],
  'GET /channel_members/:channel': ['channel'],
  'GET /read_receipts/:channel': ['channel'],
  'GET /typing/:channel': ['channel'],
  'GET /channel_info/:channel': ['channel'],
  'GET /channel_people/:channel': ['channel'],
  'GET /files/:name': ['file'],
  'GET /file_preview/:name': ['file'],
  'GET /channel_files/:channel': ['channel'],
  'GET /avatar/:username': ['person'],
  'GET /profile/:username': ['person'],
  'GET /invites/:id/qr.svg': ['invite'],
  'DELETE /invites/:id': ['invite'],
  'DELETE /tokens/:id': ['token'],
  'GET /hooks_in/:id/calls': ['hook'],
  'PATCH /hooks_in/:id': ['hook'],
  'DELETE /hooks_in/:id': ['hook'],
  'POST /hooks_in/:id/new_token': ['hook'],
  'POST /hooks_in/:id/sign_secret': ['hook'],
  'POST /hooks_in/:id/try': ['hook'],
  'PATCH /hooks_out/:id': ['outgoing'],
  'DELETE /hooks_out/:id': ['outgoing'],
  'POST /hooks_out/:id/new_secret': ['outgoing'],
  'POST /hooks_out/:id/test': ['outgoing'],
  'GET /hooks_out/:id/deliveries': ['outgoing'],
  'POST /deliveries/:id/again': ['delivery'],
  'POST /send/:channel': ['channel'],
  'POST /edit/:id': ['message'],
  'POST /delete/:id': ['message'],
  'POST /react/:id': ['message'],
  'POST /moderate/delete/:id': ['message'],
  'POST /mark_read/:channel': ['channel'],
  'POST /mark_unread/:channel': ['channel'],
  'POST /typing/:channel': ['channel'],
  'PATCH /channel_prefs/:channel': ['channel'],
  'PATCH /sections/:id': ['section'],
  'DELETE /sections/:id': ['section'],
  'PATCH /scheduled/:id': ['scheduled'],
  'DELETE /scheduled/:id': ['scheduled'],
  'POST /public_channels/:channel/join': ['channel'],
  'POST /public_channels/:channel/leave': ['channel'],
  'POST /public_channels/:channel/add': ['channel'],
  'POST /public_channels/:channel/remove': ['channel'],
  'PATCH /channel_info/:channel': ['channel'],
  'POST /channel_info/:channel/archive': ['channel'],
  'POST /channel_info/:channel/unarchive': ['channel'],
  'PATCH /groups/:handle': ['group'],
  'DELETE /groups/:handle': ['group'],
  'PATCH /bots/:name': ['bot'],
  'GET /bots/:name/tokens': ['bot'],
  'POST /bots/:name/tokens': ['bot'],
  'POST /bots/:name/deactivate': ['bot'],
  'POST /bots/:name/reactivate': ['bot'],
  'DELETE /bots/:name': ['bot'],
  'PUT /channel_info/:channel/managers/:username': ['channel', 'person'],
  'DELETE /channel_info/:channel/managers/:username': ['channel', 'person'],
}

type Kind =
  | 'channel'
  | 'message'
  | 'file'
  | 'person'
  | 'invite'
  | 'section'
  | 'group'
  | 'scheduled'
  | 'token'
  | 'bot'
  | 'hook'
  | 'outgoing'
  | 'delivery'

/** Lists and other reads without an id. */
const LISTS = [
  '/channels',
  '/channel_unreads',
  '/client_config',
  '/dms',
  '/emoji',
  '/bots',
  '/commands',
  '/hooks_in',
  '/hooks_in?channel=general',
  '/hooks_out',
  '/groups',
  '/inbox',
  '/inbox?kind=mention',
  '/inbox?kind=added',
  '/inbox?kind=reaction',
  '/inbox?unread=1',
  '/mentions',
  '/me',
  '/online_users',
  '/people',
  '/people?since=0',
  '/people_changes',
  '/preferences',
  '/presence/override',
  '/private_channels',
  '/private_channels?archived=1',
  '/public_channels',
  '/public_channels?archived=1&sort=members',
  '/public_channels?q=vault',
  '/public_channels?with=writers',
  '/public_channels?managed=1',
  '/running_calls',
  '/calls/incoming',
  '/search?q=vaultword',
  '/search?q=vaultword+in:vault',
  '/search?q=from:mallory',
  '/search?q=is:mention',
  '/search?q=has:image',
  '/search_messages?q=vaultword',
  '/search_messages?from=mallory',
  '/search_messages?channel=vault',
  '/search_messages?channel=dm:cleo:mallory',
  '/saved',
  '/saved?state=done',
  '/scheduled',
  '/drafts',
  '/session',
  '/settings',
  '/sidebar',
  '/threads',
  '/threads?unread=1',
  '/threads?own=1',
  '/unread_count',
  '/user_avatars',
  '/user_colors',
  '/users',
  '/version',
  '/workspace',
  '/screenshare/active?channel=private:1',
  '/screenshare/active?channel=vault',
  '/invites',
  '/tokens',
  '/admin/tokens',
  '/admin/tokens?username=mallory',
  '/admin/audit',
  '/admin/audit.csv',
  '/admin/backups',
  '/admin/channels',
  '/admin/people',
  '/admin/retention?setting=retention_days&value=1',
  '/admin/settings',
  '/admin/stats',
]

/** Reads of what the guest may see, which does not change either. */
const OWN = [
  '/messages/DEN',
  '/messages/DEN?extra=1',
  '/messages/project',
  '/message/SEEN?full=1',
  '/thread/SEEN',
  '/message/SEEN/edits',
  '/channel_days/DEN?month=2026-03',
  '/channel_days/project?month=2026-03',
  '/pins/DEN',
  '/linked_messages?ids=SEEN',
  '/seen/SEEN',
  '/channel_members/DEN',
  '/channel_members/project',
  '/read_receipts/DEN',
  '/read_receipts/project',
  '/channel_info/DEN',
  '/channel_info/project',
  '/channel_people/project',
  '/channel_people/DEN',
  '/channel_people/project?q=mall',
  '/channel_people/project?role=manager',
  '/channel_files/DEN',
  '/channel_files/project?sender=mallory',
  '/private_channels/1/members',
  '/typing/project',
  '/profile/bob',
]

/** Without ids of others, or of a form that cannot be guessed (calls, shares, codes): the rest of the interface. */
const ELSEWHERE = [
  // Lists of LISTS, as far as they are ready in time.
  'GET /',
  // Pages without a session.
  ...['GET /openapi.json', 'GET /api-docs'],
  ...['GET /trust', 'GET /trust/bothy-authority.crt', 'GET /trust/bothy-authority.pem'],
  ...['GET /about', 'GET /forgot-password', 'GET /login', 'GET /signup', 'GET /logout', 'GET /csrf_token'],
  ...['POST /login', 'POST /signup', 'GET /reset-password/:token', 'POST /reset-password/:token'],
  ...[
    'GET /claim/:code',
    'POST /claim/:code',
    'GET /invite/:code',
    'GET /invite/:code/picture',
    'POST /invite/:code',
    'GET /workspace_accent.css',
    'GET /workspace_logo',
  ],
  // The emoji of the workspace, the same for everybody; guests neither add nor remove any.
  ...['GET /emoji/:name', 'POST /emoji', 'DELETE /emoji/:name'],
  // The caller's own account.
  ...['POST /settings', 'POST /avatar', 'DELETE /avatar', 'POST /change-password', 'POST /delete_account'],
  ...['GET /sessions', 'DELETE /sessions/:id', 'PATCH /me', 'POST /confirm', 'PATCH /preferences'],
  ...['PUT /status', 'DELETE /status', 'POST /presence', 'POST /presence/override', 'POST /sections'],
  ...['POST /mark_all_read', 'POST /threads/read', 'POST /client_errors'],
  // 403 for a guest, whatever the request: services/api/people/people.test.ts.
  ...[
    'POST /admin/logo',
    'DELETE /admin/logo',
    'PATCH /admin/settings',
    'POST /admin/backups',
    'POST /admin/people',
  ],
  ...['POST /commands', 'PATCH /commands/:name', 'DELETE /commands/:name'],
  ...['PATCH /admin/people/:name', 'POST /admin/people/:name/delete', 'POST /admin/people/:name/rename'],
  ...['approve', 'reject', 'deactivate', 'reactivate', 'end_sessions', 'reset_link'].map(
    verb => `POST /admin/people/:name/${verb}`,
  ),
  ...[
    'POST /private_channels/create',
    'POST /public_channels',
    'POST /invites',
    'POST /groups',
    'POST /tokens',
    'POST /bots',
    'POST /hooks_in',
    'POST /hooks_out',
  ],
  // Addresses with a secret: services/api/hooks/hooks.test.ts.
  ...['GET', 'POST'].flatMap(method => [`${method} /hooks/:token`, `${method} /hooks/:token/:shape`]),
  // 403 for a private channel of others, 404 for a number that none has, as the base requires (interface 4.7).
  ...[
    'GET /private_channels/:id/members',
    'POST /private_channels/:id/leave',
    'POST /private_channels/:id/rename',
  ],
  // In a private channel of the guest: FIELDS.
  ...['POST /private_channels/:id/add_member', 'POST /private_channels/:id/remove_member'],
  // Ids of calls, shares and cards are random.
  ...['state', 'signals', 'media'].map(verb => `GET /calls/:id/${verb}`),
  ...['accept', 'reject', 'end', 'leave', 'join', 'invite', 'screenshare', 'signal', 'media'].map(
    verb => `POST /calls/:id/${verb}`,
  ),
  ...['signals', 'media'].map(verb => `GET /screenshare/:id/${verb}`),
  ...['stop', 'signal', 'media'].map(verb => `POST /screenshare/:id/${verb}`),
  'GET /card_picture/:id',
  // Tokens of late answers are random.
  'POST /hooks/answer/:token',
  // Tickets of uploads are sealed: services/api/slack-api/files.test.ts.
  'POST /slack_uploads/:ticket',
  // By tokens alone: services/api/slack-api/slack-api.test.ts.
  ...ROUTES.filter(route => route.includes(' /api/')),
  // The same: services/api/mcp/mcp.test.ts.
  'POST /mcp',
  // Ids of uploads are random.
  ...['PUT', 'PATCH', 'DELETE'].map(verb => `${verb} /uploads/:id`),
]

/** Endpoints that name things in their body or query: {x} is the unseen or missing one. */
const FIELDS: [kind: Kind, method: string, path: string, fields: Record<string, unknown>][] = [
  ['channel', 'POST', '/calls/initiate', { channel: '{x}' }],
  ['channel', 'POST', '/screenshare/start', { channel: '{x}' }],
  ['channel', 'POST', '/dms/close', { channel: '{x}' }],
  [
    'channel',
    'POST',
    '/scheduled',
    { channel: '{x}', text: 'hello', send_ts: Math.round(Date.now() / 1_000) + 9_000 },
  ],
  ['channel', 'POST', '/forward/SEEN', { channel: '{x}' }],
  ['channel', 'PATCH', '/channel_prefs/project', { before: '{x}' }],
  ['section', 'PATCH', '/channel_prefs/project', { section: '{x}' }],
  ['message', 'POST', '/mark_unread', { message_ids: ['{x}'] }],
  ['message', 'POST', '/mark_unread/project', { message_id: '{x}' }],
  ['message', 'POST', '/inbox/read', { ids: ['m{x}'] }],
  ['message', 'POST', '/thread/SEEN/read', { upto: '{x}' }],
  ['message', 'PUT', '/drafts/project', { text: 'x', thread_id: '{x}', updated_ts: 1 }],
  ['message', 'GET', '/thread/SEEN?before={x}', {}],
  ['message', 'GET', '/messages/project?before={x}', {}],
  ['channel', 'GET', '/threads?channel={x}', {}],
  ['person', 'GET', '/search_messages?q=hello&from={x}', {}],
  ['person', 'GET', '/channel_people/project?q={x}', {}],
  ['person', 'GET', '/channel_files/project?sender={x}', {}],
  ['person', 'POST', '/send/dm:cleo:{x}', { text: 'hello' }],
  ['person', 'POST', '/send/dm:bob:cleo:{x}', { text: 'hello' }],
  ['file', 'GET', '/files/{x}?size=360', {}],
  ['file', 'GET', '/files/{x}?size=720&still=1', {}],
  ['file', 'GET', '/files/{x}?download=1', {}],
  ['file', 'HEAD', '/files/{x}', {}],
  ['person', 'HEAD', '/avatar/{x}', {}],
  ['person', 'POST', '/private_channels/1/add_member', { username: '{x}' }],
  ['person', 'POST', '/private_channels/1/remove_member', { username: '{x}' }],
  ['person', 'POST', '/public_channels/project/add', { usernames: ['{x}'] }],
  ['person', 'GET', '/search?q=hello+from:{x}', {}],
  ['person', 'GET', '/search?q=hello+in:@{x}', {}],
  ['channel', 'GET', '/search?q=hello+in:{x}', {}],
  ['channel', 'GET', '/search_messages?q=hello&channel={x}', {}],
  ['channel', 'GET', '/screenshare/active?channel={x}', {}],
  ['message', 'GET', '/messages/project?around={x}&limit=5', {}],
  ['message', 'GET', '/linked_messages?ids={x}', {}],
  ['channel', 'GET', '/channel_days/{x}?month=2026-03', {}],
  ['file', 'GET', '/link_preview?url=http://localhost/files/{x}', {}],
]

/** Requests that a server may answer without the content: 304, 206, 416. */
const CONDITIONS: Record<string, string>[] = [
  { 'If-None-Match': '*' },
  { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
  { Range: 'bytes=0-0' },
  { Range: 'bytes=99999999-' },
]

/** Headers that may differ between two responses to the same request. */
const CHANGING =
  /^(date|etag|connection|keep-alive|content-length|content-security-policy|x-request-id|x-message-id)$/

/** Ids that the guest sees, for paths with two. */
const SEEN: Record<string, string> = { ':channel': 'project', ':username': 'bob' }

/** Valid values of all fields, so that only the look-up can refuse. */
const BODY = {
  text: 'hello',
  reaction: 'tada',
  name: 'new name',
  topic: 'new topic',
  level: 'all',
  username: 'bob',
  usernames: ['bob'],
  message_id: 1,
}

describe('what a guest may not see', function () {
  this.timeout(300_000)
  let world: World
  let guest: Person
  let den: string
  let seen: number
  let db: pg.Client
  let gateway: RunningService
  before(async () => {
    world = await newWorld({ settings: { channels: ['general'] } })
    gateway = await startService('events', world.backing.env)
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    const { ada, bob, cleo } = world
    guest = cleo
    den = await world.privateChannel('den', [bob, guest])
    expect(den).to.equal('private:1')
    await bob.postJson('/public_channels', { name: 'Project' })
    const { status } = await ada.patchJson('/admin/people/cleo', { role: 'guest', channels: ['project'] })
    expect(status).to.equal(204)
    seen = await bob.send(den, 'seen @cleo')
    await guest.send(den, 'an answer', { reply_to_id: String(seen) })
    await bob.send('project', 'hello project')
    await bob.react(seen, 'tada')
    await guest.postJson('/sections', { name: 'mine' })
  })
  after(async () => {
    await gateway.stop()
    await db.end()
    await world.end()
  })

  const placed = (path: string) => path.replaceAll('DEN', den).replaceAll('SEEN', String(seen))

  async function answer(method: string, path: string, init: RequestInit = {}): Promise<string> {
    const response = await guest.fetch(path, { method, ...init })
    const text = timeless(await response.text()).replace(
      /nonce="[^"]*"|nonce-[\w-]+|"request_id":"[^"]*"/g,
      '<once>',
    )
    const headers = [...response.headers].filter(([name]) => !CHANGING.test(name))
    return `${response.status} ${new URLSearchParams(headers)} ${text}`
  }

  /** Streams with the base events, and with all others, once nothing new arrives. */
  async function openStreams(person: Person): Promise<Tab[]> {
    const all = [...DELTA_NAMES, ...EXTRA_EVENTS, WITH_EXTRA] as const
    const open = (deltas?: typeof all) =>
      openTab(gateway.url, person.cookie, { channel: 'project', after: 0, ...(deltas && { deltas }) })
    const tabs = [await open(), await open(all)]
    await settled(tabs)
    return tabs
  }

  /** Longer than the least interval of any event. */
  async function settled(tabs: Tab[]) {
    const count = () => tabs.reduce((sum, tab) => sum + tab.frames.length, 0)
    for (let before = -1; before !== count(); ) {
      before = count()
      await new Promise(resolve => setTimeout(resolve, 2_500))
    }
  }

  /** The last frame of each kind. */
  const lastFrames = (tabs: Tab[]) =>
    tabs.map(tab => Object.fromEntries(tab.frames.map(({ event, data }) => [event, timeless(data)])))

  /** Unseen people act in unseen channels, on every way that others could notice. */
  async function makeUnseen(): Promise<Record<Kind, Pair[]>> {
    const { ada, bob, mallory } = world
    const at = world.api[0]!.url
    const dora = await new Person('dora', at).signUp()
    for (const name of ['gaius', 'penny']) await new Person(name, at).signUp()
    const delia = await new Person('delia', at).signUp()
    expect((await ada.postJson('/admin/people/gaius/deactivate', {})).status).to.equal(204)
    const gone = await delia.postJson('/delete_account', { type: 'hard', password: PASSWORD })
    expect(gone.status).to.equal(200)
    await db.query(`update users set state = 'pending' where username = 'penny'`)
    await db.query(`insert into former_names (username_key, username) values ('mildred', 'mallory')`)
    await ada.postJson('/public_channels', { name: 'Vault', topic: 'vaultword' })
    await dora.postForm('/public_channels/vault/join')
    const image = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const attic = await world.privateChannel('attic', [ada, mallory, dora])
    const ids: number[] = []
    for (const channel of ['vault', 'general', attic, 'dm:ada:mallory']) {
      ids.push(await ada.send(channel, 'vaultword for @everyone and @cleo, http://localhost/x'))
      ids.push(await mallory.send(channel, 'a reply', { reply_to_id: String(ids.at(-1)) }))
      await ada.react(ids.at(-1)!, 'tada')
      await mallory.sendImages(channel, [{ name: 'a.png', bytes: image }])
      await mallory.sendFiles(channel, [{ name: 'vaultword.pdf', bytes: '%PDF-1' }])
      await mallory.markRead(channel)
      await mallory.postForm(`/typing/${channel}`)
    }
    for (const person of [ada, mallory, dora]) {
      await person.postForm('/settings', { name_color: '#123456' })
      await person.postJson('/presence', { state: 'active' })
      await person.patchJson('/me', { title: 'vaultword' })
      await person.fetch('/status', {
        method: 'PUT',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ text: 'vaultword' }),
      })
      const avatar = new FormData()
      avatar.append('avatar', new File([new Uint8Array(image)], 'me.png'))
      await person.fetch('/avatar', { method: 'POST', body: avatar })
    }
    await ada.postJson('/calls/initiate', { channel: attic })
    await mallory.postJson('/screenshare/start', { channel: attic })
    await ada.postJson('/invites', { channels: ['vault'] })
    expect((await ada.postJson('/tokens', { name: 'vaultword' })).status).to.equal(201)
    const group = { handle: 'vaulters', name: 'Vault', members: ['ada', 'mallory'] }
    expect((await ada.postJson('/groups', group)).status).to.equal(201)
    const bot = { username: 'vault-bot', description: 'vaultword', channels: ['vault'] }
    expect((await ada.postJson('/bots', bot)).status).to.equal(201)
    const vaultHook = { name: 'vaultword', channel: 'vault', template: 'vaultword' }
    expect((await ada.postJson('/hooks_in', vaultHook)).status).to.equal(201)
    const outgoingHook = { name: 'vaultword', url: 'http://vault.example/', events: ['message.created'] }
    expect((await ada.postJson('/hooks_out', outgoingHook)).status).to.equal(201)
    await db.query(
      `insert into deliveries (kind, target_id, event, next_try_ts, created_ts) select 'hook', max(id), '{}', 1, 1 from hooks_out`,
    )
    await bob.postJson('/sections', { name: 'of bob' })
    const later = Math.round(Date.now() / 1_000) + 9_000
    const planned = await bob.postJson('/scheduled', { channel: 'project', text: 'later', send_ts: later })
    expect(planned.status).to.equal(201)
    const { rows } = await db.query<{
      file: string
      section: string
      invite: string
      scheduled: string
      token: string
      hook: string
      outgoing: string
      delivery: string
    }>(
      `select (select filename from messages where channel = 'vault' and filename like '%.png') as file,
              (select max(id)::text from sidebar_sections where username = 'bob') as section,
              (select max(id)::text from invites) as invite,
              (select max(id)::text from scheduled) as scheduled,
              (select max(id)::text from api_tokens) as token,
              (select max(id)::text from hooks_in) as hook,
              (select max(id)::text from hooks_out) as outgoing,
              (select id::text from deliveries limit 1) as delivery`,
    )
    const { file, section, invite, scheduled, token, hook, outgoing, delivery } = rows[0]!
    const number = (id: string): Pair => [id, String(Number(id) + 1_000)]
    return {
      channel: [
        ['vault', 'wault'],
        ['general', 'generol'],
        [attic, 'private:4711'],
        ['dm:ada:mallory', 'dm:ada:nobodyy'],
        ['dm:cleo:mallory', 'dm:cleo:nobodyy'],
        ['dm:bob:cleo:mallory', 'dm:bob:cleo:nobodyy'],
      ],
      message: ids.map(id => number(String(id))),
      file: [
        [
          file,
          `${randomUUID().replaceAll('-', '').slice(0, file.indexOf('.'))}${file.slice(file.indexOf('.'))}`,
        ],
      ],
      person: [
        ['mallory', 'nobodyy'],
        ['MALLORY', 'NOBODYY'],
        ['dora', 'nobo'],
        // A former name, and people who are deactivated, deleted or wait for approval.
        ['mildred', 'nobodyy'],
        ['gaius', 'nobod'],
        ['delia', 'nobod'],
        ['penny', 'nobod'],
      ],
      invite: [number(invite)],
      section: [number(section)],
      scheduled: [number(scheduled)],
      token: [number(token)],
      hook: [number(hook)],
      outgoing: [number(outgoing)],
      delivery: [[delivery, randomUUID()]],
      group: [['vaulters', 'nobodies']],
      bot: [
        ['vault-bot', 'nobod-bot'],
        ['mallory', 'nobodyy'],
      ],
    }
  }

  it('changes no response when it comes into being, and looks like what does not exist', async () => {
    // Changes of the people they see are listed for 30 seconds, which must not end meanwhile.
    await db.query('update users set rev_ts = rev_ts - 100')
    const paths = [...LISTS, ...OWN.map(placed)]
    const before = new Map<string, string>()
    for (const path of paths) before.set(path, await answer('GET', path))
    const streams = await openStreams(guest)
    const frames = lastFrames(streams)
    const pairs = await makeUnseen()
    for (const path of paths) expect(await answer('GET', path), path).to.equal(before.get(path))

    await settled(streams)
    expect(lastFrames(streams), 'frames of open streams').to.deep.equal(frames)
    const later = await openStreams(guest)
    expect(lastFrames(later), 'frames of a new stream').to.deep.equal(frames)
    const ofMember = await openStreams(world.bob)
    const kinds = (tabs: Tab[]) => lastFrames(tabs).map(last => Object.keys(last).sort())
    expect(kinds(later), 'every kind of frame').to.deep.equal(kinds(ofMember))
    for (const tab of [...streams, ...later, ...ofMember]) tab.close()

    const json = (fields: unknown): RequestInit => ({
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(fields),
    })
    const form: RequestInit = { body: new URLSearchParams({ text: 'hello', reaction: 'tada' }) }
    const hidden = (text: string, id: string) =>
      [id, encodeURIComponent(id), id.toLowerCase()].reduce(
        (rest, word) => rest.replace(new RegExp(`(?<![\\w.])${word}(?![\\w])`, 'g'), 'X'),
        text,
      )
    const same = async (
      method: string,
      [unseen, missing]: Pair,
      path: string,
      init?: (id: string) => RequestInit,
    ) => {
      const ask = async (id: string) =>
        hidden(await answer(method, path.replace('{x}', encodeURIComponent(id)), init?.(id)), id)
      const title = `${method} ${path} ${unseen}`
      expect(await ask(unseen), title).to.equal(await ask(missing))
    }
    for (const [endpoint, kinds] of Object.entries(LOOKUPS)) {
      const [method, pattern] = endpoint.split(' ') as [string, string]
      const names = pattern.match(/:\w+/g)!
      for (const [place, kind] of kinds.entries()) {
        const path = pattern
          .split('/')
          .map(part => (part.startsWith(':') ? (part === names[place] ? '{x}' : SEEN[part]) : part))
          .join('/')
        for (const pair of pairs[kind]) {
          if (method === 'GET') await same(method, pair, path)
          else for (const init of [json(BODY), form]) await same(method, pair, path, () => init)
        }
      }
    }
    for (const [kind, method, path, fields] of FIELDS) {
      for (const pair of pairs[kind]) {
        const bodyOf = (id: string) =>
          json(
            JSON.parse(
              JSON.stringify(fields)
                .replace(/"\{x\}"/, /^\d+$/.test(id) ? id : JSON.stringify(id))
                .replace('{x}', id),
            ),
          )
        await same(method, pair, path, /GET|HEAD/.test(method) ? undefined : bodyOf)
      }
    }
    for (const headers of CONDITIONS) {
      for (const pair of pairs.file) await same('GET', pair, '/files/{x}', () => ({ headers }))
      for (const pair of pairs.person) await same('GET', pair, '/avatar/{x}', () => ({ headers }))
      for (const pair of pairs.channel) await same('GET', pair, '/messages/{x}', () => ({ headers }))
      for (const pair of pairs.message) await same('GET', pair, '/message/{x}?full=1', () => ({ headers }))
    }
    const { rows } = await db.query(`select from messages where sender = 'cleo'`)
    expect(rows, 'nothing was written').to.have.length(1)

    // A text that names them, sent and edited.
    const own = await guest.send(den, 'to be edited')
    const stored = async (response: Response, id: unknown) => {
      const { mentions, extra, content, reply_to_id } = await guest.get<MessagePayload>(
        `/message/${id}?full=1`,
      )
      const told = [...response.headers].filter(([header]) => header.startsWith('x-mention'))
      return JSON.stringify([response.status, told, mentions, extra, content, reply_to_id])
    }
    const sent = async (fields: Record<string, string>) => {
      const response = await guest.postForm(`/send/${den}`, fields)
      return stored(response, response.headers.get('X-Message-Id'))
    }
    for (const [unseen, missing] of [...pairs.person, ...pairs.group]) {
      const written = async (name: string) => {
        const text = `for @${name} and @bob`
        const edited = await stored(await guest.edit(own, text), own)
        return hidden((await sent({ text })) + edited, name)
      }
      expect(await written(unseen), unseen).to.equal(await written(missing))
    }

    // Replies to their messages, and links to them.
    for (const [unseen, missing] of pairs.message) {
      const written = async (id: string) =>
        hidden(
          (await sent({ text: 'a reply', reply_to_id: id })) +
            (await sent({ text: `http://localhost/m/${id}` })),
          id,
        )
      expect(await written(unseen), unseen).to.equal(await written(missing))
    }
  })

  it('gets 403 at every path of the administration, as a member does', async () => {
    const paths = ROUTES.filter(route => route.includes(' /admin/'))
    expect(paths.length).to.be.greaterThan(20)
    for (const person of [guest, world.bob]) {
      for (const endpoint of paths) {
        const [method, path] = endpoint.split(' ') as [string, string]
        const response = await person.fetch(path.replace(/:\w+/, 'ada'), { method })
        expect(response.status, `${person.name} ${endpoint}`).to.equal(403)
        expect(await response.json(), endpoint).to.include({ code: 'forbidden' })
      }
    }
  })

  it('is asked for at every endpoint that there is', () => {
    const bare = (path: string) => path.split('?')[0]!
    const known = new Set([
      ...Object.keys(LOOKUPS),
      ...LISTS.map(path => `GET ${bare(path)}`),
      ...FIELDS.map(([, method, path]) => `${method} ${bare(path)}`),
      ...ELSEWHERE,
    ])
    expect(ROUTES.filter(route => !known.has(route))).to.deep.equal([])
  })
})

/** Without times in seconds. */
const timeless = (text: string) => text.replace(/\b\d{10}(\.\d+)?\b/g, '<time>')
