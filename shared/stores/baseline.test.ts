import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { ROOT } from '#shared/runtime/config.ts'
import { VERSION } from '#shared/runtime/version.ts'
import { catalogueOf } from '#shared/test-kit/catalogue.ts'
import { databaseWith, type FormerDatabase, formerDatabase } from '#shared/test-kit/former-database.ts'
import { type NextRelease, nextRelease } from '#shared/test-kit/next-release.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { BASELINE, FORMER } from './baseline.ts'
import { migrate, pendingMigrations } from './migrate.ts'

/**
 * `catalogueOf` after all migrations of 0.1.0 and the take-over, made once, at the last commit that had them (f0baa725). It
 * never changes, and is compared with a database that has the baseline alone.
 */
const SCHEMA_OF_BEFORE = join(ROOT, 'shared/stores/baseline.fixture.txt')

/** The migrations that follow the baseline. */
const LATER = readdirSync(join(ROOT, 'shared/stores/migrations'))
  .filter(name => name.endsWith('.sql') && name !== BASELINE)
  .sort()

describe('the baseline', () => {
  let backing: TestBacking
  let former: FormerDatabase
  let db: pg.Client
  beforeEach(async () => {
    backing = await testBacking()
    former = await formerDatabase(backing)
    db = new pg.Client(former.adminDatabaseUrl)
    await db.connect()
  })
  afterEach(async () => {
    await db.end()
    await former.drop()
    await backing.drop()
  })

  const recorded = async () =>
    (
      await db.query<{ name: string; works_from: string | null }>(
        'select name, works_from from schema_migrations order by name',
      )
    ).rows
  const failureOf = (work: Promise<unknown>): Promise<Error> =>
    work.then(
      () => expect.fail('no error'),
      err => err,
    )

  it('makes the schema that the migrations of 0.1.0 made, with the rows that they inserted', async () => {
    const alone = await databaseWith(backing, [BASELINE], 'baseline')
    const fresh = new pg.Client(alone.adminDatabaseUrl)
    await fresh.connect()
    const catalogue = await catalogueOf(fresh).finally(() => fresh.end())
    await alone.drop()
    expect(catalogue.split('\n')).to.deep.equal(readFileSync(SCHEMA_OF_BEFORE, 'utf8').split('\n'))
  })

  it('takes over a database of 0.1.0 once, without running', async () => {
    const [first, ...others] = await pendingMigrations(former.ownerDatabaseUrl)
    expect(first).to.deep.equal({ name: BASELINE, works_from: '0.1.0', is_outside: false })
    expect(others.map(({ name }) => name)).to.deep.equal(LATER)
    await db.query(`insert into users (username, password_hash, created_ts) values ('ada', '', 0)`)
    expect(await migrate(former.ownerDatabaseUrl)).to.deep.equal([BASELINE, ...LATER])
    expect((await recorded()).map(({ name }) => name)).to.deep.equal([...FORMER, BASELINE, ...LATER].sort())
    expect((await db.query('select username from users')).rows).to.deep.equal([{ username: 'ada' }])
    expect(await migrate(former.ownerDatabaseUrl)).to.deep.equal([])
    const { rows } = await db.query(`select proname from pg_proc where proname like 'fill\\_%'`)
    expect(rows).to.deep.equal([])
  })

  it('leaves the database to processes of 0.1.0 as well, unless it was made by 0.2.0', async () => {
    const release = { ...nextRelease(), version: VERSION }
    for (const name of LATER) rmSync(join(release.folder, name))
    expect(await migrate(former.ownerDatabaseUrl, undefined, release)).to.deep.equal([BASELINE])
    const folder = join(release.folder, 'former')
    mkdirSync(folder)
    for (const name of FORMER) writeFileSync(join(folder, name), 'create table users (username text);')
    const before = { folder, version: '0.1.0' }
    try {
      expect(await migrate(former.ownerDatabaseUrl, undefined, before)).to.deep.equal([])
      const failure = await failureOf(migrate(backing.ownerDatabaseUrl, undefined, before))
      expect(failure.message).to.include('newer than this bothy 0.1.0').and.include('start 0.2.0 or later')
    } finally {
      release.remove()
    }
  })

  it('refuses a database from before 0.1.0 was complete, and names the way', async () => {
    await db.query(`delete from schema_migrations where name > '0125'`)
    const before = await recorded()
    for (const work of [migrate, pendingMigrations]) {
      const failure = await failureOf(work(former.ownerDatabaseUrl))
      expect(failure.message)
        .to.include('it lacks 0125_marks_by_joining.sql and 3 more migrations')
        .and.include('Start bothy 0.1.0 with it first')
    }
    await db.query('alter table schema_migrations drop column works_from')
    const failure = await failureOf(migrate(former.ownerDatabaseUrl))
    expect(failure.message).to.include('Start bothy 0.1.0 with it first')
    expect((await recorded().catch(() => before)).length).to.equal(before.length)
  })

  for (const [what, statements] of [
    [
      'threads of replies',
      `insert into channels (id, clock_us) values ('general', 0);
       insert into messages (channel, ord, sender, content, ts) values ('general', 1, 'ada', 'a', 1);
       insert into messages (channel, ord, sender, content, ts, reply_to_id)
       select 'general', 2, 'ada', 'b', 2, id from messages`,
    ],
    ['sizes of files', `insert into files (name, original_name, type, ts) values ('a', 'a', 'x', 0)`],
    ['folded texts of the search', 'insert into unfolded_texts (up_to) values (1)'],
  ] as const)
    it(`refuses a database in which 0.1.0 has yet to fill in ${what}`, async () => {
      await db.query(statements)
      for (const work of [migrate, pendingMigrations]) {
        const failure = await failureOf(work(former.ownerDatabaseUrl))
        expect(failure.message)
          .to.include(`bothy 0.1.0 has not filled in all ${what}.`)
          .and.include('Let bothy 0.1.0 run')
      }
      expect((await recorded()).map(({ name }) => name)).to.deep.equal([...FORMER].sort())
    })

  it('is followed by the migrations of the next release, on both kinds of database', async () => {
    const next: NextRelease = nextRelease()
    next.add('9001_notes.sql', `-- works from ${VERSION}\ncreate table notes (id bigint primary key);`)
    try {
      expect(await migrate(former.ownerDatabaseUrl, undefined, next)).to.deep.equal([
        BASELINE,
        ...LATER,
        '9001_notes.sql',
      ])
      expect(await migrate(backing.ownerDatabaseUrl, undefined, next)).to.deep.equal(['9001_notes.sql'])
    } finally {
      next.remove()
    }
  })
})
