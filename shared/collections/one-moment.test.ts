import { expect } from 'chai'
import pg from 'pg'
import type { OpenStores } from '#shared/stores/stores.ts'
import { storesOf, type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { channelInfo } from './channel-info.ts'
import { readInbox } from './inbox/inbox.ts'
import { me } from './me.ts'
import { sidebar } from './sidebar.ts'

/** Payloads of several statements, with a write committed after each of them: their parts are of one moment. */
describe('a payload of several statements', () => {
  let backing: TestBacking
  let stores: OpenStores
  let other: pg.Client

  before(async function () {
    this.timeout(60_000)
    backing = await testBacking()
    const { env } = backing
    stores = await storesOf(backing)
    other = new pg.Client({ connectionString: env.DATABASE_URL })
    await other.connect()
    await other.query(
      `insert into users (username, password_hash, created_ts, role)
       select name, 'x', extract(epoch from now()), 'member' from unnest(array['ada', 'bob']) name`,
    )
    await other.query(
      `insert into channels (id, clock_us, newest_ts, message_count)
       values ('general', (extract(epoch from now()) + 100) * 1000000, extract(epoch from now()) + 100, 1)
       on conflict (id) do update set clock_us = excluded.clock_us, newest_ts = excluded.newest_ts`,
    )
  })
  after(async () => {
    await other.end()
    await stores.stop()
    await backing.drop()
  })

  /** Stores whose reading statements are each followed by this write on another connection. */
  function disturbed(write: () => Promise<unknown>): OpenStores {
    const followed = (query: pg.Pool['query']) =>
      (async (sql: string, values?: unknown[]) => {
        const value = await query(sql, values)
        if (!/^(begin|commit|rollback)/.test(sql)) await write()
        return value
      }) as pg.Pool['query']
    const withQuery = <T extends object>(of: T, query: pg.Pool['query']): T =>
      new Proxy(of, {
        get(target, key) {
          if (key === 'query') return query
          const value = Reflect.get(target, key)
          return typeof value === 'function' ? value.bind(target) : value
        },
      })
    const pool = new Proxy(stores.pool, {
      get(target, name) {
        if (name !== 'connect') return Reflect.get(target, name)
        return async () => {
          const client = await target.connect()
          return withQuery(client, followed(client.query.bind(client) as pg.Pool['query']))
        }
      },
    })
    return {
      ...stores,
      pool,
      db: withQuery(stores.db, followed(stores.db.query.bind(stores.db) as pg.Pool['query'])),
    }
  }

  /** A mention of ada by bob. */
  const mention = () =>
    other.query<{ id: number }>(
      `with put as (
         insert into messages (channel, ord, sender, content, ts, mentions)
         select 'general', coalesce(max(ord), 0) + 1, 'bob', '@ada', extract(epoch from now()) + count(*), '["ada"]'
           from messages
         returning id, ts)
       insert into message_mentions (channel, username, ts, message_id)
       select 'general', 'ada', ts, id from put
       returning message_id as id`,
    )
  const inboxOfAda = async (of: OpenStores) => (await readInbox(of, ['ada'])).get('ada')!

  it('inbox: has as many unread ones as its items while mentions arrive', async () => {
    await mention()
    const page = await inboxOfAda(disturbed(mention))
    expect(page.items.length, 'items').to.equal(page.unread)
    expect(page.unread).to.be.greaterThan(0)
  })

  it('inbox: has as many unread ones as its items while messages are deleted', async () => {
    for (let number = 0; number < 5; number++) await mention()
    const bury = () =>
      other.query(
        `update messages set deleted = 1, content = null, mentions = null
          where id = (select max(id) from messages where deleted = 0 and channel = 'general')`,
      )
    const page = await inboxOfAda(disturbed(bury))
    expect(page.items.length, 'items').to.equal(page.unread)
    expect(page.unread).to.be.greaterThan(0)
  })

  it('sidebar: has the sections of its channels, and no others than its revision had', async () => {
    const section = () =>
      other.query(
        `with made as (
           insert into sidebar_sections (username, name, position)
           select 'ada', 'Pier', count(*) from sidebar_sections where username = 'ada'
           returning id),
         raised as (
           insert into sidebar_revisions as own (username, rev) values ('ada', 1)
           on conflict (username) do update set rev = own.rev + 1)
         insert into channel_prefs as prefs (username, channel, section_id) select 'ada', 'general', id from made
         on conflict (username, channel) do update set section_id = excluded.section_id`,
      )
    await section()
    const { rev, sections, channels } = (await sidebar.read(disturbed(section), ['ada'])).get('ada')!
    expect(sections.length).to.equal(rev)
    const chosen = channels.find(({ channel }) => channel === 'general')!.section
    expect(sections.map(({ id }) => id)).to.include(chosen)
  })

  it('me: has as many saved messages as its revision had', async () => {
    const save = () =>
      other.query(
        `with put as (
           insert into messages (channel, ord, sender, content, ts)
           select 'general', coalesce(max(ord), 0) + 1, 'bob', 'hello', extract(epoch from now()) from messages
           returning id),
         raised as (
           insert into own_lists as lists (username, rev) values ('ada', 1)
           on conflict (username) do update set rev = lists.rev + 1)
         insert into saved (username, message_id, saved_ts) select 'ada', id, 0 from put`,
      )
    await save()
    const { later_rev, saved } = (await me.read(disturbed(save), ['ada'])).get('ada')!
    expect(saved).to.equal(later_rev)
  })

  it('channel_info: names a viewer as manager who may manage', async () => {
    const makeManager = () =>
      other.query(
        `insert into channel_managers (channel, username) values ('general', 'ada') on conflict do nothing`,
      )
    const takeAway = () => other.query(`delete from channel_managers where channel = 'general'`)
    for (const write of [makeManager, takeAway]) {
      const { managers, may } = (await channelInfo.read(disturbed(write), ['ada'], 'general')).get('ada')!
      expect(may.includes('manage')).to.equal(managers.includes('ada'))
    }
  })
})
