import { expect } from 'chai'
import pg from 'pg'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { WorkspacePayload } from '#shared/domain/payloads/administration.ts'
import { makeClaimCode } from '#shared/ownership/claim-codes.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

const NOT_VALID =
  'This link is not valid any more. The server prints a new one when it starts without an owner.'

describe('the first owner (interface 17.1)', () => {
  let backing: TestBacking
  let api: RunningService
  let db: pg.Pool
  before(async () => {
    backing = await testBacking()
    api = await startService('api', backing.env)
    db = new pg.Pool({ connectionString: backing.env.DATABASE_URL })
  })
  afterEach(() => forgetPeople())
  after(async () => {
    await db.end()
    await api.stop()
    await backing.drop()
  })

  const roleOf = async (person: Person) => (await person.get<MePayload>('/me')).role
  const audit = async () =>
    (
      await db.query(
        `select actor, action, target, detail from audit_log where action <> 'signup' order by id`,
      )
    ).rows
  /** The code of a new claim link. */
  const newCode = async () => (await makeClaimCode(db))!
  const claim = (person: Person, code: string, more: Record<string, string> = {}) =>
    person.postForm(`/claim/${code}`, {
      username: person.name,
      password: PASSWORD,
      confirm_password: PASSWORD,
      ...more,
    })
  async function forgetPeople() {
    for (const table of ['users', 'deleted_names', 'claim_codes', 'audit_log', 'workspace_settings'])
      await db.query(`delete from ${table}`)
  }
  async function withoutFirstOwner() {
    backing.settings({ rate_limit_enabled: false, first_account_is_owner: false })
    await eventually(async () => {
      const probe = await somebody(api.url).signUp()
      const role = await roleOf(probe)
      await forgetPeople()
      expect(role).to.equal('member')
    })
  }

  it('is the first account, and the second is a member; of ten first sign-ups at once one is an owner', async () => {
    const people = Array.from({ length: 10 }, () => somebody(api.url))
    await Promise.all(people.map(person => person.signUp()))
    const roles = await Promise.all(people.map(roleOf))
    expect(roles.filter(role => role === 'owner')).to.have.length(1)
    expect(roles.filter(role => role === 'member')).to.have.length(9)
    expect(await roleOf(await somebody(api.url).signUp())).to.equal('member')
    const owner = people[roles.indexOf('owner')]!.name
    expect(await audit()).to.deep.equal([
      { actor: owner, action: 'owner.claimed', target: owner, detail: {} },
    ])
  })

  it('may delete the own account: the longest-serving admin inherits, and without one there is no owner', async () => {
    const owner = await somebody(api.url).signUp()
    const admins = [await somebody(api.url).signUp(), await somebody(api.url).signUp()] as const
    const member = await somebody(api.url).signUp()
    await db.query(`update users set role = 'admin' where username = any($1)`, [admins.map(one => one.name)])
    const leave = (person: Person) => person.postJson('/delete_account', { type: 'soft', password: PASSWORD })
    expect((await leave(owner)).status).to.equal(200)
    expect(await Promise.all(admins.map(roleOf))).to.deep.equal(['owner', 'admin'])
    const self = { actor: owner.name, target: owner.name }
    expect(await audit()).to.deep.equal([
      { ...self, action: 'owner.claimed', detail: {} },
      { actor: owner.name, action: 'owner.inherited', target: admins[0].name, detail: {} },
      { ...self, action: 'person.deleted', detail: { type: 'soft' } },
    ])
    await leave(admins[1])
    expect((await leave(admins[0])).status).to.equal(200)
    expect(await roleOf(member)).to.equal('member')
    const inherited = (await audit()).filter(({ action }) => action === 'owner.inherited')
    expect(inherited).to.have.length(1)
    expect(await makeClaimCode(db), 'it can be claimed').to.be.a('string')
  })

  it('is nobody if the operator does not want it, and then whoever opens the link of the server', async () => {
    await withoutFirstOwner()
    const ada = await new Person('ada', api.url).signUp()
    expect(await roleOf(ada)).to.equal('member')

    const [old, code] = [await newCode(), await newCode()]
    const bob = new Person('bob', api.url)
    expect(await (await bob.fetch(`/claim/${old}`)).text(), 'only the newest counts').to.include(NOT_VALID)
    expect(await (await bob.fetch('/claim/AAAAAAAAAAAAAAAA')).text()).to.include(NOT_VALID)
    const page = await (await bob.fetch(`/claim/${code}`)).text()
    expect(page).to.include('name="workspace_name"').and.include('name="confirm_password"')

    expect(await (await claim(bob, code, { username: 'a b' })).text()).to.include('Use 1 to 32 letters')
    expect(await (await claim(bob, code, { username: 'Ada' })).text()).to.include('That name is taken.')
    expect(await (await claim(bob, code, { workspace_name: 'a\nb' })).text()).to.include('one line')
    const claimed = await claim(bob, code, { workspace_name: ' Hill House ' })
    expect([claimed.status, claimed.headers.get('Location')]).to.deep.equal([302, '/'])
    expect(await roleOf(bob)).to.equal('owner')
    expect((await bob.get<WorkspacePayload>('/workspace')).name).to.equal('Hill House')
    expect((await bob.messages('general')).at(-1)!.content).to.equal('Welcome to bothy, bob! Say hello.')

    for (const used of [code, old, 'AAAAAAAAAAAAAAAA']) {
      expect(await (await somebody(api.url).fetch(`/claim/${used}`)).text()).to.include(NOT_VALID)
      expect(await (await claim(somebody(api.url), used)).text()).to.include(NOT_VALID)
    }
    expect(await makeClaimCode(db), 'no link with an owner').to.equal(undefined)
    expect(await audit()).to.deep.equal([
      { actor: 'bob', action: 'owner.claimed', target: 'bob', detail: { workspace_name: 'Hill House' } },
    ])
  })

  it('opens the link of the server in every mode of sign-up', async () => {
    backing.settings({ rate_limit_enabled: false, first_account_is_owner: false, signup_mode: 'closed' })
    const stranger = somebody(api.url)
    await eventually(async () =>
      expect(await (await stranger.fetch('/signup')).text()).to.include(
        'Accounts are made by the administrators here.',
      ),
    )
    const code = await newCode()
    expect((await claim(stranger, code)).status).to.equal(302)
    expect(await roleOf(stranger)).to.equal('owner')
    backing.settings({ rate_limit_enabled: false })
  })

  it('may be somebody who is signed in, by a button that requires the token of the form', async () => {
    await withoutFirstOwner()
    const ada = await new Person('ada', api.url).signUp()
    const code = await newCode()
    const page = await (await ada.fetch(`/claim/${code}`)).text()
    expect(page).to.include('Become the owner').and.not.include('name="password"')
    expect((await ada.postForm(`/claim/${code}`)).status).to.equal(403)
    expect(await roleOf(ada)).to.equal('member')
    const csrf_token = /name="csrf_token" value="([^"]+)"/.exec(page)![1]!
    expect((await ada.postForm(`/claim/${code}`, { csrf_token })).status).to.equal(302)
    expect(await roleOf(ada)).to.equal('owner')
  })

  it('voids the link of the server, also when the first sign-up made the owner', async () => {
    backing.settings({ rate_limit_enabled: false })
    const code = await newCode()
    const owner = await eventually(async () => {
      await db.query(`delete from users`)
      const first = await somebody(api.url).signUp()
      expect(await roleOf(first)).to.equal('owner')
      return first
    })
    expect((await owner.postJson('/delete_account', { type: 'soft', password: PASSWORD })).status).to.equal(
      200,
    )
    expect(await (await somebody(api.url).fetch(`/claim/${code}`)).text()).to.include(NOT_VALID)
  })

  it('is one person if ten open the link at once', async () => {
    await withoutFirstOwner()
    const code = await newCode()
    const people = Array.from({ length: 10 }, () => somebody(api.url))
    const answers = await Promise.all(people.map(person => claim(person, code)))
    expect(answers.filter(({ status }) => status === 302)).to.have.length(1)
    const { rows } = await db.query(`select role from users`)
    expect(rows).to.deep.equal([{ role: 'owner' }])
  })

  it('is announced in the log of each janitor that starts without one, unless npm start does it', async () => {
    const janitor = await startService('janitor', backing.env)
    const [, path] = /No owner yet\. Open http:\/\/localhost:3000(\/claim\/[A-Z2-7]{16})/.exec(
      janitor.output(),
    )!
    await janitor.stop()
    expect(await (await somebody(api.url).fetch(path!)).text()).to.include('Become the owner')
  })

  it('has German pages', async () => {
    const stranger = somebody(api.url)
    const german = { headers: { 'Accept-Language': 'de' } }
    const code = await newCode()
    expect(await (await stranger.fetch(`/claim/${code}`, german)).text()).to.include('Inhaber werden')
    expect(await (await stranger.fetch('/claim/x', german)).text()).to.include('Dieser Link gilt nicht mehr')
  })
})
