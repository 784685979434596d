import { expect } from 'chai'
import pg from 'pg'
import { channelUnreads } from '#shared/collections/channel-unreads.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { PASSWORD, type Person, somebody } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('unread counts (interface 4.2)', () => {
  let world: World
  let pool: pg.Pool
  before(async () => {
    world = await newWorld({ apis: 2 })
    pool = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL })
  })
  after(async () => {
    await pool.end()
    await world.end()
  })

  const CHANNELS = ['general', 'dm:ada:bob:cleo']

  /** Counts message by message. */
  async function naiveCount(channel: string, viewer: string) {
    const { rows } = await pool.query(
      `select count(*)::integer as count
         from messages
        where channel = $1 and deleted = 0 and sender <> $2
          and sender not in (select username from account_deletions where kind = 'hard')
          and (ts > coalesce((select last_read_ts from read_watermarks
                                where channel = $1 and username = $2 and unread_from_ts is null), 0)
               and not exists (select from read_watermarks
                                where channel = $1 and username = $2 and unread_from_ts is not null)
               or ts >= (select unread_from_ts from read_watermarks where channel = $1 and username = $2))`,
      [channel, viewer],
    )
    return rows[0].count as number
  }

  async function shownCount(channel: string, viewer: Person) {
    if (channel === 'general') return (await viewer.get<Record<string, number>>('/channel_unreads'))[channel]
    const dms = await viewer.get<{ channel: string; unread: number }[]>('/dms')
    return dms.find(dm => dm.channel === channel)?.unread ?? 0
  }

  it('equal a count of the messages during concurrent sends, deletions, reads and departures', async () => {
    const { ada, bob, cleo, mallory } = world
    const leavers = await Promise.all(world.api.map(({ url }) => somebody(url).signUp()))
    const own = new Map<Person, { channel: string; id: number }[]>()
    const steps = async (person: Person, channels: string[]) => {
      const sent = own.get(person) ?? []
      own.set(person, sent)
      for (let i = 0; i < 25; i++) {
        const channel = channels[Math.floor(Math.random() * channels.length)]!
        const dice = Math.random()
        if (dice < 0.55 || sent.length === 0)
          sent.push({ channel, id: await person.send(channel, `step ${i}`) })
        else if (dice < 0.9)
          await person.delete(sent.splice(Math.floor(Math.random() * sent.length), 1)[0]!.id)
        else if (dice < 0.95) await person.markRead(channel)
        else await person.markUnread(channel, (await person.messages(channel)).at(-5)?.id)
      }
    }
    const compareAll = async () => {
      for (const person of [ada, bob, cleo, mallory]) {
        for (const channel of person === mallory ? ['general'] : CHANNELS) {
          expect(await shownCount(channel, person), `${person.name} in ${channel}`).to.equal(
            await naiveCount(channel, person.name),
          )
        }
      }
    }
    for (const kind of ['soft', 'hard']) {
      const leaver = leavers.pop()!
      await Promise.all([
        ...[ada, bob, cleo].map(person => steps(person, CHANNELS)),
        ...[ada, bob, leaver].map(person => steps(person, ['general'])),
      ])
      await Promise.all([
        leaver.postJson('/delete_account', { type: kind, password: PASSWORD }),
        steps(ada, CHANNELS),
        steps(bob, CHANNELS),
      ])
      await compareAll()
      // As the janitor does.
      await pool.query(
        `with gone as (
           delete from messages
            where sender in (select username from account_deletions where kind = 'hard')
           returning id, channel, ts
         )
         insert into removed_messages (id, channel, ts, removed_ts) select id, channel, ts, ts from gone`,
      )
      await pool.query(
        'delete from read_watermarks where username in (select username from account_deletions)',
      )
      await pool.query('delete from account_deletions')
      await compareAll()
    }
    expect(await shownCount('general', mallory), 'there is something to count').to.be.above(10)
  })

  it('cost the same after ten thousand messages were sent and deleted again', async () => {
    const channels = ['general']
    let plan: string[] = []
    const stores = {
      db: {
        async query(sql: string, values: unknown[]) {
          const explained = await pool.query(`explain (analyze, timing off, costs off) ${sql}`, values)
          plan = explained.rows.map(row => row['QUERY PLAN'] as string)
          return pool.query(sql, values)
        },
      },
      settings: { current: { channels } },
    } as unknown as Stores
    const before = (await channelUnreads.read(stores, ['mallory'])).get('mallory')!['general']

    await pool.query(
      `with clock as (
         select message_count, newest_ts from channels where id = 'general'
       )
       insert into messages (channel, ord, sender, content, ts)
       select 'general', message_count + i, 'ada', 'gone soon', newest_ts + i / 1000.0
         from clock cross join generate_series(1, 10000) i`,
    )
    await pool.query(
      `update channels set message_count = message_count + 10000, newest_ts = newest_ts + 10 where id = 'general'`,
    )
    // Each in its own transaction, as users delete.
    await pool.query(
      `do $$
       declare one record;
       begin
         for one in select id from messages where content = 'gone soon' order by id loop
           update messages set deleted = 1, content = null where id = one.id;
           commit;
         end loop;
       end
       $$`,
    )
    await world.backing.admin('vacuum analyze')

    const after = (await channelUnreads.read(stores, ['mallory'])).get('mallory')!['general']
    expect(after).to.equal(before)
    const scans = plan.filter(line => /Scan/.test(line) && !/Function Scan|never executed/.test(line))
    expect(scans.join('\n')).to.match(/gone_messages/)
    for (const line of scans) {
      const [, rows, loops] = /actual rows=([\d.]+) loops=(\d+)/.exec(line)!
      expect(Number(rows) * Number(loops), line).to.be.at.most(8)
      expect(line).to.not.match(/ on (messages|removed_messages)/)
    }
  })
})
