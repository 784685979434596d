import { expect } from 'chai'
import sharp from 'sharp'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** The events of interface 6. */
const EVENTS = [
  ...['messages', 'typing', 'read_receipts', 'screenshares', 'online_users', 'dms', 'channel_unreads'],
  ...['private_channels', 'mentions', 'unread_count', 'incoming_calls'],
]
/** The fields of a message in interface 4.3, and its `content_type` (2.3). */
const FIELDS = [
  ...['id', 'channel', 'sender', 'content', 'filename', 'ts', 'edited', 'edited_ts', 'deleted', 'deleted_ts'],
  ...['reply_to_id', 'reactions', 'reactions_ts', 'mentions', 'content_type'],
]
/** A guest and a deactivated account, where the workspace is in full use; members elsewhere. */
const OTHERS = ['gus', 'dan']
/** Accounts of programs there. */
const BOTS = ['alerts-hook', 'archive-hook', 'deploy-bot']
const isOther = (name: unknown) => [...OTHERS, ...BOTS].includes(name as string)

interface Office {
  world: World
  gateway: RunningService
  gus: Person
}
type Outcome = [request: string, status: number, body: unknown]

/**
 * The same requests of interface 4 in a workspace at default settings and in one that uses everything else: guests,
 * groups, hidden, archived and announcement channels, threads, pins, files, forwards, moderation, retention, own lists,
 * bots, tokens, hooks and commands.
 */
describe('a client of the core interface, beside a workspace in full use', function () {
  this.timeout(240_000)
  let plain: Office
  let full: Office
  let tabs: Record<'plain' | 'full', Tab[]>
  let outcomes: Record<'plain' | 'full', Outcome[]>
  before(async () => {
    plain = await newOffice({})
    full = await newOffice({ retention_days: 3_000, keep_edits: true })
    await useEverything(full)
    tabs = { plain: await openTabs(plain), full: await openTabs(full) }
    outcomes = { plain: await runScript(plain.world), full: await runScript(full.world) }
  })
  after(async () => {
    for (const tab of [...(tabs?.plain ?? []), ...(tabs?.full ?? [])]) tab.close()
    for (const office of [plain, full]) {
      await office?.gateway.stop()
      await office?.world.end()
    }
  })

  it('gets the same statuses and bodies, and leaves the same behind', () => {
    for (const [i, outcome] of outcomes.plain.entries())
      expect(outcomes.full[i], outcome[0]).to.deep.equal(outcome)
    expect(outcomes.full).to.have.length(outcomes.plain.length)
    const of = (request: string) => outcomes.full.find(([title]) => title.includes(request))!
    expect(of('only a text file').slice(1), 'skipped files').to.deep.equal([400, 'empty'])
  })

  it('finds no new field in a message, whatever hangs on it', async () => {
    const { ada, bob } = full.world
    const extra = await bob.get<MessagePayload[]>('/messages/general?extra=1')
    const kinds = new Set(extra.flatMap(row => Object.keys(row.extra ?? {})))
    for (const kind of [
      ...['thread', 'replies', 'part', 'file', 'pinned', 'forward', 'groups', 'removed_by'],
      ...['bot', 'cards', 'cards_at'],
    ])
      expect([...kinds], 'the workspace has it').to.include(kind)
    for (const person of [ada, bob]) {
      for (const channel of ['general', 'annex', 'attic', 'news']) {
        for (const row of await person.messages(channel)) expect(Object.keys(row)).to.have.members(FIELDS)
      }
    }
  })

  it('gets the events of the core alone', async () => {
    for (const [tab, other] of tabs.full.map((tab, i) => [tab, tabs.plain[i]!] as const)) {
      await tab.waitFor(() => new Set(other.events()).size <= new Set(tab.events()).size)
      expect(new Set(tab.events())).to.deep.equal(new Set(other.events()))
      expect(EVENTS).to.include.members(tab.events())
      for (const row of tab.rows()) expect(Object.keys(row)).to.have.members(FIELDS)
    }
  })

  it('has no more rights as an owner', async () => {
    const { ada, bob, cleo } = full.world
    const den = await full.world.privateChannel('without the owner', [bob, cleo])
    const [open, closed] = [await bob.send('general', 'of bob'), await bob.send(den, 'of bob')]
    for (const id of [open, closed])
      for (const attempt of [ada.edit(id, 'x'), ada.delete(id)]) expect((await attempt).status).to.equal(403)
    const path = den.replace('private:', '/private_channels/')
    expect((await ada.fetch(`/messages/${den}`)).status).to.equal(403)
    expect((await ada.rename(den, 'x')).status).to.equal(403)
    expect((await ada.addMember(den, 'ada')).status).to.equal(403)
    expect((await ada.fetch(`${path}/members`)).status).to.equal(403)
    expect((await ada.fetch(`/message/${closed}`)).status).to.equal(404)
  })

  it('gets shorter lists of the same form as a guest, and where channels are archived or not joined', async () => {
    const { gus, world } = full
    expect(await gus.get('/channels')).to.deep.equal(['design'])
    expect(await gus.get('/channel_unreads')).to.have.all.keys('design')
    expect(await world.bob.get('/channels')).to.deep.equal(['general', 'design'])
    const paths = ['/users', '/user_avatars', '/mentions', '/dms', '/private_channels', '/calls/incoming']
    for (const path of paths) expect(await gus.get(path), path).to.be.an('array')
    for (const path of ['/user_colors', '/online_users', '/channel_unreads'])
      expect(await gus.get(path), path).to.be.an('object')
    for (const [path, status, body] of [
      ['/messages/general', 403, 'forbidden'],
      ['/channel_members/general', 403, 'forbidden'],
      ['/channel_members/attic', 403, 'forbidden'],
    ] as const) {
      const response = await gus.fetch(path)
      expect([response.status, await response.text()], path).to.deep.equal([status, body])
    }
    const sent = await gus.postForm('/send/general', { text: 'x' })
    expect([sent.status, await sent.text()]).to.deep.equal([403, 'forbidden'])
    expect(await world.bob.get('/users'))
      .to.include('gus')
      .and.not.include('dan')
  })
})

async function newOffice(settings: Record<string, unknown>): Promise<Office> {
  const world = await newWorld({ settings: { channels: ['general', 'design'], ...settings } })
  const gateway = await startService('events', world.backing.env)
  const [gus] = await Promise.all(OTHERS.map(name => new Person(name, world.api[0]!.url).signUp()))
  return { world, gateway, gus: gus! }
}

async function openTabs({ world, gateway }: Office): Promise<Tab[]> {
  for (const person of [world.bob, world.cleo]) await person.postForm('/mark_all_read')
  return Promise.all([
    openTab(gateway.url, world.bob.cookie, { channel: 'general', after: 'Infinity' }),
    openTab(gateway.url, world.cleo.cookie, { channel: 'dm:bob:cleo' }),
  ])
}

async function ok(response: Promise<Response>): Promise<Response> {
  const found = await response
  expect(found.status, await found.clone().text()).to.be.within(200, 299)
  return found
}

async function useEverything({ world }: Office) {
  const { ada, bob, cleo } = world
  await ok(ada.patchJson('/admin/people/gus', { role: 'guest', channels: ['design'] }))
  await ok(ada.postJson('/admin/people/dan/deactivate', {}))
  await ok(ada.postJson('/groups', { handle: 'crew', name: 'Crew', members: ['bob', 'cleo'] }))
  for (const [name, posting] of [
    ['Annex', 'everyone'],
    ['Attic', 'everyone'],
    ['News', 'managers'],
  ])
    await ok(ada.postJson('/public_channels', { name, posting, topic: 'A topic' }))
  for (const channel of ['annex', 'attic', 'news']) await ada.send(channel, 'for @everyone and @crew')
  await ok(ada.postForm('/channel_info/attic/archive'))
  await world.privateChannel('closed', [ada])

  const root = await ada.send('general', 'a root for @crew')
  await bob.send('general', 'a reply', { reply_to_id: String(root) })
  await ok(
    cleo.sendFiles('general', [
      { name: 'a.txt', bytes: 'text' },
      { name: 'b.txt', bytes: 'more' },
    ]),
  )
  await ok(ada.fetch(`/pin/${root}`, { method: 'PUT' }))
  await ok(bob.postJson(`/forward/${root}`, { channel: 'general' }))
  await bob.edit(await bob.send('general', 'first version'), 'second version')
  await ok(ada.postJson(`/moderate/delete/${await cleo.send('general', 'removed')}`, { reason: 'noise' }))

  await ok(ada.putJson('/status', { text: 'Away', emoji: '🏝️' }))
  const { id } = (await (await ok(bob.postJson('/sections', { name: 'Own' }))).json()) as { id: number }
  await ok(bob.mute('general', { level: 'mentions', favourite: true, section: id, muted_for_minutes: -1 }))
  await ok(bob.fetch(`/saved/${root}`, { method: 'PUT' }))
  const later = { channel: 'general', text: 'later', send_ts: Date.now() / 1_000 + 36_000 }
  await ok(bob.postJson('/scheduled', later))
  await ok(bob.putJson('/drafts/general', { text: 'unsent', updated_ts: 1 }))
  await ok(bob.patchJson('/me', { display_name: 'Bob B.', title: 'Builder', timezone: 'Europe/Berlin' }))
  await ok(ada.postJson('/invites', { channels: ['annex'] }))
  await usePrograms(world)
}

async function usePrograms({ ada, bob }: World) {
  await ok(ada.postJson('/confirm', { password: PASSWORD }))
  await ok(bob.postJson('/confirm', { password: PASSWORD }))
  const url = 'https://tools.example/'
  await ok(ada.postJson('/bots', { username: 'deploy-bot', display_name: 'Deployments' }))
  await ok(ada.postJson('/commands', { name: 'deploy', url, bot: 'deploy-bot' }))
  await ok(
    ada.postJson('/hooks_out', { name: 'Archive', url, events: ['message.created', 'reaction.added'] }),
  )
  await ok(bob.postJson('/tokens', { name: 'A script', scopes: ['write'] }))
  const hook = { name: 'Alerts', channel: 'general', may_mention_everyone: true }
  const made = (await (await ok(ada.postJson('/hooks_in', hook))).json()) as { url: string }
  const post = {
    text: '<!channel> see',
    username: 'Monitor',
    icon_emoji: ':tada:',
    attachments: [{ color: 'danger', title: 'Disk full', text: 'db-1' }],
  }
  await ok(fetch(made.url, { method: 'POST', body: JSON.stringify(post) }))
}

/** Requests to every area of interface 4 by the members, the owner and an outsider. */
async function runScript({ ada, bob, cleo, mallory }: World): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  const note = async (title: string, response: Promise<Response>) => {
    const found = await response
    const text = await found.text()
    const isJson = found.headers.get('Content-Type')?.includes('json')
    const body: unknown = isJson ? withoutOthers(JSON.parse(text)) : found.status === 302 ? '' : text
    const request = title.replace(/[0-9a-f]{8}-[0-9a-f-]{27}|\d+(\.\d+)?/g, '1')
    outcomes.push([request, found.status, comparable(body)])
    return { id: Number(found.headers.get('X-Message-Id')), body: isJson ? JSON.parse(text) : undefined }
  }
  const get = (person: Person, path: string) => note(`${person.name} GET ${path}`, person.fetch(path))
  const form = (person: Person, path: string, fields: Record<string, string> = {}) =>
    note(`${person.name} POST ${path}`, person.postForm(path, fields))
  const json = (person: Person, path: string, body: unknown) =>
    note(`${person.name} POST ${path}`, person.postJson(path, body))

  const LISTS = [
    ...['/channels', '/channel_unreads', '/users', '/dms', '/unread_count', '/mentions', '/private_channels'],
    ...['/user_colors', '/user_avatars', '/settings', '/online_users', '/presence/override'],
    ...['/calls/incoming', '/channel_members/general', '/channel_members/design', '/typing/general'],
  ]
  const lists = async () => {
    for (const person of [bob, cleo]) for (const path of LISTS) await get(person, path)
  }
  await ada.send('general', 'from here')
  const { ts } = (await bob.messages('general')).at(-1)!
  await lists()
  await json(bob, '/presence', { state: 'active' })
  await form(cleo, '/settings', { name_color: '#123456' })
  await form(cleo, '/settings', { name_color: 'red' })
  const first = await form(bob, '/send/general', { text: 'quince for @cleo and @crewless' })
  await form(cleo, '/send/general', { text: 'an answer', reply_to_id: String(first.id) })
  await form(cleo, '/send/design', { text: 'lunch, @everyone' })
  await form(bob, '/send/general', { text: '  ' })
  await form(bob, '/send/nowhere', { text: 'x' })
  await note('bob sends only a text file', bob.sendImages('general', [textFile()]))
  await note('bob sends a text with a text file', bob.sendImages('general', [textFile()], 'with a file'))
  await note('bob sends a picture', bob.sendImages('general', [await picture()], 'with a picture'))
  await form(bob, `/edit/${first.id}`, { text: 'quince for @cleo, edited' })
  await form(ada, `/edit/${first.id}`, { text: 'by the owner' })
  await form(ada, `/delete/${first.id}`)
  await form(cleo, `/react/${first.id}`, { reaction: 'tada' })
  await form(cleo, `/react/${first.id}`, { reaction: 'no such' })
  await get(cleo, `/message/${first.id}`)
  await get(cleo, `/messages/general?after=${ts}`)
  await get(cleo, '/search_messages?q=quince')
  await get(cleo, '/search_messages')
  await lists()
  await form(cleo, '/mark_read/general')
  await get(bob, '/read_receipts/general')
  await form(bob, `/delete/${first.id}`)
  await get(cleo, `/messages/general?after=${ts}`)

  await form(bob, '/send/dm:bob:cleo', { text: 'between us' })
  await form(cleo, '/send/dm:cleo:bob', { text: 'yes, @bob' })
  await get(mallory, '/messages/dm:bob:cleo')
  await form(mallory, '/send/dm:bob:cleo', { text: 'let me in' })
  await json(bob, '/dms/close', { channel: 'dm:bob:cleo' })
  await json(bob, '/dms/close', { channel: 'nonsense' })
  await lists()

  const made = await json(bob, '/private_channels/create', { name: 'den', members: ['cleo'] })
  const { id: number, channel } = made.body as { id: number; channel: string }
  const den = `/private_channels/${number}`
  await json(cleo, `${den}/rename`, { name: 'lair' })
  await form(bob, `/send/${channel}`, { text: 'in private, @everyone' })
  for (const stranger of [mallory, ada]) {
    await get(stranger, `/messages/${channel}`)
    await get(stranger, `${den}/members`)
    await json(stranger, `${den}/rename`, { name: 'mine' })
    await form(stranger, `${den}/leave`)
  }
  await json(cleo, `${den}/add_member`, { username: 'mallory' })
  await get(mallory, `/messages/${channel}`)
  await get(bob, `${den}/members`)
  await form(mallory, `${den}/leave`)
  await get(bob, `/messages/${channel}`)

  const begun = await json(bob, '/calls/initiate', { channel: 'dm:bob:cleo' })
  const { call_id } = begun.body as { call_id: string }
  await get(cleo, '/calls/incoming')
  await form(cleo, `/calls/${call_id}/accept`)
  await get(mallory, `/calls/${call_id}/state`)
  await form(bob, `/calls/${call_id}/end`)
  await json(bob, '/calls/initiate', { channel: 'general' })
  const shared = await json(bob, '/screenshare/start', { channel })
  await get(cleo, `/screenshare/active?channel=${channel}`)
  await form(bob, `/screenshare/${(shared.body as { share_id: string }).share_id}/stop`)
  await get(bob, '/messages/dm:bob:cleo')
  await lists()

  await json(cleo, '/delete_account', { type: 'soft', password: 'wrong' })
  await json(mallory, '/delete_account', { type: 'soft', password: PASSWORD })
  await get(mallory, '/channels')
  await get(bob, '/users')
  return outcomes
}

const textFile = () => ({ name: 'notes.txt', bytes: Buffer.from('text') })
const picture = async () => ({
  name: 'a.png',
  bytes: await sharp({ create: { width: 4, height: 4, channels: 3, background: 'teal' } })
    .png()
    .toBuffer(),
})

/** Without the accounts that differ between the workspaces. */
function withoutOthers(value: unknown): unknown {
  if (Array.isArray(value)) return value.filter(item => !isOther(item)).map(withoutOthers)
  if (value === null || typeof value !== 'object') return value
  const entries = Object.entries(value).filter(([key]) => !isOther(key))
  return Object.fromEntries(entries.map(([key, item]) => [key, withoutOthers(item)]))
}

/** Without numbers, times and random names. */
const comparable = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body)
      .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22,}|[0-9a-f]{32}/g, '<random>')
      .replace(/\b\d{10}(\.\d+)?\b/g, '0')
      .replace(/"((?:reply_to_)?id)":\d+/g, '"$1":1')
      .replace(/private:\d+/g, 'private:1'),
  )
