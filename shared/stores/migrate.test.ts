import { expect } from 'chai'
import pg from 'pg'
import { VERSION } from '#shared/runtime/version.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type NextRelease, nextRelease } from '#shared/test-kit/next-release.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { migrate } from './migrate.ts'

describe('migrations', () => {
  let backing: TestBacking
  let next: NextRelease
  let clients: pg.Client[]
  before(async () => {
    backing = await testBacking()
    next = nextRelease()
    clients = Array.from({ length: 3 }, () => new pg.Client(backing.adminDatabaseUrl))
    await Promise.all(clients.map(client => client.connect()))
    await clients[0]!.query(`insert into channels (id, clock_us) values ('general', 1)`)
  })
  after(async () => {
    await Promise.all(clients.map(client => client.end()))
    next.remove()
    await backing.drop()
  })

  const migrateToNext = () => migrate(backing.ownerDatabaseUrl, undefined, next)

  async function untilWaiting(watcher: pg.Client, statement: string) {
    await eventually(async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity
          where query like $1 and wait_event_type = 'Lock' and pid <> pg_backend_pid()
            and datname = current_database()`,
        [statement],
      )
      expect(rowCount).to.equal(1)
    })
  }

  it('that change a table let other statements pass while a long reader holds it, and try again', async () => {
    const [reader, other, watcher] = clients as [pg.Client, pg.Client, pg.Client]
    next.add('9001_notes.sql', `-- works from ${VERSION}\nalter table channels add column note text;`)
    // Like pg_dump.
    await reader.query('begin')
    await reader.query('select from channels')
    const starting = migrateToNext()
    await other.query('set lock_timeout = 2500')
    for (let attempt = 0; attempt < 2; attempt++) {
      await untilWaiting(watcher, '%add column note%')
      await other.query(`update channels set id = id where id = 'general'`)
    }
    await reader.query('commit')
    expect(await starting).to.deep.equal(['9001_notes.sql'])
  }).timeout(30_000)

  it('that index messages allow writes meanwhile, and other starting processes wait', async () => {
    const [writer, other, watcher] = clients as [pg.Client, pg.Client, pg.Client]
    next.add(
      '9002_index.sql',
      `-- outside of a transaction
-- works from ${VERSION}
drop index concurrently if exists messages_by_note;
create index concurrently messages_by_note on messages (ts) where client_id is not null;`,
    )
    await writer.query('begin')
    await writer.query('lock table messages in row exclusive mode')
    const starting = [migrateToNext(), migrateToNext()]
    await untilWaiting(watcher, '%index concurrently%')
    await other.query('set lock_timeout = 2000')
    await other.query('begin')
    await other.query('lock table messages in row exclusive mode')
    await other.query('commit')
    await writer.query('commit')
    expect((await Promise.all(starting)).flat()).to.deep.equal(['9002_index.sql'])
    const { rows } = await watcher.query(
      `select indisvalid from pg_index where indexrelid = 'messages_by_note'::regclass`,
    )
    expect(rows).to.deep.equal([{ indisvalid: true }])
  })
})
