import { expect } from 'chai'
import pg from 'pg'
import { withDatabase } from '#shared/runtime/database-url.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { migrate } from './migrate.ts'
import { prepareDatabase, type RoleUrls } from './roles.ts'

/** An installation of the first versions: LC_CTYPE is C, and a superuser owns everything. */
describe('the database of an earlier version, once it is prepared', function () {
  this.timeout(60_000)
  let backing: TestBacking
  let name: string
  let adminUrl: string
  let superuser: string
  let urls: RoleUrls

  const passwordIn = (url: string) => decodeURIComponent(new URL(url).password)
  const prepare = () =>
    // The roles belong to the server, so their passwords stay those of the test run.
    prepareDatabase(adminUrl, {
      owner: passwordIn(backing.ownerDatabaseUrl),
      app: passwordIn(backing.env.DATABASE_URL),
    })

  before(async function () {
    backing = await testBacking()
    // The given role is no superuser: it serves for everything.
    if (backing.ownerDatabaseUrl === backing.adminDatabaseUrl) this.skip()
    name = `${new URL(backing.adminDatabaseUrl).pathname.slice(1)}_earlier`
    adminUrl = withDatabase(backing.adminDatabaseUrl, name)
    superuser = new URL(adminUrl).username
    await backing.admin(
      `create database ${name} template template0 encoding 'UTF8' lc_collate 'C' lc_ctype 'C'
              locale_provider builtin builtin_locale 'C.UTF-8'`,
    )
    await migrate(adminUrl)
    await as(adminUrl, async client => {
      expect(await plainRows(client, `select show_trgm('привет') as trigrams`)).to.deep.equal([
        { trigrams: [] },
      ])
      await client.query(`
        insert into channels (id, clock_us) values ('general', 1);
        insert into messages (channel, ord, sender, content, ts)
        select 'general', i, 'ada', 'filler ' || i, i from generate_series(1, 500) i;
        insert into messages (channel, ord, sender, content, ts)
        values ('general', 501, 'ada', 'шесть слов на другом языке', 501), ('general', 502, 'ada', '日本語のテキスト', 502);
        create schema pgboss;
        create type pgboss.job_state as enum ('created');
        create table pgboss.job (id bigint generated always as identity, number serial, state pgboss.job_state);
        create function pgboss.count() returns bigint language sql as 'select count(*) from pgboss.job';
        create view "Readers" as select username from read_watermarks`)
    })
    urls = await prepare()
  })
  after(async () => {
    if (name) await backing.admin(`drop database if exists ${name} with (force)`)
    await backing?.drop()
  })

  async function as<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return await work(client)
    } finally {
      await client.end()
    }
  }

  const plainRows = async (client: pg.Client, sql: string) => (await client.query(sql)).rows

  /** Fails unless the index is used. Returns the texts. */
  async function foundByIndex(client: pg.Client, word: string): Promise<string[]> {
    await client.query('set enable_seqscan = off')
    const search = `select content from message_texts where content ilike '%${word}%'`
    const plan = await plainRows(client, `explain ${search}`)
    expect(JSON.stringify(plan)).to.include('Bitmap Index Scan on message_texts_trgm')
    return (await plainRows(client, search)).map(row => row.content)
  }

  it('finds texts in every script by the index, those from before included', async () => {
    await as(urls.app, async client => {
      const [trigrams] = await plainRows(client, `select show_trgm('привет') as known`)
      expect(trigrams.known).to.not.deep.equal([])
      expect(await foundByIndex(client, 'другом')).to.deep.equal(['шесть слов на другом языке'])
      expect(await foundByIndex(client, '本語の')).to.deep.equal(['日本語のテキスト'])
      expect(await foundByIndex(client, 'filler 77')).to.deep.equal(['filler 77'])
    })
  })

  it('belongs to the owner of the schema, its queue to the role of the processes, extensions to the superuser', async () => {
    const owners = await as(adminUrl, client =>
      plainRows(
        client,
        `select distinct kind, schema, pg_get_userbyid(owner) as owner, is_of_extension as extension
           from (select 'relation' as kind, relnamespace as namespace, relowner as owner,
                        exists (select from pg_depend where objid = pg_class.oid and deptype = 'e') as is_of_extension
                   from pg_class
                  union all
                 select 'function', pronamespace, proowner,
                        exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
                   from pg_proc
                  union all
                 select 'type', typnamespace, typowner,
                        exists (select from pg_depend where objid = pg_type.oid and deptype = 'e')
                   from pg_type
                  where typtype in ('e', 'd')) object
           cross join lateral (select namespace::regnamespace::text as schema) named
          where schema in ('public', 'pgboss')
          order by 1, 2, 3`,
      ),
    )
    const { username: owner } = new URL(urls.owner)
    const { username: app } = new URL(urls.app)
    expect(owners.map(row => Object.values(row).join(' '))).to.have.members([
      `function pgboss ${app} false`,
      `function public ${owner} false`,
      `function public ${superuser} true`,
      `relation pgboss ${app} false`,
      `relation public ${owner} false`,
      `type pgboss ${app} false`,
    ])
  })

  it('lets the processes change rows but no tables, and the owner migrate', async () => {
    expect(await migrate(urls.owner)).to.deep.equal([])
    await as(urls.owner, client => client.query('alter table users add column of_the_owner text'))
    await as(urls.app, async client => {
      await client.query(`insert into users (username, password_hash, created_ts) values ('ada', 'x', 0)`)
      await client.query('insert into pgboss.job default values')
      const refused = client.query('alter table users drop column of_the_owner')
      expect(await refused.then(String, err => err.code)).to.equal('42501')
    })
  })

  it('is not converted a second time', async () => {
    const index = () =>
      as(adminUrl, client =>
        plainRows(client, `select relfilenode from pg_class where relname = 'message_texts_trgm'`),
      )
    const before = await index()
    expect(await prepare()).to.deep.equal(urls)
    expect(await index()).to.deep.equal(before)
  })
})
