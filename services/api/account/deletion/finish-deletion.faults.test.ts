import { expect } from 'chai'
import pg from 'pg'
import sharp from 'sharp'
import { dmId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Seconds } from '#shared/domain/units.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, type Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { longestOf, timeOf } from '#shared/test-kit/reference.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const KINDS = ['soft', 'hard'] as const

describe('after an account is deleted (interface 4.1)', () => {
  let world: World
  let db: pg.Pool
  let ada: Person
  let bob: Person
  let kim: Person
  const janitors: RunningService[] = []
  before(async () => {
    world = await newWorld()
    ;({ ada, bob } = world)
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 4 })
  })
  after(async () => {
    await db?.end()
    await world?.end()
  })
  beforeEach(async () => {
    kim = await somebody(world.api[0]!.url).signUp()
  })
  afterEach(async () => {
    await Promise.all(janitors.splice(0).map(janitor => janitor.stop()))
  })

  async function startJanitor() {
    const janitor = await startService('janitor', world.backing.env)
    janitors.push(janitor)
    return janitor
  }

  async function deleteKim(type: 'soft' | 'hard') {
    const response = await kim.postJson('/delete_account', { type, password: PASSWORD })
    expect(response.status).to.equal(200)
  }

  const count = async (from: string, ...values: unknown[]) =>
    Number((await db.query(`select count(*) as n from ${from}`, values)).rows[0].n)

  /** Waits until all rows are rewritten; the pass for late writes is still due. */
  const rewritten = () =>
    eventually(
      async () => expect(await count('account_deletions where due_ts <> deleted_ts + 30')).to.equal(0),
      60_000,
    )

  /** Makes the pass for late writes due now. */
  async function forgotten() {
    await rewritten()
    await db.query('update account_deletions set deleted_ts = deleted_ts - 60, due_ts = 0')
    await eventually(async () => expect(await count('account_deletions')).to.equal(0))
  }

  /** Inserts texts of one sender into a channel in one statement. */
  async function flood(sender: string, channel: ChannelId, many: number, length = 40) {
    await db.query(
      `with placed as (
         update channels
            set message_count = message_count + $3, clock_us = clock_us + $3,
                newest_ts = (clock_us + $3) / 1000000::double precision
          where id = $2
         returning message_count - $3 as ord, clock_us - $3 as us
       )
       insert into messages (channel, ord, sender, content, ts)
       select $2, ord + i, $1, rpad('flood ' || i, $4, md5(i::text)), (us + i) / 1000000::double precision
         from placed cross join generate_series(1, $3::bigint) as i`,
      [sender, channel, many, length],
    )
  }

  for (const type of KINDS) {
    it(`${type}: reads immediately show the state to which the janitor rewrites the rows`, async function () {
      this.timeout(180_000)
      const dm = dmId([ada.name, kim.name])
      const den = await world.privateChannel('den', [ada, kim])
      await ada.postForm('/mark_read/general')
      await ada.send(dm, 'hello')
      const said = [await kim.send('general', `see @ada and @bob ${type}`), await kim.send(den, 'inside')]
      await ada.postJson('/dms/close', { channel: dm })
      await kim.send(dm, 'are you there?')
      const buried = await kim.send('general', 'taken back')
      await kim.delete(buried)
      const picture = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'teal' } })
        .png()
        .toBuffer()
      await kim.sendImages('general', [{ name: 'a.png', bytes: picture }])
      const { filename } = (await ada.messages('general')).at(-1)!
      const other = await bob.send('general', `for @${kim.name} and @ada`)
      const only = await bob.send('general', `for @${kim.name}`)
      await kim.react(other, 'tada')
      await bob.react(other, 'tada')
      await kim.react(only, 'tada')

      const paths = [
        '/messages/general?after=0',
        '/messages/general?limit=100',
        `/messages/general?around=${other}&limit=10`,
        `/messages/${dm}`,
        `/messages/${den}?limit=100`,
        `/message/${said[0]}`,
        `/message/${buried}`,
        `/search_messages?q=see`,
        `/search_messages?from=${kim.name}`,
        '/search_messages?from=deleted%20user',
        '/mentions',
        '/channel_unreads',
        '/unread_count',
        '/dms',
        '/users',
        '/channel_members/general',
        '/read_receipts/general',
        `/private_channels/${den.slice('private:'.length)}/members`,
      ]
      const all = async () => {
        const answers: [string, number, unknown][] = []
        for (const person of [ada, bob]) {
          for (const path of paths) {
            const response = await person.fetch(path)
            const text = await response.text()
            answers.push([`${person.name} ${path}`, response.status, withoutTimes(text)])
          }
          const file = await person.fetch(`/files/${filename}`)
          answers.push([`${person.name} file`, file.status, null])
          await file.body?.cancel()
        }
        return answers
      }
      const before = await all()
      await deleteKim(type)
      const atOnce = await all()
      expect(atOnce).to.not.deep.equal(before)
      expect(
        JSON.stringify(atOnce.filter(([path]) => /messages\/|search_|members|users/.test(path))),
      ).to.not.match(new RegExp(`"sender":"${kim.name}"|\\["${kim.name}`))
      expect(await count('messages where sender = $1', kim.name)).to.be.above(0)

      await startJanitor()
      await forgotten()
      expect(await count('messages where sender = $1', kim.name)).to.equal(0)
      for (const [i, answer] of (await all()).entries()) expect(answer, answer[0]).to.deep.equal(atOnce[i])
    })
  }

  /** A removed reaction changes reactions_ts; the janitor rewrites the system messages. */
  function withoutTimes(text: string) {
    if (!/^\[[{\]]/.test(text)) return text
    const rows = JSON.parse(text) as Record<string, unknown>[]
    return rows
      .filter(row => row['content_type'] !== 'system')
      .map(({ reactions_ts: _, unread: __, ...row }) => row)
  }

  it('hard: removes the name from calls, shares, mentions by others and system messages', async function () {
    this.timeout(180_000)
    const den = await world.privateChannel('den', [ada, bob])
    const own = (await (
      await kim.postJson('/private_channels/create', { name: 'own', members: ['ada'] })
    ).json()) as { id: number; channel: ChannelId }
    await ada.addMember(den, kim.name)
    await kim.rename(den, `kim’s (${kim.name})`)
    const { call_id } = (await (await kim.postJson('/calls/initiate', { channel: own.channel })).json()) as {
      call_id: string
    }
    await ada.postForm(`/calls/${call_id}/accept`)
    await kim.postJson('/screenshare/start', { channel: own.channel })
    const dm = dmId([ada.name, kim.name])
    await ada.send(dm, 'hello')
    await kim.postJson('/calls/initiate', { channel: dm })
    const mention = await bob.send('general', `ask @${kim.name} or @ada`)
    await bob.send('general', `${kim.name} left the channel.`)

    await deleteKim('hard')
    await startJanitor()
    await forgotten()

    const { rows } = await db.query<{ place: string }>(
      `select 'messages' as place from messages where content_type = 'system' and content like '%' || $1 || '%' and content not like '%renamed%'
       union all select 'mentions' from messages where mentions like '%' || $1 || '%'
       union all select 'calls' from calls where $1 in (initiator, screenshare_user)
       union all select 'participants' from call_participants where username = $1
       union all select 'shares' from screen_shares where sharer = $1
       union all select 'channels' from private_channels where created_by = $1
       union all select 'table' from message_mentions where username = $1
       union all select 'watermarks' from read_watermarks where username = $1
       union all select 'activity' from activity where username = $1`,
      [kim.name],
    )
    expect(rows).to.deep.equal([])
    const lines = (await ada.messages(den)).map(row => row.content)
    expect(lines).to.deep.equal([
      'ada added Deleted User to the channel.',
      `Deleted User renamed the channel to “kim’s (${kim.name})”.`,
      'Deleted User left the channel.',
    ])
    expect((await ada.messages(dm)).at(-1)!.content).to.equal('Missed call from Deleted User.')
    const { mentions, content } = (await ada.messages('general')).find(row => row.id === mention)!
    expect([mentions, content]).to.deep.equal(['["ada"]', `ask @${kim.name} or @ada`])
    expect((await ada.messages('general')).at(-1)!.content, 'what people say stays').to.equal(
      `${kim.name} left the channel.`,
    )
    expect(await ada.get(`/calls/${call_id}/state`)).to.include({ initiator: 'Deleted User', state: 'ended' })
  })

  it('leaves calls and stops shares when the api dies right after the commit', async function () {
    this.timeout(180_000)
    const den = await world.privateChannel('den', [ada, bob, kim])
    const { call_id } = (await (await kim.postJson('/calls/initiate', { channel: den })).json()) as {
      call_id: string
    }
    await ada.postForm(`/calls/${call_id}/accept`)
    await kim.postJson('/screenshare/start', { channel: den })
    const ring = (await (
      await bob.postJson('/calls/initiate', { channel: dmId([bob.name, kim.name]) })
    ).json()) as { call_id: string }
    await db.query('delete from private_channel_members where username = $1', [kim.name])
    await db.query('delete from users where username = $1', [kim.name])
    await db.query(
      `insert into account_deletions (username, kind, deleted_ts, due_ts, left_channels)
       values ($1, 'hard', extract(epoch from clock_timestamp()), 0, array[$2::bigint])`,
      [kim.name, den.slice('private:'.length)],
    )
    await startJanitor()
    await eventually(async () => {
      expect(await ada.get(`/calls/${call_id}/state`)).to.include({ state: 'ended' })
      expect(await bob.get(`/calls/${ring.call_id}/state`)).to.include({ state: 'rejected' })
      expect(await ada.get(`/screenshare/active?channel=${den}`)).to.deep.equal([])
    }, 60_000)
    await forgotten()
    expect(await count('call_participants where username = $1', kim.name)).to.equal(0)
  })

  for (const type of KINDS) {
    it(`${type}: thousands of messages are rewritten without delaying a send by 500 ms or losing work to a killed janitor`, async function () {
      this.timeout(300_000)
      const usual = await longestOf(() => bob.send('general', 'before the deletion'), 50)
      const start = await ada.get<Record<string, number>>('/channel_unreads')
      for (const [channel, many, length] of [
        ['general', 19_000, 40],
        ['general', 1_000, 2_000],
      ] as const) {
        await flood(kim.name, channel, many, length)
      }
      await db.query(
        `insert into reactions (message_id, emoji, username, ts)
         select id, 'tada', $1, ts from messages where channel = 'general' and sender <> $1 limit 500`,
        [kim.name],
      )
      const answerTook = await timeOf(() => deleteKim(type))
      if (type === 'hard') expect(await ada.get('/channel_unreads')).to.deep.equal(start)

      const watch = watchLocks()
      const first = await startJanitor()
      let sends = 0
      let longestSend = 0
      let done = false
      const sending = (async () => {
        while (!done) {
          const began = performance.now()
          await bob.send('general', `life goes on ${sends++}`)
          longestSend = Math.max(longestSend, performance.now() - began)
        }
      })()
      const left = () => count('messages where sender = $1', kim.name)
      await eventually(async () => expect(await left()).to.be.below(15_000), 60_000)
      await first.kill()
      expect(await left()).to.be.above(0)
      await startJanitor()
      await db.query('update account_deletions set due_ts = 0')
      await eventually(async () => expect(await left()).to.equal(0), 120_000)
      await rewritten()
      done = true
      await sending
      const longest = await watch.end()
      expect(longestSend, 'longest send of another person, in ms').to.be.below(500 + 3 * usual)
      expect(longest, 'longest wait for a lock, in seconds').to.be.below(0.5 + (3 * usual) / 1_000)
      expect(answerTook).to.be.below(2_000 + 10 * usual)
      expect(await count('reactions where username = $1', kim.name)).to.equal(0)
      if (type === 'soft') {
        expect(await count(`messages where sender = 'Deleted User'`)).to.be.at.least(20_000)
      }
      if (type === 'hard') {
        expect(await count('removed_messages')).to.be.at.least(20_000)
        expect(await ada.get('/channel_unreads')).to.deep.equal({ general: start['general']! + sends })
      }
    })
  }

  /** The longest wait for a lock, as reported by PostgreSQL. */
  function watchLocks() {
    let longest: Seconds = 0
    let stopped = false
    const watching = (async () => {
      while (!stopped) {
        const { rows } = await db.query<{ waited: Seconds | null }>(
          `select max(extract(epoch from clock_timestamp() - waitstart)) as waited
             from pg_locks
             join pg_stat_activity using (pid)
            where not granted and datname = current_database()`,
        )
        longest = Math.max(longest, Number(rows[0]?.waited ?? 0))
      }
    })()
    return {
      async end() {
        stopped = true
        await watching
        return longest
      },
    }
  }
})
