import { expect } from 'chai'
import pg from 'pg'
import { VERSION } from '#shared/runtime/version.ts'
import { assertSchemaCurrent, migrate, pendingMigrations } from '#shared/stores/migrate.ts'
import { NEXT, type NextRelease, nextRelease } from '#shared/test-kit/next-release.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

/** The next release is a copy of the migrations with some more; its processes are not needed. */
describe('a schema of the next release', function () {
  this.timeout(240_000)
  let backing: TestBacking
  let next: NextRelease
  let db: pg.Client
  const running: RunningService[] = []

  beforeEach(async () => {
    backing = await testBacking()
    next = nextRelease()
    db = new pg.Client(backing.adminDatabaseUrl)
    await db.connect()
  })
  afterEach(async () => {
    await Promise.all(running.splice(0).map(service => service.stop()))
    await db.end()
    next.remove()
    await backing.drop()
  })

  const applied = async () =>
    (await db.query('select name from schema_migrations order by name')).rows.map(({ name }) => name)
  async function start(name: string) {
    const service = await startService(name, backing.env)
    running.push(service)
    return service
  }

  it('keeps this release running, which may restart, if the migration says so', async () => {
    const before = await start('api')
    const ada = await new Person('ada', before.url).signUp()
    next.add('9001_notes.sql', `-- works from ${VERSION}\ncreate table notes (id bigint primary key);`)
    expect((await pendingMigrations(backing.ownerDatabaseUrl, next)).map(({ name }) => name)).to.deep.equal([
      '9001_notes.sql',
    ])
    expect(await migrate(backing.ownerDatabaseUrl, undefined, next)).to.deep.equal(['9001_notes.sql'])
    await ada.send('general', 'The old process runs.')
    await before.kill()
    for (const name of ['api', 'events', 'janitor']) await start(name)
    ada.at = running[1]!.url
    await ada.send('general', 'A restarted one does, too.')
    expect((await ada.messages('general')).map(({ content }) => content)).to.include.members([
      'The old process runs.',
      'A restarted one does, too.',
    ])
  })

  for (const [what, line] of [
    ['a later release', `-- works from ${NEXT}\n`],
    ['none', ''],
  ] as const)
    it(`lets none of this release start if the migration names ${what}, and says so in one line`, async () => {
      next.add('9001_split.sql', `${line}create table split (id bigint primary key);`)
      await migrate(backing.ownerDatabaseUrl, undefined, next)
      for (const name of ['api', 'janitor']) {
        const failure: Error = await startService(name, backing.env).then(
          () => expect.fail(`${name} started`),
          err => err,
        )
        const lines = failure.message
          .split('\n')
          .filter(one => one.startsWith('{'))
          .map(one => JSON.parse(one))
          .filter(({ level }) => level !== 'warn')
        expect(lines, name).to.have.length(1)
        expect(lines[0]).to.include({ level: 'fatal', msg: 'configuration not usable' })
        expect(lines[0].faults[0]).to.include('9001_split.sql').and.include(VERSION)
        if (line !== '') expect(lines[0].faults[0]).to.include(`start ${NEXT} or later`)
      }
      const fault: Error = await assertSchemaCurrent(db).then(
        () => expect.fail('current'),
        err => err,
      )
      expect(fault.message).to.include('newer than this bothy')
    })

  it('that fails halfway is as before, says so, and this release starts', async () => {
    next.add('9001_first.sql', `-- works from ${VERSION}\ncreate table first (id bigint primary key);`)
    next.add(
      '9002_half.sql',
      `-- works from ${NEXT}
       create table half (id bigint primary key);
       alter table users add column half text;
       insert into half select id from no_such_table;`,
    )
    const before = await applied()
    for (let attempt = 0; attempt < 2; attempt++) {
      const failure: Error = await migrate(backing.ownerDatabaseUrl, undefined, next).then(
        () => expect.fail('migrated'),
        err => err,
      )
      expect(failure.message).to.equal(
        'Migration 9002_half.sql failed: relation "no_such_table" does not exist. The database is as it was before this migration.',
      )
      expect(await applied()).to.deep.equal([...before, '9001_first.sql'])
      const { rows } = await db.query(
        `select to_regclass('half') as half, (select count(*)::int from pg_attribute
          where attrelid = 'users'::regclass and attname = 'half' and not attisdropped) as columns`,
      )
      expect(rows).to.deep.equal([{ half: null, columns: 0 }])
    }
    const api = await start('api')
    await (await new Person('bob', api.url).signUp()).send('general', 'Nothing happened.')
    next.add('9002_half.sql', `-- works from ${VERSION}\ncreate table half (id bigint primary key);`)
    expect(await migrate(backing.ownerDatabaseUrl, undefined, next)).to.deep.equal(['9002_half.sql'])
  })
})
