import { expect } from 'chai'
import pg from 'pg'
import { VERSION } from '#shared/runtime/version.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { type NextRelease, nextRelease } from '#shared/test-kit/next-release.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { migrate } from './migrate.ts'
import { isUnavailable } from './postgres-errors.ts'
import { prepareDatabase } from './roles.ts'

/** Work before a start, over a link that breaks or falls silent in the middle of it. */
describe('a database that is prepared over a bad network', function () {
  this.timeout(180_000)
  let backing: TestBacking
  let holder: pg.Client
  let watcher: pg.Client
  let link: NetworkLink

  before(async () => {
    backing = await testBacking()
    holder = new pg.Client(backing.adminDatabaseUrl)
    watcher = new pg.Client(backing.adminDatabaseUrl)
    await Promise.all([holder.connect(), watcher.connect()])
  })
  after(async () => {
    await Promise.all([holder?.end(), watcher?.end()])
    await backing?.drop()
  })
  beforeEach(async () => {
    link = await NetworkLink.to(backing.adminDatabaseUrl)
  })
  afterEach(async () => {
    await holder.query('rollback')
    await holder.query('select pg_advisory_unlock_all()')
    await link.cut()
  })

  const isRunning = (statement: string) =>
    eventually(async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity
          where query like $1 and pid <> pg_backend_pid() and datname = current_database()`,
        [statement],
      )
      expect(rowCount).to.be.at.least(1)
    })

  /** Resolves with the error; fails if there is none within the time that a start may wait. */
  async function failure(work: Promise<unknown>): Promise<Error> {
    const began = performance.now()
    const err = await work.then(
      () => expect.fail('no error'),
      cause => cause as Error,
    )
    expect(performance.now() - began).to.be.below(15_000)
    expect(isUnavailable(err), String(err)).to.equal(true)
    return err
  }

  const passwordIn = (url: string) => decodeURIComponent(new URL(url).password)
  const prepare = () =>
    prepareDatabase(link.url, {
      owner: passwordIn(backing.ownerDatabaseUrl),
      app: passwordIn(backing.env.DATABASE_URL),
    })
  const LOCK = 2_607_041_978

  for (const fault of ['hold', 'cut'] as const) {
    const happens = fault === 'hold' ? 'falls silent' : 'breaks'

    it(`does not wait for ever for the lock of the migrations when its connection ${happens}`, async () => {
      await holder.query('select pg_advisory_lock($1)', [LOCK])
      const failed = failure(migrate(link.url))
      await isRunning('%pg_try_advisory_lock%')
      await link[fault]()
      await failed
    })

    it(`does not wait for ever for its tables when its connection ${happens}`, async () => {
      // Its owner has to change, as after an upgrade.
      await watcher.query('create table if not exists notes (); alter table notes owner to current_user')
      await holder.query('begin')
      await holder.query('lock table notes in access share mode')
      const failed = failure(prepare())
      await isRunning('alter table notes owner to %')
      await link[fault]()
      await failed
      await holder.query('rollback')
      await link.cut()
      await link.mend()
      expect(await prepare()).to.have.keys(['owner', 'app'])
    })
  }

  it('is given up after five seconds when the connection is accepted and silent', async () => {
    link.freeze()
    await failure(migrate(link.url))
    await failure(prepare())
  })

  describe('and a migration that indexes messages', () => {
    let next: NextRelease
    before(() => {
      next = nextRelease()
    })
    after(() => next.remove())

    async function begin(name: string) {
      next.add(
        name,
        `-- outside of a transaction
-- works from ${VERSION}
create index concurrently if not exists ${name.slice(5, -4)} on messages (ts) where client_id is not null;`,
      )
      await holder.query('begin')
      await holder.query('lock table messages in row exclusive mode')
      const applied = migrate(link.url, undefined, next)
      await isRunning('%index concurrently%')
      return { applied }
    }

    it('breaks it off with its connection, and applies it the next time', async () => {
      const { applied } = await begin('9001_one.sql')
      const failed = failure(applied)
      await link.cut()
      await failed
      await holder.query('rollback')
      expect(await migrate(backing.ownerDatabaseUrl, undefined, next)).to.deep.equal(['9001_one.sql'])
    })

    it('lets it take longer than other statements', async () => {
      const { applied } = await begin('9002_two.sql')
      const began = performance.now()
      await eventually(() => expect(performance.now() - began).to.be.above(11_000), 60_000)
      await holder.query('rollback')
      expect(await applied).to.deep.equal(['9002_two.sql'])
    })
  })
})
