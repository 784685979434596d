import { expect } from 'chai'
import pg from 'pg'
import type { OpenStores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { storesOf, type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { type Move, moveMessages } from './move-messages.ts'
import { NAMES, OF_CHANNELS, renameAccounts } from './rename-accounts.ts'

describe('the tables of a renaming (interface 17.3)', () => {
  let backing: TestBacking
  let db: pg.Client
  before(async () => {
    backing = await testBacking()
    db = new pg.Client(backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await backing.drop()
  })

  /** Text columns of these names, as `table.column`, without those that a foreign key to `users` keeps. */
  async function columnsNamed(names: readonly string[]): Promise<string[]> {
    const { rows } = await db.query<{ column: string }>(
      `select c.table_name || '.' || c.column_name as column
         from information_schema.columns c
         join information_schema.tables t using (table_schema, table_name)
        where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type = 'text'
          and c.column_name = any($1)
          and not exists (
                select from pg_constraint key
                  join pg_attribute attribute
                    on attribute.attrelid = key.conrelid and attribute.attnum = any(key.conkey)
                 where key.contype = 'f'
                   and key.confrelid = 'users'::regclass
                   and key.confupdtype = 'c'
                   and key.conrelid = (quote_ident(c.table_name))::regclass
                   and attribute.attname = c.column_name)
        order by 1`,
      [names],
    )
    return rows.map(row => row.column)
  }

  it('are all that have ids of channels, but for the audit log', async () => {
    const found = await columnsNamed(['channel'])
    // A trigger moves the texts with their messages.
    const others = ['audit_log.channel', 'message_texts.channel']
    expect(found).to.have.members([...others, ...OF_CHANNELS.map(table => `${table}.channel`)])
  })

  it('cover every column with a username and no foreign key', async () => {
    const renamed = NAMES.map(([table, column]) => `${table}.${column}`)
    const elsewhere = [
      'account_deletions.username',
      'message_mentions.username',
      'messages.sender',
      'signals.recipient',
      'signals.sender',
      'users.username',
    ]
    const names = [
      'username',
      'sender',
      'recipient',
      'sharer',
      'initiator',
      'screenshare_user',
      'uploader',
      'pinned_by',
    ]
    const found = await columnsNamed([
      ...names,
      'created_by',
      'changed_by',
      'archived_by',
      'invited_by',
      'bot_owner',
    ])
    expect(found).to.have.members([...elsewhere, ...renamed])
  })
})

describe('an interrupted renaming (interface 17.3)', () => {
  let backing: TestBacking
  let db: pg.Client
  let stores: OpenStores
  before(async () => {
    backing = await testBacking()
    const { env } = backing
    db = new pg.Client(env.DATABASE_URL)
    await db.connect()
    stores = await storesOf(backing)
    await db.query(`insert into channels (id, clock_us) values ('general', 0) on conflict do nothing`)
  })
  after(async () => {
    await stores.stop()
    await db.end()
    await backing.drop()
  })

  async function person(name: string) {
    await db.query(`insert into users (username, password_hash, created_ts) values ($1, 'x', 0)`, [name])
  }
  /** Messages of a person, a second apart; returns the ids. */
  async function write(sender: string, count: number, { mentioned = '', deleted = 0 } = {}) {
    const { rows } = await db.query<{ id: number }>(
      `with begun as (
         update channels set message_count = message_count + $2 where id = 'general' returning message_count
       )
       insert into messages (channel, ord, sender, content, mentions, ts, deleted)
       select 'general', message_count - $2 + place, $1, 'text', $3, message_count - $2 + place, $4
         from begun cross join generate_series(1, $2::integer) as place
       returning id`,
      [sender, count, mentioned === '' ? null : JSON.stringify([mentioned]), deleted],
    )
    if (mentioned !== '')
      await db.query(
        `insert into message_mentions (channel, username, ts, message_id)
         select channel, $1, ts, id from messages where id = any($2)`,
        [mentioned, rows.map(row => row.id)],
      )
    return rows.map(row => row.id)
  }
  async function job(
    username: string,
    wanted: string,
    { attempts = 0, before = null as number | null } = {},
  ) {
    await db.query(
      'insert into account_renames (username, new_username, due_ts, attempts, before_ts) values ($1, $2, 0, $3, $4)',
      [username, wanted, attempts, before],
    )
  }
  async function rowsOf(name: string) {
    const { rows } = await db.query<{ count: number }>(
      `select (select count(*) from messages where sender = $1 or mentions like '%"' || $1 || '"%')
            + (select count(*) from message_mentions where username = $1)
            + (select count(*) from activity where username = $1) as count`,
      [name],
    )
    return rows[0]!.count
  }
  const jobs = async () => (await db.query('select attempts, before_ts from account_renames')).rows

  it('leaves nothing under the new name when it is given up', async () => {
    await person('ida')
    const [first] = await write('inge', 3)
    await write('inge', 2, { deleted: 1 })
    await write('ida', 1, { mentioned: 'inge' })
    await db.query(
      `insert into activity (username, kind, channel, message_id, ts)
       select name, 'reaction', 'general', $1, 1 from unnest(array['inge', 'ida']) name`,
      [first],
    )
    await job('ida', 'inge', { attempts: 5, before: Number.NEGATIVE_INFINITY })
    const other = new pg.Client(backing.env.DATABASE_URL)
    await other.connect()
    await other.query('begin')
    await other.query('select from messages where id = $1 for update', [first])
    const run = renameAccounts(stores)
    await eventually(async () => {
      const { rowCount } = await db.query(
        `select from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted`,
      )
      expect(rowCount, 'waits for the locked row').to.be.greaterThan(0)
    })
    await other.query('commit')
    await other.end()
    await run
    expect(await jobs()).to.deep.equal([])
    expect(await rowsOf('inge')).to.equal(0)
    expect(await rowsOf('ida')).to.equal(6 + 1 + 1)
  })

  it('takes the revision of the groups before that of the people, as a deletion does', async () => {
    await person('gerd')
    await db.query(
      `with made as (insert into user_groups (handle, name, created_ts) values ('ops', 'Ops', 0) returning id)
       insert into group_members (group_id, username) select id, 'gerd' from made`,
    )
    await job('gerd', 'gert')
    const other = new pg.Client(backing.env.DATABASE_URL)
    await other.connect()
    await other.query('begin')
    await other.query('select from groups_revision for update')
    const run = renameAccounts(stores)
    await eventually(async () => {
      const { rowCount } = await db.query(
        `select from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted`,
      )
      expect(rowCount, 'waits for the groups').to.be.greaterThan(0)
    })
    await other.query('select next_people_rev()')
    await other.query('commit')
    await other.end()
    await run
    const { rows } = await db.query('select username from group_members')
    expect(rows).to.deep.equal([{ username: 'gert' }])
  })

  it('keeps the newer of two drafts where somebody chose for the new id of a DM before it existed', async () => {
    for (const name of ['pia', 'paul']) await person(name)
    await db.query(`insert into channels (id, clock_us) values ('dm:paul:pia', 0)`)
    await db.query(
      `insert into dm_participants (username, channel) select unnest(array['pia', 'paul']), 'dm:paul:pia'`,
    )
    await db.query(
      `insert into drafts (username, channel, text, updated_ts)
       values ('paul', 'dm:paul:pia', 'newer', 2), ('paul', 'dm:paul:petra', 'older', 1)`,
    )
    await db.query(
      `insert into channel_prefs (username, channel) select 'paul', unnest(array['dm:paul:pia', 'dm:paul:petra'])`,
    )
    await job('pia', 'petra')
    while ((await jobs()).length > 0) await renameAccounts(stores)
    const { rows } = await db.query(`select channel, text from drafts where username = 'paul'`)
    expect(rows).to.deep.equal([{ channel: 'dm:paul:petra', text: 'newer' }])
    expect((await db.query(`select from channel_prefs where username = 'paul'`)).rowCount).to.equal(1)
    expect((await db.query(`select from users where username = 'petra'`)).rowCount).to.equal(1)
  })

  it('leaves the messages of somebody who has the name alone', async () => {
    for (const name of ['otto', 'olga']) await person(name)
    await write('olga', 2)
    await write('otto', 1)
    await job('otto', 'olga', { attempts: 5 })
    await renameAccounts(stores)
    expect(await jobs()).to.deep.equal([])
    expect([await rowsOf('otto'), await rowsOf('olga')]).to.deep.equal([1, 2])
  })

  it('goes on where it ended, also for a change of case', async () => {
    await write('uwe', 300)
    const move: Move = { from: 'uwe', to: 'Uwe', before: Number.POSITIVE_INFINITY, moved: 0 }
    for (let slice = 0; slice < 100 && move.before > Number.NEGATIVE_INFINITY; slice++)
      await moveMessages(stores.db, move, performance.now() + 1)
    expect(move.before).to.equal(Number.NEGATIVE_INFINITY)
    expect(move.moved).to.equal(300)
    expect(await rowsOf('uwe')).to.equal(0)
  })

  it('renames the first sender of forwarded messages in small batches, without those that others lock', async () => {
    const ids = await write('frieda', 400)
    await db.query(
      `update messages
          set extra = jsonb_build_object('forward', jsonb_build_object('id', 1, 'sender', 'jan', 'ts', 2))
        where id = any($1)`,
      [ids],
    )
    const other = new pg.Client(backing.env.DATABASE_URL)
    await other.connect()
    await other.query('begin')
    await other.query('select from messages where id = $1 for update', [ids[7]])
    const left = async () => {
      const { rows } = await db.query<{ id: number }>(
        `select id::integer from messages where extra -> 'forward' ->> 'sender' = 'jan'`,
      )
      return rows.map(({ id }) => id)
    }
    const batches: number[] = []
    const counting = {
      async query(sql: string, values: unknown[]) {
        const result = await stores.db.query(sql, values)
        if (sql.includes('{forward,sender}')) batches.push(result.rowCount ?? 0)
        return result
      },
    } as typeof stores.db
    const move: Move = { from: 'jan', to: 'jana', before: Number.NEGATIVE_INFINITY, moved: 0 }
    expect(await moveMessages(counting, move, Number.POSITIVE_INFINITY)).to.equal(true)
    expect(Math.max(...batches), String(batches)).to.be.within(1, 200)
    expect(move.moved).to.equal(399)
    expect(await left()).to.deep.equal([Number(ids[7])])
    await other.query('commit')
    await other.end()
    const { rows } = await db.query(`select distinct (extra -> 'forward') - 'sender' as rest from messages
                                      where extra -> 'forward' ->> 'sender' = 'jana'`)
    expect(rows).to.deep.equal([{ rest: { id: 1, ts: 2 } }])
  })

  it('moves everything that may be much in small batches', async () => {
    for (const name of ['mona', 'max']) await person(name)
    const ids = await write('max', 300)
    for (const statement of [
      `insert into reactions (message_id, emoji, username, ts) select unnest($1::bigint[]), 'tada', 'mona', 1`,
      `insert into thread_follows (username, root_id, channel, following, changed_ts)
       select 'mona', unnest($1::bigint[]), 'general', true, 1`,
      `insert into pins (message_id, channel, pinned_by, pinned_ts)
       select unnest($1::bigint[]), 'general', 'mona', 1`,
      `insert into files (name, message_id, original_name, bytes, type, uploader, ts)
       select 'file-' || id, id, 'a.txt', 1, 'text/plain', 'mona', 1 from unnest($1::bigint[]) id`,
      `update messages set extra = '{"removed_by": "mona", "pinned": {"by": "mona", "ts": 1}}' where id = any($1)`,
      // She reacted and followed again while the renaming was under way.
      `insert into reactions (message_id, emoji, username, ts) select ($1::bigint[])[1], 'tada', 'monika', 1`,
      `insert into thread_follows (username, root_id, channel, changed_ts, last_read_id)
       select 'monika', ($1::bigint[])[1], 'general', 2, 7`,
    ])
      await db.query(statement, [ids])
    // Somebody added her to two channels meanwhile, one of which she had read further.
    await db.query(
      `insert into read_watermarks (channel, username, last_read_ts, last_read_ord, unread_from_ts, unread_from_ord)
       select 'c' || i, 'mona', i, i, 1, 1 from generate_series(1, 300) i
       union all values ('c7', 'monika', 3, 3, null::integer, null::integer), ('c8', 'monika', 99, 99, null, null)`,
    )
    await db.query(
      `insert into hidden_dms (channel, username, hidden_ts)
       select 'dm:x' || i, 'mona', i from generate_series(1, 300) i
       union all values ('dm:x5', 'monika', 50)`,
    )
    const batches: number[] = []
    const counting = {
      async query(sql: string, values: unknown[]) {
        const result = await stores.db.query(sql, values)
        batches.push(result.rowCount ?? 0)
        return result
      },
    } as typeof stores.db
    const move: Move = { from: 'mona', to: 'monika', before: Number.POSITIVE_INFINITY, moved: 0 }
    expect(await moveMessages(counting, move, Number.POSITIVE_INFINITY)).to.equal(true)
    expect(Math.max(...batches), String(batches)).to.be.within(1, 200)
    const { rows } = await db.query(
      `select (select count(*)::integer from reactions where username = $1) as reactions,
              (select count(*)::integer from thread_follows where username = $1 and following) as follows,
              (select count(*)::integer from pins where pinned_by = $1) as pins,
              (select count(*)::integer from files where uploader = $1) as files,
              (select count(*)::integer from messages
                where extra = jsonb_build_object('removed_by', $1::text,
                                                 'pinned', jsonb_build_object('by', $1::text, 'ts', 1))) as extras`,
      ['monika'],
    )
    expect(rows[0]).to.deep.equal({ reactions: 300, follows: 300, pins: 300, files: 300, extras: 300 })
    const marks = await db.query(
      `select channel, last_read_ord::integer as ord, unread_from_ord::integer as unread
         from read_watermarks where username = 'monika' and channel in ('c7', 'c8', 'c9') order by channel`,
    )
    expect(marks.rows).to.deep.equal([
      { channel: 'c7', ord: 7, unread: 1 },
      { channel: 'c8', ord: 99, unread: null },
      { channel: 'c9', ord: 9, unread: 1 },
    ])
    const closed = await db.query(
      `select count(*)::integer as count, max(hidden_ts) filter (where channel = 'dm:x5') as latest
         from hidden_dms where username = 'monika'`,
    )
    expect(closed.rows).to.deep.equal([{ count: 300, latest: 50 }])
    const left = await db.query(
      `select from reactions where username = 'mona' union all select from thread_follows where username = 'mona'
       union all select from read_watermarks where username = 'mona'
       union all select from hidden_dms where username = 'mona'`,
    )
    expect(left.rowCount).to.equal(0)
    const merged = await db.query(
      `select last_read_id::integer as read from thread_follows where username = 'monika' and root_id = $1`,
      [ids[0]],
    )
    expect(merged.rows).to.deep.equal([{ read: 7 }])
  })

  it('moves what others lock at the end, with what came twice', async () => {
    for (const name of ['nele', 'nils']) await person(name)
    const [first] = await write('nils', 1)
    await db.query(`insert into reactions (message_id, emoji, username, ts) values ($1, 'tada', 'nele', 1)`, [
      first,
    ])
    await db.query(
      `insert into thread_follows (username, root_id, channel, following, changed_ts)
       values ('nele', $1, 'general', false, 1), ('nelly', $1, 'general', null, 2)`,
      [first],
    )
    await job('nele', 'nelly')
    await db.query(
      `insert into read_watermarks (channel, username, last_read_ts, last_read_ord)
       values ('general', 'nele', 5, 5), ('general', 'nelly', 2, 2)`,
    )
    await db.query(`insert into hidden_dms (channel, username, hidden_ts) values ('dm:x', 'nele', 5)`)
    const other = new pg.Client(backing.env.DATABASE_URL)
    await other.connect()
    await other.query('begin')
    for (const table of ['read_watermarks', 'hidden_dms'])
      await other.query(`select from ${table} where username = 'nele' for update`)
    await other.query(`select from reactions where username = 'nele' for update`)
    await other.query(`select from thread_follows where username = 'nele' for update`)
    const run = renameAccounts(stores)
    await eventually(async () => {
      const { rowCount } = await db.query(
        `select from pg_locks join pg_stat_activity using (pid) where datname = current_database() and not granted`,
      )
      expect(rowCount, 'waits for the locked rows').to.be.greaterThan(0)
    })
    await other.query('commit')
    await other.end()
    await run
    expect(
      (await db.query(`select username from reactions where message_id = $1`, [first])).rows,
    ).to.deep.equal([{ username: 'nelly' }])
    const follows = await db.query(`select username, following from thread_follows where root_id = $1`, [
      first,
    ])
    expect(follows.rows).to.deep.equal([{ username: 'nelly', following: false }])
    const marks = await db.query(
      `select username, last_read_ord::integer as ord from read_watermarks where username like 'nel%'`,
    )
    expect(marks.rows).to.deep.equal([{ username: 'nelly', ord: 5 }])
    expect((await db.query(`select username from hidden_dms where channel = 'dm:x'`)).rows).to.deep.equal([
      { username: 'nelly' },
    ])
  })

  it('raises the revision of the emoji that the person made, apart from that of guests', async () => {
    await person('xenia')
    const revisions = async () => (await db.query('select rev, makers_rev from emoji_revision')).rows[0]
    const rename = async (from: string, to: string) => {
      await job(from, to)
      while ((await jobs()).length > 0) await renameAccounts(stores)
    }
    await rename('xenia', 'xandra')
    expect(await revisions(), 'without an emoji').to.deep.equal({ rev: 0, makers_rev: 0 })
    await db.query(
      `insert into custom_emoji (name, file, animated, created_by, created_ts) values ('xo', 'emoji-1', false, 'xandra', 0)`,
    )
    await rename('xandra', 'xaver')
    expect(await revisions()).to.deep.equal({ rev: 0, makers_rev: 1 })
    expect((await db.query('select created_by from custom_emoji')).rows).to.deep.equal([
      { created_by: 'xaver' },
    ])
  })

  it('counts only the attempts since its last progress', async () => {
    await person('eva')
    await write('eva', 2_000)
    await job('eva', 'Eva', { attempts: 4 })
    await renameAccounts(stores, 5)
    expect((await jobs())[0]).to.include({ attempts: 0 })
    while ((await jobs()).length > 0) await renameAccounts(stores)
    expect([await rowsOf('eva'), await rowsOf('Eva')]).to.deep.equal([0, 2_000])
  })
})
