import { expect } from 'chai'
import pg from 'pg'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { migrate } from './migrate.ts'

describe('migrations', () => {
  let backing: TestBacking
  let clients: pg.Client[]
  before(async () => {
    backing = await testBacking()
    clients = Array.from({ length: 3 }, () => new pg.Client(backing.adminDatabaseUrl))
    await Promise.all(clients.map(client => client.connect()))
  })
  after(async () => {
    await Promise.all(clients.map(client => client.end()))
    await backing.drop()
  })

  it('that index the messages let people write meanwhile, and all who start wait for them', async () => {
    const [writer, other, watcher] = clients as [pg.Client, pg.Client, pg.Client]
    await watcher.query(`delete from schema_migrations where name = '0015_client_ids.sql'`)
    await writer.query('begin')
    await writer.query('lock table messages in row exclusive mode')
    const starting = [migrate(backing.ownerDatabaseUrl), migrate(backing.ownerDatabaseUrl)]
    await eventually(async () => {
      const { rowCount } = await watcher.query(
        `select from pg_stat_activity
          where query like '%index concurrently%' and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
      )
      expect(rowCount).to.equal(1)
    }, 10_000)
    await other.query('set lock_timeout = 2000')
    await other.query('begin')
    await other.query('lock table messages in row exclusive mode')
    await other.query('commit')
    await writer.query('commit')
    expect((await Promise.all(starting)).flat()).to.deep.equal(['0015_client_ids.sql'])
    const { rows } = await watcher.query(
      `select indisvalid from pg_index where indexrelid = 'messages_client_id_ts'::regclass`,
    )
    expect(rows).to.deep.equal([{ indisvalid: true }])
  })
})
