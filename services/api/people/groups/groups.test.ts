import { expect } from 'chai'
import pg from 'pg'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { GroupPayload, PeoplePayload } from '#shared/domain/payloads/people.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

let world: World
let db: pg.Client
before(async () => {
  world = await newWorld({ apis: 2, settings: { channels: ['general', 'design'] } })
  db = new pg.Client(world.backing.env.DATABASE_URL)
  await db.connect()
})
after(async () => {
  await db.end()
  await world.end()
})

const make = async (handle: string, members: string[], more = {}) => {
  const response = await world.ada.postJson('/groups', { handle, name: handle, members, ...more })
  expect(response.status, await response.clone().text()).to.equal(201)
  return (await response.json()) as GroupPayload
}
const patch = (person: Person, handle: string, body: unknown) => person.patchJson(`/groups/${handle}`, body)
const remove = (person: Person, handle: string) => person.fetch(`/groups/${handle}`, { method: 'DELETE' })
const group = async (handle: string) =>
  (await world.ada.get<GroupPayload[]>('/groups')).find(found => found.handle === handle)
async function refused(response: Promise<Response>, status: number, code: string, sentence?: string) {
  const found = await response
  const body = (await found.json()) as { error: string; code: string }
  expect([found.status, body.code], body.error).to.deep.equal([status, code])
  if (sentence) expect(body.error).to.equal(sentence)
}
const send = async (person: Person, channel: string, text: string) => {
  const response = await person.postForm(`/send/${channel}`, { text })
  expect(response.status).to.equal(200)
  return {
    id: Number(response.headers.get('X-Message-Id')),
    missed: response.headers.get('X-Mention-Missed'),
  }
}
const row = async (channel: string, id: number) =>
  (await world.ada.get<MessagePayload[]>(`/messages/${channel}?extra=1`)).find(found => found.id === id)!
const mentionedIn = async (person: Person) =>
  (await person.get<MentionPayload[]>('/mentions')).map(({ id }) => id)
const signUp = (name: string, at = 0) =>
  new Person(name, world.api[at]!.url).postForm('/signup', {
    username: name,
    password: PASSWORD,
    confirm_password: PASSWORD,
  })
const groupsRev = async () => (await world.ada.get<PeoplePayload>('/people')).groups_rev

describe('a group in a text (interface 15.3)', () => {
  before(() => make('design-team', ['cleo', 'bob', 'mallory'], { name: 'Designers' }))

  it('mentions its members who can read the channel by name, and tells the sender of the others', async () => {
    const { ada, bob, cleo, mallory } = world
    const den = await world.privateChannel('den', [ada, cleo, bob])
    const sent = await send(ada, den, 'hello @Design-Team, and @ada')
    expect(sent.missed).to.equal('design-team=1')
    const stored = await row(den, sent.id)
    expect(stored.mentions, 'in the order of members').to.equal('["ada","cleo","bob"]')
    expect(stored.extra).to.deep.equal({ groups: ['design-team'] })
    expect(await mentionedIn(bob)).to.include(sent.id)
    expect(await mentionedIn(mallory)).to.not.include(sent.id)
    expect((await ada.messages(den)).every(message => !('extra' in message))).to.equal(true)

    const open = await send(bob, 'general', '@design-team: all read this')
    expect(open.missed).to.equal(null)
    expect((await row('general', open.id)).mentions).to.equal('["bob","cleo","mallory"]')
    const between = await send(ada, 'dm:ada:bob', '@design-team')
    expect(between.missed).to.equal('design-team=2')
    expect((await row('dm:ada:bob', between.id)).mentions).to.equal('["bob"]')
  })

  it('is extracted anew from an edited text, and goes with a deleted one', async () => {
    const { ada, cleo } = world
    const { id } = await send(ada, 'general', 'plain')
    const edited = await ada.edit(id, 'for @design-team')
    expect(edited.headers.get('X-Mention-Missed')).to.equal(null)
    expect(await row('general', id)).to.deep.include({
      mentions: '["bob","cleo","mallory"]',
      extra: { groups: ['design-team'] },
    })
    expect(await mentionedIn(cleo)).to.include(id)
    await ada.edit(id, 'plain again')
    expect((await row('general', id)).mentions).to.equal(null)
    expect(await row('general', id)).to.not.have.property('extra')
    await ada.edit(id, '@design-team after all')
    await ada.delete(id)
    expect(await row('general', id)).to.not.have.property('extra')
  })

  it('gives way to a longer name of a person, and to @everyone', async () => {
    const { ada } = world
    await signUp('design-team-lead')
    const { id } = await send(ada, 'general', '@design-team-lead and `@design-team`')
    expect(await row('general', id)).to.include({ mentions: '["design-team-lead"]' })
    expect(await row('general', id)).to.not.have.property('extra')
    const all = await send(ada, 'general', '@everyone, @design-team first')
    expect(await row('general', all.id)).to.deep.include({
      mentions: '["@everyone"]',
      extra: { groups: ['design-team'] },
    })
  })

  it('reaches neither deactivated people nor more than five groups', async () => {
    const { ada } = world
    await signUp('eva')
    for (const i of [1, 2, 3, 4, 5, 6]) await make(`crew-${i}`, i === 6 ? ['bob'] : ['eva', 'cleo'])
    expect((await ada.postJson('/admin/people/eva/deactivate', {})).status).to.equal(204)
    const den = await world.privateChannel('crews', [ada, world.mallory])
    const { id, missed } = await send(ada, den, '@crew-1 @crew-2 @crew-3 @crew-4 @crew-5 @crew-6')
    expect(missed).to.equal('crew-1=1, crew-2=1, crew-3=1, crew-4=1, crew-5=1')
    expect((await row(den, id)).mentions).to.equal(null)
    expect((await group('crew-1'))!.members).to.deep.equal(['cleo'])
    await ada.postJson('/admin/people/eva/reactivate', {})
    expect((await group('crew-1'))!.members).to.deep.equal(['cleo', 'eva'])
  })

  it('counts towards the five only where the text means it, not for a prefix of another handle', async () => {
    for (const handle of ['run', 'run-eu', 'run-eu-west', 'web', 'web-eu', 'db']) await make(handle, ['cleo'])
    const { id } = await send(world.ada, 'general', '@run-eu-west @web-eu @db')
    expect((await row('general', id)).extra).to.deep.equal({ groups: ['run-eu-west', 'web-eu', 'db'] })
  })

  it('from a guest reaches those whom the guest sees, and tells of nobody else', async () => {
    const { ada, bob } = world
    await signUp('guest')
    const guest = new Person('guest', world.api[0]!.url)
    await guest.postForm('/login', { username: 'guest', password: PASSWORD })
    const den = await world.privateChannel('guests', [bob, guest])
    await ada.patchJson('/admin/people/guest', { role: 'guest', channels: [] })
    const sent = await send(guest, den, '@design-team')
    expect(sent.missed).to.equal(null)
    const { rows } = await db.query('select mentions, extra from messages where id = $1', [sent.id])
    expect(rows[0]).to.deep.equal({ mentions: '["bob"]', extra: { groups: ['design-team'] } })
    await make('elsewhere', ['cleo'])
    const hidden = await send(guest, den, '@elsewhere')
    const { rows: others } = await db.query('select mentions, extra from messages where id = $1', [hidden.id])
    expect(others[0]).to.deep.equal({ mentions: null, extra: null })
    await refused(guest.fetch('/groups'), 403, 'forbidden')
    await refused(patch(guest, 'design-team', { add: ['guest'] }), 403, 'forbidden')
    expect((await guest.get<PeoplePayload>('/people')).groups_rev).to.equal(0)
  })
})

describe('the handle of a group (interface 15.3)', () => {
  it('shares the names of people: nobody signs up, is made or renamed to one', async () => {
    const { ada } = world
    await make('Ops', [])
    for (const name of ['Ops', 'ops']) {
      const page = await (await signUp(name)).text()
      expect(page).to.include('That name is taken.')
      await refused(ada.postJson('/admin/people', { username: name }), 409, 'conflict', 'That name is taken.')
      await refused(ada.postJson('/admin/people/bob/rename', { username: name }), 409, 'conflict')
    }
    await signUp('left').then(response => expect(response.status).to.equal(302))
    const left = new Person('left', world.api[0]!.url)
    await left.postForm('/login', { username: 'left', password: PASSWORD })
    await left.postJson('/delete_account', { type: 'soft', password: PASSWORD })
    for (const handle of ['bob', 'BOB', 'ops', 'left'])
      await refused(ada.postJson('/groups', { handle, name: 'x', members: [] }), 409, 'conflict')
    for (const handle of ['everyone', 'System', 'a b', 'é', 'x'.repeat(33)])
      await refused(ada.postJson('/groups', { handle, name: 'x', members: [] }), 400, 'invalid')
    await make('night', [])
    for (const handle of ['bob', 'OPS']) await refused(patch(ada, 'night', { handle }), 409, 'conflict')
    expect((await patch(ada, 'night', { handle: 'Night' })).status).to.equal(204)
    expect((await remove(ada, 'ops')).status).to.equal(204)
    expect((await signUp('ops')).status, 'free again').to.equal(302)
  })

  it('goes to one of a group and a sign-up at the same time', async () => {
    const { ada } = world
    const names = Array.from({ length: 8 }, (_, i) => `race-${i}`)
    const outcomes = await Promise.all(
      names.map(async (name, i) => {
        const [made, signed] = await Promise.all([
          ada.postJson('/groups', { handle: name, name, members: [] }),
          signUp(name, i % 2),
        ])
        return [made.status, signed.status]
      }),
    )
    for (const outcome of outcomes) expect(outcome.join()).to.be.oneOf(['201,200', '409,302'])
    const both = await db.query('select from users join user_groups on handle_key = username_key')
    expect(both.rowCount).to.equal(0)
  })
})

describe('groups (interface 15.3)', () => {
  it('are made, changed and deleted by administrators, and filled by their members', async () => {
    const { ada, bob, mallory } = world
    const rev = await groupsRev()
    const client_id = crypto.randomUUID()
    const made = await make('stage', ['CLEO', 'bob', 'bob'], { name: ' The  stage ', client_id })
    expect(made).to.deep.equal({ handle: 'stage', name: 'The stage', members: ['bob', 'cleo'], mine: false })
    expect(await make('stage', ['bob', 'cleo'], { client_id })).to.deep.equal(made)
    expect((await bob.get<GroupPayload[]>('/groups')).find(({ handle }) => handle === 'stage')).to.deep.equal(
      {
        ...made,
        mine: true,
      },
    )
    await refused(bob.postJson('/groups', { handle: 'own', name: 'x', members: [] }), 403, 'forbidden')
    await refused(patch(mallory, 'stage', { add: ['mallory'] }), 403, 'forbidden')
    await refused(patch(bob, 'stage', { name: 'Mine' }), 403, 'forbidden')
    await refused(patch(bob, 'stage', { handle: 'mine', add: ['ada'] }), 403, 'forbidden')
    await refused(remove(bob, 'stage'), 403, 'forbidden')
    await refused(patch(ada, 'unknown', { name: 'x' }), 404, 'not_found')
    await refused(remove(ada, 'unknown'), 404, 'not_found')

    expect((await patch(bob, 'STAGE', { add: ['Mallory', 'bob'], remove: ['cleo'] })).status).to.equal(204)
    expect((await group('stage'))!.members).to.deep.equal(['bob', 'mallory'])
    expect(await groupsRev()).to.be.greaterThan(rev)
    const unchangedRev = await groupsRev()
    for (const body of [{ add: ['bob'] }, { remove: ['cleo', 'nobody'] }, { name: 'The stage' }])
      expect((await patch(ada, 'stage', body)).status).to.equal(204)
    expect(await groupsRev()).to.equal(unchangedRev)
    expect((await patch(bob, 'stage', { remove: ['bob'] })).status, 'leaves').to.equal(204)
    await refused(patch(bob, 'stage', { add: ['bob'] }), 403, 'forbidden')
    expect((await patch(ada, 'stage', { name: 'Sound', handle: 'sound' })).status).to.equal(204)
    expect((await remove(ada, 'sound')).status).to.equal(204)
    expect(await group('sound')).to.equal(undefined)

    const entries = async (target: string) => {
      const { items } = await ada.get<{ items: { action: string; actor: string; detail: unknown }[] }>(
        `/admin/audit?action=group&target=${target}`,
      )
      return items.map(({ action, actor, detail }) => [action, actor, detail])
    }
    expect(await entries('stage')).to.deep.equal([
      [
        'group.changed',
        'ada',
        { name: { from: 'The stage', to: 'Sound' }, handle: { from: 'stage', to: 'sound' } },
      ],
      ['group.changed', 'bob', { removed: ['bob'] }],
      ['group.changed', 'bob', { added: ['mallory'], removed: ['cleo'] }],
      ['group.created', 'ada', { name: 'The stage', members: ['bob', 'cleo'] }],
    ])
    expect(await entries('sound')).to.deep.equal([['group.deleted', 'ada', { name: 'Sound' }]])
  })

  it('lose a deleted account and keep a renamed one, which changes their revision', async () => {
    await signUp('paul')
    await make('band', ['paul', 'bob'])
    const before = await groupsRev()
    const etag = (await world.ada.fetch('/people')).headers.get('ETag')!
    await db.query(`update users set username = 'bobby' where username = 'bob'`)
    expect((await group('band'))!.members).to.deep.equal(['bobby', 'paul'])
    await db.query(`update users set username = 'bob' where username = 'bobby'`)
    const paul = new Person('paul', world.api[0]!.url)
    await paul.postForm('/login', { username: 'paul', password: PASSWORD })
    expect((await paul.postJson('/delete_account', { type: 'hard', password: PASSWORD })).status).to.be.below(
      400,
    )
    expect((await group('band'))!.members).to.deep.equal(['bob'])
    expect(await groupsRev()).to.be.greaterThan(before + 1)
    const again = await world.ada.fetch('/people', { headers: { 'If-None-Match': etag } })
    expect(again.status).to.equal(200)
  })

  it('are at most 200, of 500 members each', async () => {
    const { ada } = world
    await db.query(
      `insert into users (username, password_hash, created_ts) select 'extra-' || i, 'x', 0 from generate_series(1, 501) i`,
    )
    const names = Array.from({ length: 501 }, (_, i) => `extra-${i + 1}`)
    await refused(ada.postJson('/groups', { handle: 'all', name: 'All', members: names }), 400, 'invalid')
    await make('all', names.slice(0, 500))
    await refused(
      patch(ada, 'all', { add: ['extra-501'] }),
      400,
      'invalid',
      'a group has at most 500 members',
    )
    expect((await group('all'))!.members).to.have.length(500)
    expect((await patch(ada, 'all', { add: ['extra-501'], remove: ['extra-1'] })).status).to.equal(204)
    const { id } = await send(ada, 'general', 'hello @all')
    expect(JSON.parse((await row('general', id)).mentions!)).to.have.length(500)
    await db.query(
      `insert into user_groups (handle, name, created_ts) select 'g-' || i, 'G', 0 from generate_series(1, 200 - (select count(*)::int from user_groups)) i`,
    )
    await refused(
      ada.postJson('/groups', { handle: 'one-more', name: 'x', members: [] }),
      400,
      'invalid',
      'at most 200 groups',
    )
  })

  it('refuse bad input and change nothing', async () => {
    const { ada } = world
    const before = JSON.stringify(await ada.get('/groups'))
    const bad: [field: string, value: unknown, code: string][] = [
      ['handle', 7, 'required'],
      ['handle', null, 'required'],
      ['handle', ['x'], 'required'],
      ['handle', 'x'.repeat(10_000), 'invalid'],
      ['handle', 'a\0b', 'invalid'],
      ['handle', '\ud800', 'invalid'],
      ['name', 7, 'required'],
      ['name', null, 'required'],
      ['name', ' \n ', 'required'],
      ['name', {}, 'required'],
      ['name', 'x'.repeat(10_000), 'too_long'],
      ['name', 'a\0b', 'invalid'],
      ['name', '\ud800', 'invalid'],
    ]
    const lists: [value: unknown, code: string][] = [
      [7, 'required'],
      [null, 'required'],
      ['bob', 'required'],
      [{}, 'required'],
      [[7], 'invalid'],
      [[null], 'invalid'],
      [['a\0b'], 'invalid'],
      [['\ud800'], 'invalid'],
      [['x'.repeat(10_000)], 'invalid'],
      [Array(501).fill('bob'), 'invalid'],
    ]
    const draft = { handle: 'fresh', name: 'Fresh', members: [] }
    for (const [field, value, code] of bad) {
      await refused(ada.postJson('/groups', { ...draft, [field]: value }), 400, code)
      await refused(patch(ada, 'band', { add: ['cleo'], [field]: value }), 400, code)
    }
    for (const [value, code] of [...lists, [['nobody-here'], 'invalid'] as const]) {
      await refused(ada.postJson('/groups', { ...draft, members: value }), 400, code)
      await refused(patch(ada, 'band', { name: 'x', add: value }), 400, code)
    }
    for (const [value, code] of lists)
      await refused(patch(ada, 'band', { name: 'x', remove: value }), 400, code)
    for (const field of ['handle', 'name', 'members'])
      await refused(ada.postJson('/groups', { ...draft, [field]: undefined }), 400, 'required')
    await refused(ada.postJson('/groups', { ...draft, client_id: 'x' }), 400, 'invalid')
    await refused(patch(ada, 'band', {}), 400, 'required')
    expect(JSON.stringify(await ada.get('/groups'))).to.equal(before)
  })
})
