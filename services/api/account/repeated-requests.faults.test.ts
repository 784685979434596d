import { expect } from 'chai'
import pg from 'pg'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import { makeClaimCode } from '#shared/ownership/claim-codes.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { MOST_SESSIONS } from './sessions/sessions.ts'

/** Redis falls silent between the commit and the session: the account exists, and the person has no session. */
describe('a request that is repeated because its session could not be stored', function () {
  this.timeout(180_000)
  const NEW = `${PASSWORD}-anew`
  let backing: TestBacking
  let redis: NetworkLink
  let api: RunningService
  let db: pg.Pool
  let witness: Person
  before(async () => {
    backing = await testBacking()
    backing.settings({ rate_limit_enabled: false, max_login_attempts: 3 })
    redis = await NetworkLink.to(backing.env.REDIS_URL)
    api = await startService('api', { ...backing.env, REDIS_URL: redis.url, LOG_LEVEL: 'fatal' })
    db = new pg.Pool({ connectionString: backing.env.DATABASE_URL })
    witness = await somebody(api.url).signUp()
  })
  after(async () => {
    await db.end()
    await api.stop()
    await redis.cut()
    await backing.drop()
  })

  async function withoutRedis<T>(work: () => Promise<T>): Promise<T> {
    redis.freeze()
    try {
      return await work()
    } finally {
      await redis.cut()
      await redis.mend()
      // This list is in Redis.
      await eventually(async () => expect((await witness.fetch('/sessions')).status).to.equal(200), 60_000)
    }
  }
  const fieldsOf = (person: Person, more = {}) => ({
    username: person.name,
    password: PASSWORD,
    confirm_password: PASSWORD,
    ...more,
  })
  const signUp = (person: Person, more = {}) => person.postForm('/signup', fieldsOf(person, more))
  const isIn = async (person: Person) => (await person.fetch('/me')).status === 200

  it('leads a new person in', async () => {
    const kim = somebody(api.url)
    expect((await withoutRedis(() => signUp(kim))).status).to.equal(503)
    const again = await signUp(kim)
    expect([again.status, again.headers.get('Location')]).to.deep.equal([302, '/'])
    expect(await isIn(kim)).to.equal(true)
  })

  it('leads a new person in by the username that was made from the name', async () => {
    const kim = somebody(api.url)
    const client_id = crypto.randomUUID()
    const form = { username: '', display_name: 'Kim Berg', client_id }
    expect((await withoutRedis(() => signUp(kim, form))).status).to.equal(503)
    expect((await signUp(kim, form)).status).to.equal(302)
    expect(await kim.get<MePayload>('/me')).to.include({ username: 'kim-berg' })
  })

  it('leads a person in who came by an invitation for one', async () => {
    const made = await witness.postJson('/invites', { max_uses: 1 })
    const { code: invite } = (await made.json()) as { code: string }
    const kim = somebody(api.url)
    expect((await withoutRedis(() => signUp(kim, { invite }))).status).to.equal(503)
    expect((await signUp(kim, { invite })).status).to.equal(302)
    expect(await isIn(kim)).to.equal(true)
    const other = await signUp(somebody(api.url), { invite })
    expect(await other.text(), 'somebody else').to.contain('This invitation is not valid any more.')
  })

  it('leads the first owner in', async () => {
    await db.query(`update users set role = 'member'`)
    const code = await makeClaimCode(db)
    const owner = somebody(api.url)
    const claim = () => owner.postForm(`/claim/${code}`, fieldsOf(owner))
    expect((await withoutRedis(claim)).status).to.equal(503)
    const again = await claim()
    expect([again.status, again.headers.get('Location')]).to.deep.equal([302, '/'])
    expect((await owner.get<MePayload>('/me')).role).to.equal('owner')
    expect((await claim()).headers.get('Location'), 'signed in').to.equal('/')
    const other = somebody(api.url)
    expect((await other.postForm(`/claim/${code}`, fieldsOf(other))).status, 'somebody else').to.equal(200)
  })

  it('leads nobody else in, and counts as a failed log-in', async () => {
    const kim = somebody(api.url)
    expect((await withoutRedis(() => signUp(kim))).status).to.equal(503)
    const mallory = new Person(kim.name, api.url)
    const guess = { password: NEW, confirm_password: NEW }
    for (let i = 0; i < 3; i++) {
      const began = performance.now()
      const refused = await signUp(mallory, guess)
      expect([refused.status, await isIn(mallory)]).to.deep.equal([200, false])
      expect(performance.now() - began, 'as slow as a log-in').to.be.above(2_900)
    }
    const locked = await signUp(kim)
    expect(await locked.text(), 'locked').to.contain('taken')
    expect(await isIn(kim)).to.equal(false)
  })

  it('leads nobody into an account that is older than an hour, and locks none', async () => {
    const kim = await somebody(api.url).signUp()
    await db.query('update users set created_ts = created_ts - 3601 where username = $1', [kim.name])
    const newcomer = new Person(kim.name, api.url)
    for (let i = 0; i < 4; i++) {
      expect(await (await signUp(newcomer, { password: NEW, confirm_password: NEW })).text()).to.contain(
        'taken',
      )
    }
    expect(await isIn(newcomer)).to.equal(false)
    const { rows } = await db.query('select failed_attempts, lockout_until from users where username = $1', [
      kim.name,
    ])
    expect(rows).to.deep.equal([{ failed_attempts: 0, lockout_until: null }])
  })

  it('leaves nobody signed in whose log-in was refused after the session was stored', async () => {
    const kim = await somebody(api.url).signUp()
    const logIn = async (device: Person) =>
      (await device.postForm('/login', { username: kim.name, password: PASSWORD })).status
    for (let i = 1; i < MOST_SESSIONS; i++) expect(await logIn(new Person(kim.name, api.url))).to.equal(302)
    const holder = await db.connect()
    const device = new Person(kim.name, api.url)
    try {
      // The least recently used session cannot be ended.
      await holder.query('begin; lock table ended_sessions in access exclusive mode')
      expect(await logIn(device)).to.equal(503)
      expect(await isIn(device), 'after the refusal').to.equal(false)
    } finally {
      await holder.query('rollback')
      holder.release()
    }
    expect(await logIn(device)).to.equal(302)
    expect(await isIn(device)).to.equal(true)
  })
})
