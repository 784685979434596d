import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { VERSION } from '#shared/runtime/version.ts'
import { migrate } from '#shared/stores/migrate.ts'
import { type NextRelease, nextRelease } from '#shared/test-kit/next-release.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

const MESSAGES = 1_000_000
/** Milliseconds for which a reader, such as a backup, holds all tables, and between two of them. */
const READS_FOR = 6_000
const READS_AGAIN = 6_000

/** Statements of this release, which runs while the next one migrates. */
const STATEMENTS: Record<string, string> = {
  send: `with tick as (
           update channels
              set clock_us = greatest((extract(epoch from clock_timestamp()) * 1000000)::bigint, clock_us + 1),
                  message_count = message_count + 1
            where id = 'c1'
           returning clock_us, message_count
         )
         insert into messages (channel, ord, sender, content, ts, mentions)
         select 'c1', message_count, 'user-1', 'meanwhile', clock_us / 1000000.0, null from tick`,
  page: `select id, sender, content, ts, reactions_of(id) from messages where channel = 'c2' order by ts desc limit 50`,
  unread: `select channel.id, channel.message_count - marker.last_read_ord
             from channels channel
             left join read_watermarks marker on marker.channel = channel.id and marker.username = 'user-2'`,
  'mark read': `insert into read_watermarks as marker (channel, username, last_read_ts, last_read_ord)
                select id, 'user-3', newest_ts, message_count from channels where id = 'c3'
                on conflict (channel, username) do update set last_read_ts = excluded.last_read_ts`,
  react: `select react((select max(id) from messages where channel = 'c4'), 'c4', null, 'user-4', 'tada', null, 20, 50)`,
  account: `select username, password_hash from users where username_key = 'user-5'`,
  presence: `update presence set last_seen = extract(epoch from clock_timestamp()) where username = 'user-6'`,
  members: `select username from private_channel_members where channel_id = 1`,
  mute: `insert into channel_prefs (username, channel, muted_until) values ('user-7', 'c1', 1)
         on conflict (username, channel) do update set muted_until = excluded.muted_until`,
  'sign up': `insert into users (username, password_hash, created_ts)
              values ('late-' || gen_random_uuid(), 'x', 0)`,
}

/** The forms that migrations have: columns, constraints, values in batches, indexes, and validation. */
const MIGRATIONS: Record<string, string> = {
  '9001_badges.sql': `-- works from ${VERSION}
    alter table users add column badge text,
      alter column badge set default 'new',
      add constraint users_badge_given check (badge is not null) not valid;
    alter table messages add column weight smallint not null default 0;
    create table badges (username text primary key references users (username) on delete cascade);
    create procedure fill_badges() language plpgsql as $$
    declare
      filled bigint;
    begin
      loop
        update users set badge = 'new'
         where username in (select username from users where badge is null limit 1000 for no key update skip locked);
        get diagnostics filled = row_count;
        commit;
        exit when filled = 0 and not exists (select from users where badge is null);
        if filled = 0 then perform pg_sleep(0.1); end if;
      end loop;
    end
    $$;`,
  '9002_badges_filled.sql': `-- outside of a transaction
-- works from ${VERSION}
call fill_badges();
create index concurrently users_badge on users (badge);
create index concurrently messages_weight on messages (channel, weight, ts);`,
  '9003_badges_validated.sql': `-- works from ${VERSION}
    alter table users validate constraint users_badge_given;
    alter table users alter column badge set not null;
    alter table channel_prefs
      drop constraint channel_prefs_username_fkey,
      add constraint channel_prefs_username_fkey foreign key (username)
        references users (username) on update cascade on delete cascade not valid;`,
}

describe('an upgrade to the next release, with a million messages and readers that hold all tables', function () {
  this.timeout(900_000)
  let backing: TestBacking
  let next: NextRelease
  let client: () => Promise<pg.Client>
  const clients: pg.Client[] = []
  before(async () => {
    backing = await testBacking()
    next = nextRelease()
    for (const [name, sql] of Object.entries(MIGRATIONS)) next.add(name, sql)
    client = async () => {
      const opened = new pg.Client(backing.adminDatabaseUrl)
      await opened.connect()
      clients.push(opened)
      return opened
    }
    await fill(await client())
  })
  after(async () => {
    await Promise.all(clients.map(opened => opened.end()))
    next.remove()
    await backing.drop()
  })

  it('holds no send, read or other statement of the running version for more than a second', async () => {
    const longest = new Map<string, number>()
    let isDone = false
    const repeat = async (name: string, sql: string) => {
      const own = await client()
      while (!isDone) {
        const began = performance.now()
        await own.query(sql)
        longest.set(name, Math.max(longest.get(name) ?? 0, performance.now() - began))
        await pause(20)
      }
    }
    const reader = await client()
    const tables = await reader.query<{ name: string }>(
      `select quote_ident(relname) as name from pg_class
        where relnamespace = 'public'::regnamespace and relkind = 'r' order by relname`,
    )
    const readAgain = async () => {
      while (!isDone) {
        await reader.query('begin isolation level repeatable read')
        for (const { name } of tables.rows) await reader.query(`select from ${name} limit 1`)
        await pause(READS_FOR)
        await reader.query('commit')
        await pause(READS_AGAIN)
      }
    }
    const meanwhile = [readAgain(), ...Object.entries(STATEMENTS).map(([name, sql]) => repeat(name, sql))]
    await pause(500)
    try {
      expect(await migrate(backing.ownerDatabaseUrl, undefined, next)).to.deep.equal(Object.keys(MIGRATIONS))
    } finally {
      isDone = true
      await Promise.all(meanwhile)
    }
    for (const [name, milliseconds] of longest) expect(milliseconds, name).to.be.lessThan(1_000)
    const { rows } = await reader.query(`select count(*)::integer as count from users where badge is null`)
    expect(rows).to.deep.equal([{ count: 0 }])
  })
})

/** Twenty channels and ten thousand people, without triggers, which would take minutes. */
async function fill(db: pg.Client): Promise<void> {
  await db.query(`set session_replication_role = replica; set work_mem = '64MB'`)
  for (const statement of [
    `insert into users (username, password_hash, created_ts)
     select 'user-' || i, 'x', 0 from generate_series(1, 10000) i`,
    `insert into presence (username, state, last_seen) select username, 'active', 0 from users`,
    `insert into channels (id, clock_us, newest_ts, message_count)
     select 'c' || i, 1000000000000, 1000000, ${MESSAGES / 20} from generate_series(1, 20) i`,
    `insert into messages (channel, ord, sender, content, ts, client_id)
     select 'c' || 1 + i % 20, 1 + i / 20, 'user-' || 1 + i % 1000, 'message ' || i, i::double precision / 2,
            case when i > ${MESSAGES} - 100000 then gen_random_uuid() end
       from generate_series(0, ${MESSAGES - 1}) i`,
    `insert into client_ids (sender, client_id, message_id, ts)
     select sender, client_id, id, ts from messages where client_id is not null`,
    `insert into message_texts (message_id, content) select id, content from messages where ord % 20 = 0`,
    `insert into read_watermarks (channel, username, last_read_ts, last_read_ord)
     select 'c' || 1 + i % 20, 'user-' || 1 + i / 20, 1, 1 from generate_series(0, 199999) i`,
    `insert into private_channels (name, created_by, created_ts)
     select 'den ' || i, 'user-' || i, 0 from generate_series(1, 1000) i`,
    `insert into private_channel_members (channel_id, username, joined_ts)
     select private.id, 'user-' || 1 + (private.id * 7 + i) % 10000, 0
       from private_channels private cross join generate_series(1, 20) i on conflict do nothing`,
    `insert into private_channel_members (channel_id, username, joined_ts)
     select id, created_by, 0 from private_channels on conflict do nothing`,
    `insert into channel_prefs (username, channel, muted_until)
     select 'user-' || i, 'c1', 1 from generate_series(1, 10000) i`,
    `insert into activity (username, kind, channel, message_id, ts)
     select 'user-1', 'reply', channel, id, ts from messages where ord % 50 = 0`,
    'analyze',
  ])
    await db.query(statement)
}
