import { expect } from 'chai'
import pg from 'pg'
import type { PeopleChangesPayload, PeoplePayload } from '#shared/domain/payloads/people.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('the list of people of a guest (interface 15.1)', () => {
  let world: World
  let gateway: RunningService
  let db: pg.Client
  let guest: Person
  before(async () => {
    world = await newWorld()
    gateway = await startService('events', world.backing.env)
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    guest = world.cleo
    await world.bob.postJson('/public_channels', { name: 'Project' })
    const body = { role: 'guest', channels: ['project'] }
    expect((await world.ada.patchJson('/admin/people/cleo', body)).status).to.equal(204)
    await age()
  })
  after(async () => {
    await gateway.stop()
    await db.end()
    await world.end()
  })

  /** Changes up to now are listed no longer. */
  const age = () => db.query('update users set rev_ts = rev_ts - 100')

  const list = () => guest.get<PeoplePayload>('/people')
  const changes = () => guest.get<PeopleChangesPayload>('/people_changes')
  const namesIn = ({ people }: PeoplePayload) => people.map(({ username }) => username)

  it('stays the same while strangers come, change and go', async () => {
    const before = [await list(), await changes()]
    expect(namesIn(before[0]!)).to.deep.equal(['bob', 'cleo'])
    const zelda = await new Person('zelda', world.api[0]!.url).signUp()
    await zelda.patchJson('/me', { title: 'Sound' })
    await zelda.putJson('/status', { text: 'busy', for_minutes: 5 })
    await world.ada.patchJson('/me', { title: 'Light' })
    await db.query(
      `insert into users (username, password_hash, created_ts) select 'stranger' || n, 'x', 0 from generate_series(1, 250) n`,
    )
    await world.ada.postJson('/public_channels', { name: 'Attic' })
    await zelda.postForm('/public_channels/attic/join')
    await zelda.postJson('/delete_account', { type: 'hard', password: PASSWORD })
    expect([await list(), await changes()]).to.deep.equal(before)
  })

  it('has a revision that tells when somebody changed, and not how often others did', async () => {
    const before = await list()
    await world.bob.patchJson('/me', { title: 'Sound' })
    const after = await changes()
    expect(namesIn(after)).to.deep.equal(['bob'])
    expect(after).to.include({ from_rev: before.rev, sight: before.sight })
    expect(after.rev).to.be.greaterThan(before.rev)
    expect((await list()).rev).to.equal(after.rev)
    const { rows } = await db.query<{ rev_ts: number }>(`select rev_ts from users where username = 'bob'`)
    expect(after.rev).to.equal(Math.round(rows[0]!.rev_ts * 1_000_000))
    expect((await guest.fetch(`/people?since=${after.rev}`)).status).to.equal(200)
    await age()
    const later = await changes()
    expect([later.people, later.from_rev]).to.deep.equal([[], later.rev])
  })

  it('tells open tabs when somebody comes into sight, leaves it, or is deleted', async () => {
    const { mallory } = world
    const tab = await openTab(gateway.url, guest.cookie, { deltas: ['people'] })
    const seenAlone = (await list()).sight!
    await tab.waitFor(({ last }) => last.people?.sight === seenAlone)
    await mallory.postForm('/public_channels/project/join')
    const joined = await list()
    expect(namesIn(joined)).to.deep.equal(['bob', 'cleo', 'mallory'])
    expect(joined.sight).to.not.equal(seenAlone)
    await tab.waitFor(({ last }) => last.people?.sight === joined.sight)
    await mallory.postForm('/public_channels/project/leave')
    await tab.waitFor(({ last }) => last.people?.sight === seenAlone)
    await mallory.postForm('/public_channels/project/join')
    await tab.waitFor(({ last }) => last.people?.sight === joined.sight)
    await mallory.postJson('/delete_account', { type: 'soft', password: PASSWORD })
    await tab.waitFor(({ last }) => last.people?.sight === seenAlone)
    expect(tab.raw).to.not.match(/stranger|zelda|ada/)
    tab.close()
  })

  it('is asked for after more than 200 changes', async () => {
    await db.query(
      `insert into channel_memberships (username, channel, joined, changed_ts)
       select username, 'project', true, 0 from users where username like 'stranger%'`,
    )
    await db.query(`update users set title = 'new' where username like 'stranger%'`)
    const many = await changes()
    expect([many.people, many.from_rev]).to.deep.equal([[], many.rev])
    expect(namesIn(await list())).to.have.length(252)
  })
})
