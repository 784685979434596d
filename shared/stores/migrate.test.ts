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
    await watcher.query(`delete from schema_migrations where name = '0013_retention.sql'`)
    await watcher.query('drop index messages_with_file; alter table channels drop column trimmed_ord')
    // Like pg_dump.
    await reader.query('begin')
    await reader.query('select from channels')
    const starting = migrate(backing.ownerDatabaseUrl)
    await other.query('set lock_timeout = 2500')
    for (let attempt = 0; attempt < 2; attempt++) {
      await untilWaiting(watcher, '%add column trimmed_ord%')
      await other.query(`update channels set id = id where id = 'general'`)
    }
    await reader.query('commit')
    expect(await starting).to.deep.equal(['0013_retention.sql'])
  }).timeout(30_000)

  it('that index messages allow writes meanwhile, and other starting processes wait', async () => {
    const [writer, other, watcher] = clients as [pg.Client, pg.Client, pg.Client]
    await watcher.query(`delete from schema_migrations where name = '0015_client_ids.sql'`)
    await writer.query('begin')
    await writer.query('lock table messages in row exclusive mode')
    const starting = [migrate(backing.ownerDatabaseUrl), migrate(backing.ownerDatabaseUrl)]
    await untilWaiting(watcher, '%index concurrently%')
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

  it('that fill the texts for search skip locked rows, and fill them in the end', async () => {
    const [writer, , watcher] = clients as [pg.Client, pg.Client, pg.Client]
    await watcher.query(`insert into channels (id, clock_us) values ('general', 1)`)
    await watcher.query(`insert into users (username, password_hash, created_ts) values ('ada', '', 0)`)
    await watcher.query(
      `insert into messages (channel, ord, sender, content, ts, client_id)
       select 'general', place, 'ada', 'text ' || place, extract(epoch from now()) + place, gen_random_uuid()
         from generate_series(1, 1200) place`,
    )
    await watcher.query('delete from message_texts')
    await watcher.query('delete from client_ids')
    await watcher.query('drop index message_texts_trgm')
    await watcher.query('create index messages_content_trgm on messages using gin (content gin_trgm_ops)')
    await watcher.query(`delete from schema_migrations where name = '0023_message_texts_filled.sql'`)

    const filled = async () =>
      Number((await watcher.query('select count(*) from message_texts')).rows[0].count)
    await writer.query('begin')
    await writer.query(`update messages set content = 'changed meanwhile' where ord = 3`)
    await writer.query(`update messages set deleted = 1, content = null where ord = 4`)
    await writer.query('delete from messages where ord = 5')
    const migrating = migrate(backing.ownerDatabaseUrl)
    await eventually(async () => expect(await filled()).to.equal(1197))
    await writer.query('commit')
    expect(await migrating).to.deep.equal(['0023_message_texts_filled.sql'])

    expect(await filled()).to.equal(1198)
    const { rows } = await watcher.query(
      `select content from message_texts join messages using (content) where ord < 7 and message_id = id order by ord`,
    )
    expect(rows.map(row => row.content)).to.deep.equal(['text 1', 'text 2', 'changed meanwhile', 'text 6'])
    const ids = await watcher.query('select from client_ids')
    expect(ids.rowCount, 'the ids of the last day').to.equal(1199)
    const indexes = await watcher.query(`select to_regclass('message_texts_trgm') is not null as is_new,
                                                to_regclass('messages_content_trgm') is null as is_old_gone`)
    expect(indexes.rows).to.deep.equal([{ is_new: true, is_old_gone: true }])
  })

  it('prevent a send from being stored by both the previous version and this one', async () => {
    const [writer, , watcher] = clients as [pg.Client, pg.Client, pg.Client]
    const id = '6f0c3c1e-7d0b-4ac9-8f0e-0f3a5f9c2b11'
    const send = (client: pg.Client, ord: number) =>
      client.query(
        `insert into messages (channel, ord, sender, content, ts, client_id) values ('general', $1::bigint, 'ada', 'x', $1::bigint, $2)`,
        [ord, id],
      )
    await watcher.query(`insert into client_ids values ('ada', $1, 7, extract(epoch from now()))`, [id])
    expect(await send(writer, 5_001).catch(err => err.constraint)).to.equal('client_ids_pkey')
    await watcher.query('delete from client_ids where client_id = $1', [id])
    await send(writer, 5_002)
    const { rowCount } = await watcher.query('select from client_ids where client_id = $1', [id])
    expect(rowCount).to.equal(1)
  })

  it('that gives the revisions of people another lock waits for those given under the old one', async () => {
    const [writer, , watcher] = clients as [pg.Client, pg.Client, pg.Client]
    await watcher.query(`delete from schema_migrations where name = '0121_lock_of_people.sql'`)
    await watcher.query(
      `create or replace function next_people_rev() returns bigint language plpgsql as $$
       begin
         perform pg_advisory_xact_lock(2607041982);
         return nextval('people_rev');
       end
       $$`,
    )
    await writer.query('begin')
    await writer.query(`insert into users (username, password_hash, created_ts) values ('bob', '', 0)`)
    const starting = migrate(backing.ownerDatabaseUrl)
    await untilWaiting(watcher, '%lock table users%')
    await writer.query('commit')
    expect(await starting).to.deep.equal(['0121_lock_of_people.sql'])
  })
})
