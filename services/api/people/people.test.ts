import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { ReadReceiptsPayload } from '#shared/domain/payloads/messages.ts'
import type { PeopleChangesPayload, PeoplePayload } from '#shared/domain/payloads/people.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { settingsRead } from '#shared/test-kit/quiet.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

let world: World
let gateway: RunningService
let db: pg.Client
before(async () => {
  world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
  gateway = await startService('events', world.backing.env)
  db = new pg.Client(world.backing.env.DATABASE_URL)
  await db.connect()
})
after(async () => {
  await db.end()
  await gateway.stop()
  await world.end()
})

const act = (name: string, verb: string, body: unknown = {}) =>
  world.ada.postJson(`/admin/people/${name}/${verb}`, body)
const setRole = (name: string, role: string, more = {}) =>
  world.ada.patchJson(`/admin/people/${name}`, { role, ...more })
const codeOf = async (response: Response) =>
  [response.status, ((await response.json()) as { code: string }).code] as const
const newcomer = (name: string) => new Person(name, world.api[0]!.url).signUp()
const newcomerPage = async (name: string) => {
  const fields = { username: name, password: PASSWORD, confirm_password: PASSWORD }
  return (await new Person(name, world.api[0]!.url).postForm('/signup', fields)).text()
}
const logIn = (name: string, password = PASSWORD) => {
  const person = new Person(name, world.api[1]!.url)
  return person.postForm('/login', { username: name, password }).then(response => ({ person, response }))
}

interface Entry {
  action: string
  actor: string
  target: string | null
  detail: Record<string, unknown>
}
const entriesOf = async (target: string) =>
  (await world.ada.get<{ items: Entry[] }>(`/admin/audit?target=${target}`)).items

describe('a deactivated account (interface 17.3)', () => {
  it('loses sessions, streams, calls and shares, and comes back with memberships and unread counts', async () => {
    const { ada, bob } = world
    const eva = await newcomer('eva')
    const den = await world.privateChannel('den', [bob, eva])
    await eva.markRead('general')
    await bob.send('dm:bob:eva', 'hello')
    await eva.postJson('/presence', { state: 'active' })
    const { share_id } = (await (await eva.postJson('/screenshare/start', { channel: den })).json()) as {
      share_id: string
    }
    const begun = await eva.postJson('/calls/initiate', { channel: 'dm:bob:eva' })
    const { call_id } = (await begun.json()) as { call_id: string }
    const tab = await openTab(gateway.url, eva.cookie, { channel: 'general' })
    expect((await act('EVA', 'deactivate')).status).to.equal(204)
    const at = performance.now()
    await tab.ended
    expect(performance.now() - at, 'the stream ends at once').to.be.lessThan(1_000)
    const refused = await eva.fetch('/channels')
    expect([refused.status, refused.headers.get('Location')]).to.deep.equal([302, '/login'])

    expect(await bob.get('/users')).to.not.include('eva')
    for (const channel of ['general', den, 'dm:bob:eva'])
      expect(await bob.get(`/channel_members/${channel}`), channel).to.not.include('eva')
    expect(await bob.get('/online_users')).to.not.have.any.keys('eva')
    expect(await bob.get<ReadReceiptsPayload>('/read_receipts/general')).to.not.have.any.keys('eva')
    expect(await bob.get(`/screenshare/active?channel=${den}`)).to.deep.equal([])
    expect(await bob.get<{ state: string }>(`/calls/${call_id}/state`)).to.include({ state: 'ended' })
    expect(share_id).to.be.a('string')
    const id = await bob.send('general', 'hello @eva')
    expect((await bob.messages('general')).find(row => row.id === id)?.mentions).to.equal(null)
    const dm = await bob.postForm('/send/dm:bob:eva', { text: 'anybody?' })
    expect([dm.status, await dm.text()]).to.deep.equal([403, 'forbidden'])
    expect((await bob.postForm('/send/dm:ada:bob:eva', { text: 'somebody' })).status).to.equal(200)
    expect((await bob.addMember(den, 'eva')).status, 'as if unknown').to.equal(404)
    const listed = (await bob.get<PeoplePayload>('/people')).people.find(({ username }) => username === 'eva')
    expect(listed).to.include({ active: false })

    expect(await (await logIn('eva')).response.text()).to.include('This account is deactivated.')
    await bob.send(den, 'news for @everyone')
    expect((await act('eva', 'deactivate')).status, 'again').to.equal(204)
    expect((await act('eva', 'reactivate')).status).to.equal(204)
    expect((await eva.fetch('/channels')).status, 'sessions stay ended').to.equal(302)
    const { person, response } = await logIn('eva')
    expect(response.status).to.equal(302)
    expect(await person.get<{ channel: string; unread: number }[]>('/private_channels')).to.satisfy(
      (list: { channel: string; unread: number }[]) =>
        list.some(({ channel, unread }) => channel === den && unread > 0),
    )
    expect(await ada.get('/users')).to.include('eva')
    expect((await entriesOf('eva')).map(({ action, actor }) => [action, actor])).to.deep.equal([
      ['person.reactivated', 'ada'],
      ['person.deactivated', 'ada'],
    ])
  })

  it('is told so only to those who know the password', async () => {
    await newcomer('finn')
    await act('finn', 'deactivate')
    const { response } = await logIn('finn', 'Another-Password-1!')
    const page = await response.text()
    expect(page).to.include('Invalid username or password.').and.not.include('deactivated')
  })
})

describe('the list of people (interface 15.1)', () => {
  it('is returned whole, or what has changed since a revision, with an ETag', async () => {
    const { bob, mallory } = world
    const whole = await bob.get<PeoplePayload>('/people')
    expect(whole.people.map(({ username }) => username)).to.include.members(['ada', 'bob', 'cleo', 'mallory'])
    expect(whole.people.find(({ username }) => username === 'ada')).to.deep.equal({
      username: 'ada',
      display_name: null,
      title: null,
      role: 'owner',
      kind: 'person',
      active: true,
      status: null,
      timezone: null,
    })
    expect(await bob.get(`/people?since=${whole.rev}`)).to.deep.equal({ ...whole, people: [] })
    await mallory.patchJson('/me', { title: 'Sound' })
    const changed = await bob.get<PeoplePayload>(`/people?since=${whole.rev}`)
    expect(changed.people.map(({ username, title }) => [username, title])).to.deep.equal([
      ['mallory', 'Sound'],
    ])
    expect(changed.rev).to.be.greaterThan(whole.rev)
    await mallory.postForm('/settings', { name_color: '#112233' })
    const first = await bob.fetch('/people')
    const again = await bob.fetch('/people', { headers: { 'If-None-Match': first.headers.get('ETag')! } })
    expect([again.status, await again.text()]).to.deep.equal([304, ''])
    const unknown = await bob.get<PeoplePayload>(`/people?since=${changed.rev + 1_000}`)
    expect(unknown.people.length).to.equal(whole.people.length)
    expect((await codeOf(await bob.fetch('/people?since=x')))[1]).to.equal('invalid')
  })

  it('has another ETag after the status of a person ended', async () => {
    const { bob, cleo } = world
    const set = await cleo.fetch('/status', {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ text: 'busy', until: Date.now() / 1_000 + 2 }),
    })
    expect(set.status).to.equal(204)
    const ask = async (etag: string) => {
      const response = await bob.fetch('/people', { headers: { 'If-None-Match': etag } })
      if (response.status === 304) return { etag, text: undefined }
      const { people } = (await response.json()) as PeoplePayload
      const text = people.find(({ username }) => username === 'cleo')!.status?.text
      return { etag: response.headers.get('ETag')!, text }
    }
    const first = await ask('')
    expect(first.text).to.equal('busy')
    await eventually(async () => expect((await ask(first.etag)).etag).to.not.equal(first.etag))
    const after = await ask(first.etag)
    expect(after.text).to.equal(undefined)
    expect((await ask(after.etag)).etag).to.equal(after.etag)
  })

  it('tells of deleted accounts', async () => {
    const { bob } = world
    const gone = await newcomer('Gunnar')
    const { rev } = await bob.get<PeoplePayload>('/people')
    await gone.postJson('/delete_account', { type: 'soft', password: PASSWORD })
    const after = await bob.get<PeoplePayload>(`/people?since=${rev}`)
    expect([after.people, after.gone]).to.deep.equal([[], ['gunnar']])
    const changes = await bob.get<PeopleChangesPayload>('/people_changes')
    expect(changes.rev).to.equal(after.rev)
    expect(changes.gone).to.include('gunnar')
    expect(changes.from_rev).to.be.at.most(rev)
  })

  it('reaches open tabs with the changes of the last 30 seconds', async () => {
    const tab = await openTab(gateway.url, world.bob.cookie, { deltas: ['people'] })
    await world.cleo.patchJson('/me', { display_name: 'Cleo K.' })
    await tab.waitFor(({ last }) =>
      last.people?.people.some(({ display_name }) => display_name === 'Cleo K.'),
    )
    tab.close()
  })

  it('gives no two concurrent changes the order in which a reader could miss one', async () => {
    const { ada, bob, cleo, mallory } = world
    let known = await ada.get<PeoplePayload>('/people')
    const titles = new Map(known.people.map(({ username, title }) => [username, title]))
    const writes = Array.from({ length: 12 }, (_, i) =>
      [bob, cleo, mallory][i % 3]!.patchJson('/me', { title: `title ${i}` }),
    )
    let isDone = false
    void Promise.all(writes).then(() => {
      isDone = true
    })
    for (let last = false; !last; ) {
      last = isDone
      known = await ada.get<PeoplePayload>(`/people?since=${known.rev}`)
      for (const { username, title } of known.people) titles.set(username, title)
    }
    const whole = await ada.get<PeoplePayload>('/people')
    for (const { username, title } of whole.people) expect(titles.get(username), username).to.equal(title)
  })
})

describe('the administration of people (interface 17.3)', () => {
  it('lists accounts by filters, in pages', async () => {
    const { ada } = world
    interface List {
      items: {
        username: string
        display_name: string | null
        role: string
        sessions: number
        last_seen_ts: number | null
      }[]
      next: string | null
      counts?: Record<string, number>
    }
    const all = await ada.get<List>('/admin/people?limit=200')
    const pages: List[] = []
    for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.next)
      pages.push(await ada.get<List>(`/admin/people?limit=2${cursor && `&cursor=${cursor}`}`))
    expect(pages.flatMap(({ items }) => items)).to.deep.equal(all.items)
    const owner = all.items.find(({ username }) => username === 'ada')!
    expect(owner).to.include({ role: 'owner', sessions: 1 })
    expect(owner.last_seen_ts! % 60).to.equal(0)
    expect((await ada.get<List>('/admin/people?q=MALL')).items.map(({ username }) => username)).to.deep.equal(
      ['mallory'],
    )
    const owners = await ada.get<List>('/admin/people?role=owner')
    expect(owners.items).to.have.length(1)
    expect(owners.counts).to.include({ owner: 1 })
    expect(pages[1]!.counts).to.equal(undefined)
    expect((await ada.get<List>('/admin/people?q=%25')).items).to.have.length(0)
    const byName: List[] = []
    for (let cursor: string | null = ''; cursor !== null; cursor = byName.at(-1)!.next)
      byName.push(await ada.get<List>(`/admin/people?sort=name&limit=2${cursor && `&cursor=${cursor}`}`))
    const names = byName.flatMap(({ items }) => items.map(one => one.display_name ?? one.username))
    expect(names).to.have.length(all.items.length)
    expect(names.map(name => name.toLowerCase())).to.deep.equal(names.map(name => name.toLowerCase()).sort())
    for (const query of ['role=king', 'state=x', 'kind=x', 'sort=x', 'limit=0', 'limit=201', 'cursor=!'])
      expect(await codeOf(await ada.fetch(`/admin/people?${query}`)), query).to.deep.equal([400, 'invalid'])
  })

  it('adds people to channels without making their past unread', async () => {
    const { ada } = world
    await ada.postJson('/public_channels', { name: 'Past' })
    await ada.send('past', 'before anybody came')
    const made = await ada.postJson('/admin/people', {
      username: 'nadia',
      role: 'member',
      channels: ['past'],
    })
    expect(made.status).to.equal(201)
    const unread = async (name: string) => {
      const { person } = await logIn(name)
      return person.get<Record<string, number>>('/channel_unreads')
    }
    await db.query(
      `update users set password_hash = (select password_hash from users where username = 'ada') where username = 'nadia'`,
    )
    expect(await unread('nadia')).to.include({ past: 0 })

    const oscar = await newcomer('oscar')
    await oscar.markRead('general')
    await ada.send('general', 'unread before')
    await ada.send('design', 'what guests do not see')
    expect((await setRole('oscar', 'guest', { channels: ['past', 'general'] })).status).to.equal(204)
    expect(await oscar.get('/channel_unreads')).to.deep.equal({ past: 0, general: 1 })
    expect((await setRole('oscar', 'member')).status).to.equal(204)
    expect(await oscar.get('/channel_unreads')).to.deep.equal({ past: 0, general: 1, design: 0 })
  })

  it('makes an account once for a repeated request, whose response has no second link', async () => {
    const { ada, bob } = world
    const wish = { username: 'once', channels: ['general'], client_id: randomUUID() }
    const responses = await Promise.all([1, 2, 3].map(() => ada.postJson('/admin/people', wish)))
    const bodies = (await Promise.all(responses.map(response => response.json()))) as {
      username: string
      reset_url: string | null
    }[]
    expect(responses.map(({ status }) => status)).to.deep.equal([201, 201, 201])
    expect(bodies.map(({ username }) => username)).to.deep.equal(['once', 'once', 'once'])
    expect(bodies.filter(({ reset_url }) => reset_url !== null)).to.have.length(1)
    const { rows } = await db.query(
      `select (select count(*)::integer from audit_log where target = 'once') as entries,
              (select count(*)::integer from reset_tokens where username = 'once') as links,
              (select body from made_once where client_id = $1) as kept`,
      [wish.client_id],
    )
    expect(rows[0]).to.deep.equal({ entries: 1, links: 1, kept: { username: 'once' } })
    const later = await ada.postJson('/admin/people', { username: 'once' })
    expect(await codeOf(later)).to.deep.equal([409, 'conflict'])
    expect((await bob.postJson('/admin/people', wish)).status).to.equal(403)
  })

  it('is closed to members and guests', async () => {
    for (const [method, path] of [
      ['GET', '/admin/people'],
      ['POST', '/admin/people'],
      ['PATCH', '/admin/people/bob'],
      ...['approve', 'reject', 'deactivate', 'reactivate', 'end_sessions', 'reset_link', 'delete'].map(
        verb => ['POST', `/admin/people/bob/${verb}`] as const,
      ),
      ['GET', '/admin/audit'],
      ['GET', '/admin/audit.csv'],
      ['GET', '/admin/stats'],
      ['GET', '/admin/settings'],
      ['GET', '/admin/anything'],
    ] as const) {
      const response = await world.mallory.fetch(path, { method })
      expect(await codeOf(response), path).to.deep.equal([403, 'forbidden'])
    }
  })

  it('acts on lower roles only, and keeps one owner', async () => {
    const { ada, bob } = world
    expect(await codeOf(await setRole('ada', 'member'))).to.deep.equal([409, 'last_owner'])
    expect(await codeOf(await act('ada', 'deactivate'))).to.deep.equal([409, 'last_owner'])
    expect(await codeOf(await act('ada', 'delete', { type: 'soft' }))).to.deep.equal([409, 'last_owner'])
    expect((await setRole('bob', 'admin')).status).to.equal(204)
    for (const attempt of [
      bob.postJson('/admin/people/ada/deactivate', {}),
      bob.postJson('/admin/people/bob/deactivate', {}),
      bob.patchJson('/admin/people/cleo', { role: 'admin' }),
      bob.postJson('/admin/people/cleo/delete', { type: 'soft' }),
    ])
      expect(await codeOf(await attempt)).to.deep.equal([403, 'forbidden'])
    expect((await bob.patchJson('/admin/people/cleo', { title: 'Light' })).status).to.equal(204)
    expect((await entriesOf('cleo'))[0]).to.deep.include({ action: 'person.profile', actor: 'bob' })
    expect((await setRole('bob', 'owner')).status).to.equal(204)
    const outcomes = await Promise.all([
      setRole('bob', 'member'),
      bob.patchJson('/admin/people/ada', { role: 'member' }),
    ])
    expect(
      outcomes.map(({ status }) => status).sort(),
      'of two owners who demote each other',
    ).to.not.deep.equal([204, 204])
    const { rows } = await db.query(`select username from users where role = 'owner'`)
    expect(rows).to.have.length(1)
    await db.query(`update users set role = case when username = 'ada' then 'owner' else 'member' end`)
    expect((await ada.fetch('/admin/people')).status).to.equal(200)
  })

  it('needs a new password entry for a role, a link, a deletion and another name', async () => {
    const { ada } = world
    world.backing.settings({
      rate_limit_enabled: false,
      channels: ['general', 'design'],
      confirm_minutes: 0.0001,
    })
    const refused = [403, 'confirm_required']
    await eventually(async () => expect((await setRole('cleo', 'member')).status).to.equal(403))
    for (const attempt of [
      setRole('cleo', 'member'),
      act('cleo', 'reset_link'),
      act('cleo', 'delete', { type: 'soft' }),
      act('cleo', 'rename', { username: 'clea' }),
      ada.postJson('/admin/people', { username: 'gil', role: 'admin' }),
      ada.postJson('/admin/people', { username: 'gil', role: 'owner' }),
    ])
      expect(await codeOf(await attempt)).to.deep.equal(refused)
    const plain = await ada.postJson('/admin/people', { username: 'gil', role: 'member' })
    expect(plain.status, 'not for a member').to.equal(201)
    expect((await ada.patchJson('/admin/people/cleo', { title: null })).status, 'not for a title').to.equal(
      204,
    )
    world.backing.settings({ rate_limit_enabled: false, channels: ['general', 'design'] })
    await eventually(async () => expect((await setRole('cleo', 'member')).status).to.equal(204))
  })

  it('makes accounts whose password is set through a link', async () => {
    const { ada } = world
    const made = await ada.postJson('/admin/people', {
      username: 'Hanna',
      display_name: 'Hanna H.',
      email: 'hanna@example.org',
      role: 'guest',
      channels: ['design'],
    })
    expect(made.status).to.equal(201)
    const { username, reset_url } = (await made.json()) as { username: string; reset_url: string }
    expect(username).to.equal('Hanna')
    const page = await fetch(reset_url)
    expect(await page.text()).to.include('Hanna')
    expect(await codeOf(await ada.postJson('/admin/people', { username: 'hanna' }))).to.deep.equal([
      409,
      'conflict',
    ])
    for (const body of [
      { username: 'a b' },
      { username: 'system' },
      { username: 'ok', role: 'guest', channels: ['nowhere'] },
      { username: 'ok', email: 'no address' },
    ])
      expect(await codeOf(await ada.postJson('/admin/people', body))).to.deep.equal([400, 'invalid'])
    for (const body of [{}, { username: 7 }, { username: 'ok', role: 'guest' }])
      expect(await codeOf(await ada.postJson('/admin/people', body))).to.deep.equal([400, 'required'])
    expect((await entriesOf('hanna')).map(({ action }) => action)).to.deep.equal(['person.created'])
  })

  it('approves and rejects those who wait', async () => {
    const { ada, bob } = world
    const settings = { rate_limit_enabled: false, channels: ['general', 'design'] }
    world.backing.settings({ ...settings, signup_mode: 'approval' })
    await settingsRead()
    for (const name of ['ivo', 'jon']) {
      const page = await newcomerPage(name)
      expect(page).to.include('waits for approval')
    }
    expect((await ada.get<MePayload>('/me')).approvals, 'two wait').to.equal(2)
    expect(await bob.get<MePayload>('/me')).to.not.have.property('approvals')
    world.backing.settings(settings)
    await settingsRead()
    expect(await (await logIn('ivo')).response.text()).to.include('waits for approval')
    expect(await bob.get('/users')).to.not.include('ivo')
    expect((await bob.get<PeoplePayload>('/people')).people.map(({ username }) => username)).to.not.include(
      'ivo',
    )
    expect((await bob.postForm('/send/dm:bob:ivo', { text: 'hi' })).status).to.equal(400)
    expect((await bob.fetch('/profile/ivo')).status).to.equal(404)
    for (const path of ['/channel_members/general', '/online_users', '/user_colors'])
      expect(await (await bob.fetch(path)).text(), path).to.not.include('ivo')
    const made = await bob.postJson('/private_channels/create', { name: 'waiting', members: ['ivo'] })
    const den = (await made.json()) as { channel: string; skipped: string[] }
    expect(den.skipped).to.deep.equal(['ivo'])
    expect((await bob.addMember(den.channel, 'ivo')).status).to.equal(404)
    const id = await bob.send('general', 'hello @ivo')
    expect((await bob.messages('general')).find(row => row.id === id)?.mentions).to.equal(null)
    expect(await codeOf(await act('ivo', 'deactivate'))).to.deep.equal([409, 'conflict'])
    expect((await act('ivo', 'approve')).status).to.equal(204)
    expect((await logIn('ivo')).response.status).to.equal(302)
    const lines = (await ada.messages('general')).filter(({ content }) => content?.includes('Welcome to'))
    expect(lines.at(-1)?.content).to.include('ivo')
    expect(await codeOf(await act('ivo', 'approve'))).to.deep.equal([409, 'conflict'])
    expect((await act('jon', 'reject')).status).to.equal(204)
    expect((await ada.get<MePayload>('/me')).approvals).to.equal(0)
    expect(await (await logIn('jon')).response.text()).to.include('Invalid username or password.')
    await newcomer('jon')
    expect((await entriesOf('jon')).map(({ action }) => action)).to.deep.equal(['person.rejected'])
  })

  it('signs somebody out, makes a reset link and deletes an account', async () => {
    const { ada } = world
    const kim = await newcomer('kim')
    expect((await act('kim', 'end_sessions', { tokens: true })).status).to.equal(204)
    expect((await kim.fetch('/channels')).status).to.equal(302)
    const { person } = await logIn('kim')
    const link = await act('kim', 'reset_link')
    const { reset_url, expires_ts } = (await link.json()) as { reset_url: string; expires_ts: number }
    expect((await fetch(reset_url)).status).to.equal(200)
    expect(expires_ts).to.be.closeTo(Date.now() / 1_000 + 24 * 3_600, 60)
    expect((await person.messages('dm:kim:system'))[0]?.content).to.include('sets a new password')
    expect((await act('kim', 'delete', { type: 'all' })).status).to.equal(400)
    expect((await act('kim', 'delete', { type: 'hard' })).status).to.equal(204)
    expect((await person.fetch('/channels')).status).to.equal(302)
    expect(await codeOf(await act('kim', 'deactivate'))).to.deep.equal([404, 'not_found'])
    expect((await entriesOf('kim')).map(({ action, actor }) => `${actor} ${action}`)).to.deep.equal([
      'ada person.deleted',
      'ada person.reset_link',
      'ada person.sessions_ended',
    ])
    expect(await ada.get('/users')).to.not.include('kim')
  })
})

describe('the audit log (interface 17.4)', () => {
  it('is returned by filters and in pages, and as CSV with the same entries', async () => {
    const { ada } = world
    await db.query(
      `insert into audit_log (actor, actor_kind, action, target, detail)
       values ('ada', 'person', 'bot.created', '=cmd()', '{"a": "x,\\"y\\""}')`,
    )
    interface List {
      items: (Entry & { id: number; ts: number })[]
      next: string | null
    }
    const all = await ada.get<List>('/admin/audit?limit=200')
    expect(all.items.map(({ ts }) => ts)).to.deep.equal(all.items.map(({ ts }) => ts).sort((a, b) => b - a))
    const pages: List[] = []
    for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.next)
      pages.push(await ada.get<List>(`/admin/audit?limit=7${cursor && `&cursor=${cursor}`}`))
    expect(pages.flatMap(({ items }) => items)).to.deep.equal(all.items)
    const roles = await ada.get<List>('/admin/audit?action=person.role&actor=ADA')
    expect(new Set(roles.items.map(({ action }) => action))).to.deep.equal(new Set(['person.role']))
    const middle = all.items[3]!.ts
    expect((await ada.get<List>(`/admin/audit?limit=200&from=${middle}`)).items).to.have.length(4)
    const response = await ada.fetch('/admin/audit.csv')
    expect(response.headers.get('Content-Type')).to.equal('text/csv; charset=utf-8')
    const lines = (await response.text()).trimEnd().split('\r\n')
    expect(lines[0]).to.equal('id,ts,actor,actor_kind,action,target,channel,detail,address')
    const columns = lines[0]!.split(',') as (keyof (typeof all.items)[number])[]
    const cells = (line: string) =>
      [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
        ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain,
      )
    const listed = all.items.map(item =>
      columns.map(column => {
        const value: unknown = item[column] ?? ''
        const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
        return text.startsWith('=') ? `'${text}` : text
      }),
    )
    expect(lines.slice(1).map(cells)).to.deep.equal(listed)
    expect(lines[1]).to.include(`,'=cmd(),`)
    const some = await (await ada.fetch('/admin/audit.csv?action=person.role&actor=ADA')).text()
    expect(some.trimEnd().split('\r\n')).to.have.length(roles.items.length + 1)
    for (const query of ['limit=0', 'cursor=x', 'from=x', 'to=-1', 'actor=%00'])
      expect(await codeOf(await ada.fetch(`/admin/audit?${query}`)), query).to.deep.equal([400, 'invalid'])
  })

  it('has exactly one entry of every act of administration, with actor and target', async () => {
    const { ada } = world
    for (const name of ['una', 'udo']) await newcomer(name)
    const wait = async (name: string) => {
      await newcomer(name)
      await db.query(`update users set state = 'pending' where username = $1`, [name])
    }
    await wait('uli')
    await wait('uta')
    const picture = await sharp({ create: { width: 20, height: 20, channels: 3, background: '#a30' } })
      .png()
      .toBuffer()
    const logo = new FormData()
    logo.set('logo', new File([new Uint8Array(picture)], 'one.png'))
    const message = await world.bob.send('general', 'to be removed')
    const invitation = async () => {
      const response = await ada.postJson('/invites', {})
      const { id } = (await response.clone().json()) as { id: number }
      invited = String(id)
      return response
    }
    let invited = ''
    const info = '/channel_info/acts'
    await world.backing.admin(`insert into backup_target (folder, since_ts) values ('/backups', 0)`)
    const acts: [action: string, target: () => string | null, run: () => Promise<Response>][] = [
      ['person.created', () => 'ugo', () => ada.postJson('/admin/people', { username: 'ugo' })],
      ['person.approved', () => 'uli', () => act('uli', 'approve')],
      ['person.rejected', () => 'uta', () => act('uta', 'reject')],
      ['person.role', () => 'una', () => setRole('una', 'admin')],
      ['person.profile', () => 'una', () => ada.patchJson('/admin/people/una', { title: 'Una' })],
      ['person.sessions_ended', () => 'una', () => act('una', 'end_sessions')],
      ['person.reset_link', () => 'una', () => act('una', 'reset_link')],
      ['person.deactivated', () => 'una', () => act('una', 'deactivate')],
      ['person.reactivated', () => 'una', () => act('una', 'reactivate')],
      ['person.renamed', () => 'udo', () => act('udo', 'rename', { username: 'udo2' })],
      ['person.deleted', () => 'una', () => act('una', 'delete', { type: 'hard' })],
      ['invite.created', () => invited, invitation],
      ['invite.revoked', () => invited, () => ada.fetch(`/invites/${invited}`, { method: 'DELETE' })],
      ['setting.changed', () => 'accent', () => ada.patchJson('/admin/settings', { accent: '#112233' })],
      ['setting.changed', () => 'accent', () => ada.patchJson('/admin/settings', { accent: null })],
      ['setting.changed', () => 'logo', () => ada.fetch('/admin/logo', { method: 'POST', body: logo })],
      ['setting.changed', () => 'logo', () => ada.fetch('/admin/logo', { method: 'DELETE' })],
      ['message.removed', () => 'bob', () => ada.postJson(`/moderate/delete/${message}`, {})],
      ['channel.created', () => 'acts', () => ada.postJson('/public_channels', { name: 'acts' })],
      ['channel.posting', () => 'acts', () => ada.patchJson(info, { posting: 'managers' })],
      ['channel.managers', () => 'bob', () => ada.fetch(`${info}/managers/bob`, { method: 'PUT' })],
      ['channel.managers', () => 'bob', () => ada.fetch(`${info}/managers/bob`, { method: 'DELETE' })],
      ['channel.archived', () => 'acts', () => ada.postJson(`${info}/archive`, {})],
      ['channel.unarchived', () => 'acts', () => ada.postJson(`${info}/unarchive`, {})],
      [
        'group.created',
        () => 'crew',
        () => ada.postJson('/groups', { handle: 'crew', name: 'Crew', members: [] }),
      ],
      ['group.changed', () => 'crew', () => ada.patchJson('/groups/crew', { name: 'The crew' })],
      ['group.deleted', () => 'crew', () => ada.fetch('/groups/crew', { method: 'DELETE' })],
      ['backup.asked', () => null, () => ada.postJson('/admin/backups', {})],
    ]
    for (const [action, target, run] of acts) {
      await db.query('delete from audit_log')
      const response = await run()
      expect(response.status, `${action}: ${await response.clone().text()}`).to.be.within(200, 299)
      const { rows } = await db.query(
        'select actor, action, coalesce(target, channel) as target from audit_log',
      )
      expect(rows, action).to.deep.equal([{ actor: 'ada', action, target: target() }])
    }
  })

  it('lists public and private channels with their size beside it, but no content and no DMs', async () => {
    const { ada, bob } = world
    interface List {
      items: { channel: string; name: string; members: number; messages: number }[]
      next: string | null
      counts?: Record<string, number>
    }
    const den = await bob.createPrivateChannel('The den', [])
    await bob.send(den, 'secret')
    await bob.send('dm:ada:bob', 'hello')
    await ada.postJson('/public_channels', { name: 'Old stones' })
    const all = await ada.get<List>('/admin/channels?limit=200')
    expect(all.items.find(({ channel }) => channel === den)).to.include({
      ...{ name: 'The den', kind: 'private', members: 1, archived: false },
    })
    expect(JSON.stringify(all)).to.not.include('secret').and.not.include('dm:')
    expect(all.counts!['open']).to.equal(all.items.length)
    for (const sort of ['newest', 'members', 'messages', 'name']) {
      const whole = await ada.get<List>(`/admin/channels?limit=200&sort=${sort}`)
      const pages: List[] = []
      for (let cursor: string | null = ''; cursor !== null; cursor = pages.at(-1)!.next)
        pages.push(
          await ada.get<List>(`/admin/channels?sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`),
        )
      expect(pages.flatMap(({ items }) => items)).to.deep.equal(whole.items)
    }
    const namesIn = async (query: string) =>
      (await ada.get<List>(`/admin/channels?${query}`)).items.map(({ name }) => name)
    expect(await namesIn('list=private&q=the')).to.deep.equal(['The den'])
    await db.query(`update channels set newest_ts = 1 where id = 'old-stones'`)
    expect(await namesIn('list=quiet&q=STONES')).to.deep.equal(['Old stones'])
    await ada.postJson('/channel_info/old-stones/archive', {})
    expect(await namesIn('list=archived')).to.deep.equal(['Old stones'])
    expect(await namesIn('list=quiet&q=stones')).to.deep.equal([])
    expect((await bob.fetch('/admin/channels')).status).to.equal(403)
  })

  it('has statistics of persons beside it, in which bots are counted apart', async () => {
    await db.query(
      `insert into users (username, password_hash, created_ts, kind) values ('robot', '', 0, 'bot');
       insert into presence (username, state, last_seen) values ('robot', 'offline', extract(epoch from now()))`,
    )
    const active = await db.query(
      `select count(*)::integer as count
         from users join presence using (username)
        where kind = 'person' and users.state = 'active'`,
    )
    await world.ada.sendFiles('general', [{ name: 'size.txt', bytes: 'x'.repeat(1_000) }])
    const stats = await world.ada.get<Record<string, unknown>>('/admin/stats')
    expect(stats['attachments_bytes']).to.equal(1_000)
    expect(stats['people']).to.be.at.least(4)
    expect(stats).to.include({ bots: 1, active_30d: active.rows[0].count })
    expect(stats['messages_per_day']).to.have.length(30)
    const today = (stats['messages_per_day'] as { day: string; count: number }[]).at(-1)!
    expect(today.day).to.equal(new Date().toISOString().slice(0, 10))
    expect(today.count).to.be.greaterThan(0)
    expect(stats['top_channels']).to.deep.include.members([(stats['top_channels'] as unknown[])[0]])
    expect(stats['database_bytes']).to.be.greaterThan(1_000_000)
    expect(Object.keys(stats)).to.have.members([
      'people',
      'guests',
      'bots',
      'active_1d',
      'active_7d',
      'active_30d',
      'messages',
      'messages_per_day',
      'attachments_bytes',
      'database_bytes',
      'top_channels',
    ])
  })
})
