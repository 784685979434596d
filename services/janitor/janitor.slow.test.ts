import { randomUUID } from 'node:crypto'
import { readdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import PgBoss from 'pg-boss'
import type { CallStatePayload, NewCallPayload } from '#shared/domain/payloads/calls.ts'
import { collectionsIn } from '#shared/notices/notice.ts'
import { readNotices } from '#shared/notices/notice-log.ts'
import { type OpenStores, openStores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { settledNoticeId } from '#shared/test-kit/settled-notices.ts'
import type { TestEnvironment } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { tasks } from './tasks.ts'

const DM = 'dm:ada:bob'
const DAY = 24 * 3600

/** The stores of a janitor whose clock the test sets. */
async function storesAt(env: TestEnvironment) {
  const clock = { ahead: 0, now: () => Date.now() / 1000 + clock.ahead }
  const stores = await openStores(
    {
      databaseUrl: env.DATABASE_URL,
      redisUrl: env.REDIS_URL,
      redisPrefix: env.REDIS_PREFIX,
      filesUrl: env.FILES_URL,
      settingsFile: env.SETTINGS_FILE,
    },
    clock,
  )
  return { stores, clock }
}

describe('the janitor', () => {
  let world: World
  let stores: OpenStores
  let clock: { ahead: number }
  let files: string

  before(async () => {
    world = await newWorld()
    ;({ stores, clock } = await storesAt(world.backing.env))
    files = fileURLToPath(world.backing.env.FILES_URL)
  })

  beforeEach(() => {
    clock.ahead = 0
  })

  after(async () => {
    await stores.stop()
    await world.end()
  })

  const run = (name: string) => tasks.find(task => task.name === name)!.run(stores)

  /** Runs a task twice, expects the second run to change nothing, and returns changes and notices of the first. */
  async function twice(name: string) {
    const before = await settledNoticeId(stores.redis, stores.keys)
    const changed = await run(name)
    const first = await noticesAfter(before)
    expect(await run(name), 'the second time').to.equal(0)
    expect(await noticesAfter(before), 'notices of the second time').to.deep.equal(first)
    return { changed, notices: first }
  }

  /** Runs a task in two janitors at once and returns the sum of their changes. */
  async function byTwo(name: string) {
    const [one, other] = await Promise.all([run(name), run(name)])
    return one! + other!
  }

  async function noticesAfter(id: string) {
    const entries = await readNotices(stores.redis, stores.keys, id, 1)
    return entries.flatMap(({ notice }) => notice ?? [])
  }

  async function ring(caller: Person, channel = DM): Promise<string> {
    const response = await caller.postJson('/calls/initiate', { channel })
    expect(response.status).to.equal(200)
    return ((await response.json()) as NewCallPayload).call_id
  }
  const accept = (person: Person, call: string) => person.postJson(`/calls/${call}/accept`, {})
  const state = (person: Person, call: string) => person.get<CallStatePayload>(`/calls/${call}/state`)
  const participants = async (person: Person, call: string) =>
    Object.fromEntries((await state(person, call)).participants.map(one => [one.username, one.state]))
  const count = async (table: string) =>
    Number((await stores.db.query<{ n: number }>(`select count(*) as n from ${table}`)).rows[0]!.n)
  const lastLine = async (channel: string) => (await world.ada.messages(channel)).at(-1)

  describe('and unanswered rings (interface 3.1)', () => {
    it('rejects them after thirty seconds, once, with a line in the channel', async () => {
      const call = await ring(world.ada)
      clock.ahead = 29
      expect(await run('end-unanswered-rings')).to.equal(0)

      clock.ahead = 31
      const { changed, notices } = await twice('end-unanswered-rings')
      expect(changed).to.equal(1)
      expect(notices).to.have.length(1)
      expect(collectionsIn(notices[0]!)).to.include.members([
        'incoming_calls',
        'messages',
        'dms',
        'unread_count',
      ])
      expect(notices[0]!.concerns[0]).to.include({ channel: DM })

      const after = await state(world.bob, call)
      expect(after).to.include({ state: 'rejected' })
      expect(after.ended_ts).to.be.a('number')
      expect(await participants(world.bob, call)).to.deep.equal({ ada: 'accepted', bob: 'rejected' })
      expect(await lastLine(DM)).to.include({
        sender: 'system',
        content: 'Missed call from ada.',
        content_type: 'system',
      })
      expect(await world.bob.get('/calls/incoming')).to.deep.equal([])
    })

    it('reopens the DM of the missed call for both members', async () => {
      expect(await world.bob.get('/dms')).to.deep.equal([{ channel: DM, users: ['ada'], unread: 1 }])
      expect(await world.bob.get('/unread_count')).to.deep.equal({ count: 1 })
    })

    it('leaves one outcome with two janitors and a read of the state at once', async () => {
      const call = await ring(world.ada)
      clock.ahead = 31
      const lines = (await world.ada.messages(DM)).length
      expect(await byTwo('end-unanswered-rings')).to.equal(1)
      expect(await state(world.ada, call)).to.include({ state: 'rejected' })
      expect(await world.ada.messages(DM)).to.have.length(lines + 1)
    })

    it('does not reject a call that is accepted at the same moment', async () => {
      const call = await ring(world.ada)
      clock.ahead = 31
      const answering = await stores.pool.connect()
      await answering.query('begin')
      await answering.query(`update calls set state = 'active', answered_ts = 1 where call_id = $1`, [call])
      const [ended] = await Promise.all([
        run('end-unanswered-rings'),
        pause(200).then(() => answering.query('commit')),
      ])
      answering.release()
      expect(ended).to.equal(0)
      expect(await state(world.ada, call)).to.include({ state: 'active' })
      await world.ada.postJson(`/calls/${call}/end`, {})
    })

    it('does not touch answered calls', async () => {
      const call = await ring(world.ada)
      await accept(world.bob, call)
      clock.ahead = 31
      expect(await run('end-unanswered-rings')).to.equal(0)
      expect(await state(world.ada, call)).to.include({ state: 'active' })
      await world.ada.postJson(`/calls/${call}/end`, {})
    })
  })

  describe('and participants who have fallen silent (interface 4.8)', () => {
    it('removes them after ninety seconds; a call with one participant ends', async () => {
      const call = await ring(world.ada)
      await accept(world.bob, call)
      await seen(call, { ada: 95, bob: 5 })
      const { changed, notices } = await twice('drop-stale-participants')
      expect(changed).to.equal(1)
      expect(notices.flatMap(collectionsIn)).to.include('incoming_calls')
      expect(await state(world.bob, call)).to.include({ state: 'ended' })
      expect(await participants(world.bob, call)).to.deep.equal({ ada: 'left', bob: 'accepted' })
      expect((await lastLine(DM))?.content).to.equal('Call, 1 min.')
    })

    it('continues a call of three with two, without the share of the one who left', async () => {
      const den = await world.privateChannel('den', [world.ada, world.bob, world.cleo])
      const call = await ring(world.ada, den)
      await accept(world.bob, call)
      await accept(world.cleo, call)
      await world.cleo.postJson(`/calls/${call}/screenshare`, { on: true })
      await seen(call, { cleo: 91 })
      expect(await byTwo('drop-stale-participants')).to.equal(1)
      expect(await state(world.ada, call)).to.include({ state: 'active', screenshare_user: '' })
      expect(await participants(world.ada, call)).to.deep.equal({
        ada: 'accepted',
        bob: 'accepted',
        cleo: 'left',
      })

      await seen(call, { ada: 91, bob: 91 })
      expect((await twice('drop-stale-participants')).changed).to.equal(1)
      expect(await state(world.ada, call)).to.include({ state: 'ended' })
    })

    async function seen(call: string, ago: Record<string, number>) {
      for (const [username, seconds] of Object.entries(ago)) {
        await stores.db.query(
          'update call_participants set seen_ts = $3 where call_id = $1 and username = $2',
          [call, username, Date.now() / 1000 - seconds],
        )
      }
    }
  })

  describe('and data waiting to be fetched', () => {
    it('purges signals after five minutes, and those of ended calls', async () => {
      const call = await ring(world.ada)
      const offer = { to: 'bob', type: 'offer', payload: { sdp: 'x' } }
      expect((await world.ada.postJson(`/calls/${call}/signal`, offer)).status).to.equal(200)
      await signalOf(randomUUID())
      expect((await twice('purge-signals')).changed).to.equal(1)
      expect(await count('signals')).to.equal(1)
      clock.ahead = 301
      expect(await byTwo('purge-signals')).to.equal(1)
      await world.ada.postJson(`/calls/${call}/end`, {})
    })

    it('purges old chunks, but not the init segment of a running call', async () => {
      const call = await ring(world.ada)
      await chunkOf(call, true)
      await chunkOf(call, false)
      await chunkOf(randomUUID(), true)
      expect((await twice('purge-media')).changed).to.equal(1)
      clock.ahead = 301
      expect((await twice('purge-media')).changed).to.equal(1)
      expect(await count('media_chunks')).to.equal(1)
      await world.ada.postJson(`/calls/${call}/end`, {})
      expect(await count('media_chunks')).to.equal(0)
    })

    it('keeps signals and media of an active share', async () => {
      const response = await world.ada.postJson('/screenshare/start', { channel: DM })
      const { share_id } = (await response.json()) as { share_id: string }
      await signalOf(share_id)
      await chunkOf(share_id, false)
      expect([await run('purge-signals'), await run('purge-media')]).to.deep.equal([0, 0])
      await world.ada.postJson(`/screenshare/${share_id}/stop`, {})
    })

    it('purges reset tokens a day after they expired', async () => {
      for (const [i, ago] of [2 * DAY, 3600, -DAY].entries()) {
        await stores.db.query(
          'insert into reset_tokens (token_hash, username, issued_ts, expires_ts) values ($1, $2, $3, $3)',
          [Buffer.from([i]), 'ada', Date.now() / 1000 - ago],
        )
      }
      expect((await twice('purge-reset-tokens')).changed).to.equal(1)
      expect(await count('reset_tokens')).to.equal(2)
    })

    it('deletes tokens thirty days after they ended', async () => {
      await stores.db.query(`delete from api_tokens; delete from users where username = 'pager'`)
      for (const [i, [expired, revoked]] of [
        [31, null],
        [29, null],
        [-300, 31],
        [-300, 29],
        [-300, null],
      ].entries()) {
        await stores.db.query(
          `insert into api_tokens (hash, username, name, scopes, created_ts, expires_ts, revoked_ts)
           values ($1, 'ada', $2, '{read}', 0, $3, $4)`,
          [
            Buffer.from([i]),
            String(i),
            Date.now() / 1_000 - expired! * DAY,
            revoked === null ? null : Date.now() / 1_000 - revoked! * DAY,
          ],
        )
      }
      expect((await twice('forget-tokens')).changed).to.equal(2)
      const { rows } = await stores.db.query('select name from api_tokens order by id')
      expect(rows.map(({ name }) => name)).to.deep.equal(['1', '3', '4'])
      await stores.db.query('delete from api_tokens')
    })

    it('tells the maker, of a bot its owner, once, a week before a token ends', async () => {
      await stores.db.query(
        `insert into users (username, password_hash, created_ts, kind, bot_owner) values ('pager', 'none', 0, 'bot', 'bob')`,
      )
      const insert = (name: string, days: number, lived: number, more = {}) => {
        const row = { username: 'ada', created_by: 'bob', revoked_ts: null, ...more }
        const expires = Date.now() / 1_000 + days * DAY
        return stores.db.query(
          `insert into api_tokens (hash, username, name, scopes, created_by, created_ts, expires_ts, revoked_ts)
           values (sha256(convert_to($1, 'UTF8')), $2, $1, '{read}', $3, $4, $5, $6)`,
          [name, row.username, row.created_by, expires - lived * DAY, expires, row.revoked_ts],
        )
      }
      await insert('later', 8, 365)
      await insert('short', 3, 4)
      await insert('revoked', 3, 365, { revoked_ts: 1 })
      await insert('gone', -1, 365)
      await insert('mine', 6, 365, { username: 'bob' })
      await insert('of ada', 6.5, 365)
      await insert('orphan', 6.5, 365, { created_by: null })
      await insert('of the bot', 6.7, 365, { username: 'pager', created_by: 'ada' })
      expect((await twice('tell-token-ends')).changed).to.equal(3)
      const rows = await world.bob.messages('dm:bob:system')
      const day = (days: number) => new Date(Date.now() + days * DAY * 1_000).toISOString().slice(0, 10)
      const rest = (where: string) =>
        `Make a new one in ${where}, and put it where the program has the old one.`
      expect(rows.map(({ content }) => content)).to.deep.equal([
        `Your token “mine” ends on ${day(6)}. ${rest('Settings')}`,
        `The token of ada “of ada” ends on ${day(6.5)}. ${rest('Administration › Integrations')}`,
        `The token of pager “of the bot” ends on ${day(6.7)}. ${rest('Administration › Integrations')}`,
      ])
      await stores.db.query('delete from api_tokens')
    })

    const signalOf = (session: string) =>
      stores.db.query(
        `insert into signals (session_id, sender, recipient, type, payload, ts)
         values ($1, 'ada', 'bob', 'offer', '{}', $2)`,
        [session, Date.now() / 1000],
      )
    const chunkOf = (session: string, isInit: boolean) =>
      stores.db.query(
        `insert into media_chunks (session_id, sender, is_init, data, ts) values ($1, 'ada', $2, 'x', $3)`,
        [session, isInit, Date.now() / 1000],
      )
  })

  describe('and calls and shares that ended long ago', () => {
    it('deletes them after thirty days, in batches, and keeps younger and active ones', async () => {
      const call = await ring(world.ada)
      await accept(world.bob, call)
      await stores.db.query(
        `with call as (
           insert into calls (call_id, channel, initiator, state, started_ts, ended_ts)
           select gen_random_uuid(), 'dm:ada:bob', 'ada', 'ended', 0, $1::float8 - i from generate_series(0, 1200) i
           returning call_id
         )
         insert into call_participants (call_id, username, role, state, invited_ts, seen_ts)
         select call_id, 'ada', 'initiator', 'left', 0, 0 from call`,
        [Date.now() / 1000 - 30 * DAY - 60],
      )
      await stores.db.query(
        `insert into screen_shares (share_id, channel, sharer, started_ts, ended_ts, state)
         select gen_random_uuid(), 'dm:ada:bob', 'ada', 0, $1, 'ended'`,
        [Date.now() / 1000 - 31 * DAY],
      )
      const participantsOfOthers = await count(`call_participants where seen_ts > 0`)
      expect(await byTwo('forget-old-calls')).to.equal(1_202)
      expect(await count(`calls where started_ts = 0`)).to.equal(0)
      expect(await count(`call_participants`)).to.equal(participantsOfOthers)
      expect(await state(world.ada, call)).to.include({ state: 'active' })
      await world.ada.postJson(`/calls/${call}/end`, {})
      expect((await twice('forget-old-calls')).changed).to.equal(0)
    })
  })

  describe('and client ids of sends (interface 4.3)', () => {
    it('deletes them after a day, not earlier', async () => {
      const [old, young] = [randomUUID(), randomUUID()]
      await world.ada.send('general', 'yesterday', { client_id: old })
      const id = await world.ada.send('general', 'today', { client_id: young })
      await stores.db.query('update client_ids set ts = ts - $2 where client_id = $1', [old, DAY + 1])
      expect(await byTwo('forget-client-ids')).to.equal(1)
      expect(await count('client_ids')).to.equal(1)
      expect(await world.ada.send('general', 'today', { client_id: young })).to.equal(id)
    })
  })

  describe('and calls in archived channels', () => {
    it('ends them and their shares, which a request that ended too early has left', async () => {
      const { ada, bob } = world
      const channel = await ada.createPrivateChannel('gauges', ['bob'])
      const call = await ring(ada, channel)
      await accept(bob, call)
      expect((await ada.postJson('/screenshare/start', { channel })).status).to.equal(200)
      await stores.db.query(
        `insert into channel_properties (channel, kind, archived_ts, archived_by) values ($1, 'private', 1, 'ada')
         on conflict (channel) do update set archived_ts = 1`,
        [channel],
      )
      const { changed, notices } = await twice('end-archived-calls')
      expect(changed).to.equal(1)
      expect(notices.map(({ concerns }) => concerns[0]!.channel)).to.deep.equal([channel])
      expect((await state(ada, call)).state).to.equal('ended')
      expect(await run('end-orphaned-shares')).to.equal(1)
      expect(await ada.get(`/screenshare/active?channel=${channel}`)).to.deep.equal([])
    })
  })

  describe('and shares of absent sharers', () => {
    const share = async (person: Person) => {
      const response = await person.postJson('/screenshare/start', { channel: DM })
      return ((await response.json()) as { share_id: string }).share_id
    }
    const active = () => world.bob.get<unknown[]>(`/screenshare/active?channel=${DM}`)

    it('ends them after ninety seconds, once, with a notice', async () => {
      const id = await share(world.ada)
      await world.ada.postJson(`/screenshare/${id}/signal`, { to: 'bob', type: 'offer', payload: {} })
      clock.ahead = 80
      expect(await run('end-orphaned-shares')).to.equal(0)
      clock.ahead = 100
      const { changed, notices } = await twice('end-orphaned-shares')
      expect(changed).to.equal(1)
      expect(notices).to.deep.equal([
        { concerns: [{ collections: ['screenshares'], channel: DM, users: ['ada'] }] },
      ])
      expect(await active()).to.deep.equal([])
      expect(await count('signals')).to.equal(0)
    })

    it('keeps shares of sharers who report presence, have a stream, or fetch the signals', async () => {
      await share(world.ada)
      clock.ahead = 100
      const signOfLife = {
        presence: () =>
          stores.db.query(
            `insert into presence values ('ada', 'hidden', $1) on conflict (username) do update set last_seen = $1`,
            [clock.ahead + Date.now() / 1000],
          ),
        stream: () =>
          stores.redis.zadd(stores.keys.streamsOf('ada'), Date.now() / 1000 + clock.ahead + 30, 'tab'),
        signals: () => stores.db.query('update screen_shares set seen_ts = $1', [stores.clock.now()]),
      }
      for (const [name, give] of Object.entries(signOfLife)) {
        await give()
        expect(await run('end-orphaned-shares'), name).to.equal(0)
        clock.ahead += 100
      }
      expect(await byTwo('end-orphaned-shares')).to.equal(1)

      // Requests of the sharer keep the share alive, requests of viewers do not.
      const next = await share(world.ada)
      await stores.db.query('update screen_shares set seen_ts = seen_ts - 60')
      await world.bob.get(`/screenshare/${next}/signals`)
      clock.ahead = 40
      await stores.db.query('delete from presence')
      await stores.redis.del(stores.keys.streamsOf('ada'))
      await world.ada.get(`/screenshare/${next}/signals`)
      expect(await run('end-orphaned-shares')).to.equal(0)
      clock.ahead = 100
      await world.bob.get(`/screenshare/${next}/signals`)
      expect(await run('end-orphaned-shares')).to.equal(1)
    })
  })

  describe('and orphaned files', () => {
    const orphan = () => `${randomUUID().replaceAll('-', '')}.png`
    const put = (name: string, ageInHours: number) => {
      const path = join(files, name)
      writeFileSync(path, 'x')
      const then = Date.now() / 1000 - ageInHours * 3600
      utimesSync(path, then, then)
    }

    it('sweeps them after an hour, and keeps files that a message or an account names, and foreign files', async () => {
      const attached = orphan()
      const avatar = `avatar-${orphan().replace('.png', '.jpg')}`
      const young = orphan()
      await attach(world.ada, 'general', attached)
      await stores.db.query('update users set avatar_file = $1 where username = $2', [avatar, 'bob'])
      for (const name of [
        attached,
        avatar,
        orphan(),
        `avatar-${orphan().replace('.png', '.jpg')}`,
        'notes.txt',
        `${attached}.360.webp`,
        `${orphan()}.720.still.webp`,
      ])
        put(name, 2)
      put(young, 0.5)
      put('incoming/half-an-upload', 2)
      put('incoming/going-on', 0)

      const { changed, notices } = await twice('sweep-orphan-files')
      expect(changed, 'an image, an avatar, a thumbnail that lost its image, an upload').to.equal(4)
      expect(notices).to.deep.equal([])
      const thumbnail = `${attached}.360.webp`
      expect(readdirSync(files)).to.have.members([
        attached,
        thumbnail,
        avatar,
        young,
        'notes.txt',
        'incoming',
        'uploads',
      ])
      expect(readdirSync(join(files, 'incoming'))).to.deep.equal(['going-on'])
    })

    it('keeps the file of a message that is being sent, however old it is', async () => {
      const [unsent, forgotten] = [orphan(), orphan()]
      for (const [name, age] of [
        [unsent, 0],
        [forgotten, 7_200],
      ] as const) {
        put(name, 2)
        await stores.db.query(
          `insert into files (name, original_name, bytes, type, uploader, ts)
           values ($1, 'a.png', 1, 'image/png', 'ada', $2)`,
          [name, stores.clock.now() - age],
        )
      }
      expect(await run('sweep-orphan-files')).to.equal(1)
      expect(readdirSync(files)).to.include(unsent).and.not.include(forgotten)
    })

    it('sweeps thumbnails of any age with their image, and counts both as one', async () => {
      const image = orphan()
      put(image, 2)
      for (const kind of ['360', '720', '360.still', '720.still']) put(`${image}.${kind}.webp`, 0)
      expect(await run('sweep-orphan-files')).to.equal(1)
      expect(readdirSync(files).filter(name => name.startsWith(image))).to.deep.equal([])
    })

    it('sweeps the files of emoji without a row, and uploads that are left of others', async () => {
      const [known, unknown] = [randomUUID(), randomUUID()].map(id => `emoji-${id.replaceAll('-', '')}`)
      for (const stem of [known, unknown])
        for (const ending of ['source', 'webp', 'still.webp']) put(`${stem}.${ending}`, 2)
      await stores.db.query(
        `insert into custom_emoji (name, file, animated, created_ts) values ('parrot', $1, true, 0)`,
        [`${known}.webp`],
      )
      await run('sweep-orphan-files')
      expect(readdirSync(files).filter(name => name.startsWith('emoji-'))).to.have.members([
        `${known}.webp`,
        `${known}.still.webp`,
      ])
    })

    it('removes each file once with two janitors', async () => {
      for (let i = 0; i < 5; i++) put(orphan(), 2)
      await byTwo('sweep-orphan-files')
      expect(await run('sweep-orphan-files')).to.equal(0)
    })

    it('deletes nothing when most files are unknown: the database may be the wrong one', async () => {
      const many = Array.from({ length: 30 }, orphan)
      for (const name of many) put(name, 2)
      expect(await run('sweep-orphan-files')).to.equal(0)
      expect(readdirSync(files)).to.include.members(many)
    })
  })

  describe('and files of messages (messages, section 6)', () => {
    it('forgets files of messages that were never stored', async () => {
      await stores.db.query(
        `insert into files (name, original_name, bytes, type, uploader, ts) values ('lost', 'lost', 1, 'x', 'ada', 0)`,
      )
      await run('sweep-orphan-files')
      expect(await rowsOf('lost')).to.deep.equal([])
    })

    it('removes uploads in parts after a day without progress, and their remains', async () => {
      const [old, young] = [randomUUID(), randomUUID()]
      for (const id of [old, young]) {
        await world.ada.putJson(`/uploads/${id}`, { name: 'a', size: 2 })
        await world.ada.appendPart(id, 0, Buffer.from('x'))
      }
      const path = (name: string) => join(files, 'uploads', name)
      writeFileSync(path(randomUUID()), 'x')
      for (const name of readdirSync(join(files, 'uploads')).filter(name => name !== young))
        utimesSync(path(name), 0, 0)
      await stores.db.query('update uploads set changed_ts = changed_ts - 86401 where id = $1', [old])
      expect(await byTwo('forget-uploads')).to.be.at.least(2)
      expect(await run('forget-uploads')).to.equal(0)
      expect(readdirSync(join(files, 'uploads'))).to.deep.equal([young])
      await world.ada.fetch(`/uploads/${young}`, { method: 'DELETE' })
    })

    async function rowsOf(name: string) {
      const { rows } = await stores.db.query('select * from files where name = $1', [name])
      return rows
    }
  })

  describe('and retention', () => {
    afterEach(async () => {
      world.backing.settings({ rate_limit_enabled: false })
      await eventually(() => expect(stores.settings.current.retention_days).to.equal(0))
    })

    const settings = async (values: Record<string, number | boolean>) => {
      world.backing.settings({ rate_limit_enabled: false, ...values })
      await eventually(() => expect(stores.settings.current).to.include(values))
    }
    const unread = async (person: Person) =>
      (await person.get<Record<string, number>>('/channel_unreads'))['general']
    const age = (id: number, days: number) =>
      stores.db.query('update messages set ts = ts - $2 where id = $1', [id, days * DAY])

    it('is off by default', async () => {
      clock.ahead = 10_000 * DAY
      expect([await run('trim-messages'), await run('trim-attachments')]).to.deep.equal([0, 0])
    })

    it('of the audit log removes entries older than two years by default', async () => {
      await stores.db.query('delete from audit_log')
      await stores.db.query(
        `insert into audit_log (ts, actor, actor_kind, action)
         select $1 - days * $2::double precision, 'ada', 'person', 'test.' || days
           from unnest(array[1, 729, 731]) as days`,
        [stores.clock.now(), DAY],
      )
      expect(await run('trim-audit')).to.equal(1)
      expect(await run('trim-audit'), 'the second time').to.equal(0)
      const { rows } = await stores.db.query('select action from audit_log order by ts')
      expect(rows).to.deep.equal([{ action: 'test.729' }, { action: 'test.1' }])
    })

    it('of earlier versions of texts ends with the setting, the next night', async () => {
      const id = await world.ada.send('general', 'two')
      await stores.db.query(`insert into message_edits (message_id, ts, content) values ($1, 1, 'one')`, [id])
      await settings({ keep_edits: true })
      expect(await run('forget-edits'), 'while the setting is on').to.equal(0)
      await settings({ keep_edits: false })
      expect(await run('forget-edits')).to.equal(1)
      expect(await run('forget-edits'), 'the second time').to.equal(0)
    })

    it('of earlier versions hides them when the file switches the setting off, and on again', async () => {
      await settings({ keep_edits: true })
      const id = await world.ada.send('general', 'two')
      const keep = (ts: number) =>
        stores.db.query(`insert into message_edits (message_id, ts, content) values ($1, $2, 'one')`, [
          id,
          ts,
        ])
      await keep(1)
      expect(await run('hide-versions'), 'while the setting is on').to.equal(0)
      await settings({ keep_edits: false })
      expect(await byTwo('hide-versions')).to.equal(1)
      expect(await run('hide-versions'), 'the next time').to.equal(0)
      await settings({ keep_edits: true })
      await keep(2)
      expect(await run('hide-versions')).to.equal(0)
      expect(await run('forget-edits')).to.equal(1)
      const { rows } = await stores.db.query('select ts from message_edits where message_id = $1', [id])
      expect(rows).to.deep.equal([{ ts: 2 }])
    })

    it('by age removes older messages permanently, and unread counts stay right', async () => {
      await world.cleo.markRead('general')
      const old = await world.ada.send('general', 'long ago @cleo')
      const deleted = await world.ada.send('general', 'taken back')
      const removed = await world.ada.send('general', 'went with its account')
      const picture = `${randomUUID().replaceAll('-', '')}.png`
      const pictured = await attach(world.ada, 'general', picture)
      writeFileSync(join(files, picture), 'x')
      const between = await world.ada.send('general', 'went with its account, too')
      await world.ada.send('general', 'today')
      await world.bob.react(old, 'thumbsup')
      await world.ada.delete(deleted)
      for (const id of [removed, between]) await removeForGood(id)
      expect(await unread(world.cleo)).to.equal(3)

      // Ages all of general up to `pictured`; `between` is removed already.
      await stores.db.query('update messages set ts = ts - $2 where channel = $3 and id <= $1', [
        pictured,
        31 * DAY,
        'general',
      ])
      await stores.db.query('update removed_messages set ts = ts - $1', [31 * DAY])
      await stores.db.query('update read_watermarks set last_read_ts = last_read_ts - $1', [31 * DAY])
      await settings({ retention_days: 30 })
      const { changed, notices } = await twice('trim-messages')
      expect(changed).to.be.at.least(3)
      expect(notices[0]!.concerns[0]).to.include({ channel: 'general' })
      expect(collectionsIn(notices[0]!)).to.include.members(['channel_unreads', 'mentions'])

      expect((await world.cleo.messages('general')).map(row => row.content)).to.deep.equal(['today'])
      expect(await unread(world.cleo)).to.equal(1)
      expect(await world.cleo.get('/mentions')).to.deep.equal([])
      expect(readdirSync(files)).not.to.include(picture)
      expect(await count('reactions')).to.equal(0)
      // The first reader's watermark is before the trimmed messages, the second's after them.
      const reader = await world.bob.send('general', 'and I have read it all')
      expect(await unread(world.bob)).to.equal(0)
      expect(await unread(world.cleo)).to.equal(2)
      await world.bob.delete(reader)
    })

    it('by age announces each removed message for a day to clients with a cursor, not to new ones', async () => {
      const ids: number[] = []
      for (const text of ['one', 'two', 'three']) ids.push(await world.ada.send('dm:ada:mallory', text))
      const kept = await world.ada.send('dm:ada:mallory', 'kept')
      for (const id of ids) await age(id, 31)
      const { ts } = (await world.mallory.messages('dm:ada:mallory')).at(-1)!
      await settings({ retention_days: 30 })
      await run('trim-messages')
      const told = await world.mallory.messages('dm:ada:mallory', ts)
      expect(told.map(row => [row.id, row.deleted, row.content])).to.deep.equal(ids.map(id => [id, 1, null]))
      expect(new Set(told.map(row => row.deleted_ts)).size).to.equal(3)
      expect(Math.min(...told.map(row => row.deleted_ts!))).to.be.greaterThan(ts)
      expect((await world.mallory.messages('dm:ada:mallory')).map(row => row.id)).to.deep.equal([kept])
      expect(await world.mallory.get('/unread_count')).to.deep.equal({ count: 1 })

      clock.ahead = 1.1 * DAY
      await run('trim-messages')
      expect(await count('removed_messages where trimmed')).to.equal(0)
      expect(await world.mallory.get('/unread_count')).to.deep.equal({ count: 1 })
    })

    it('by age deletes old tombstones in batches, however many there are', async () => {
      await stores.db.query(
        `insert into removed_messages (id, channel, ts, removed_ts, trimmed)
         select -i, 'general', i, i, true from generate_series(1, 12000) i`,
      )
      await world.backing.admin(
        `create function too_many() returns trigger language plpgsql as $$
         begin
           if (select count(*) from gone) > 5000 then raise 'too many at once'; end if;
           return null;
         end $$;
         create trigger too_many after delete on removed_messages
           referencing old table as gone for each statement execute function too_many()`,
      )
      await run('trim-messages')
      expect(await count('removed_messages where id < 0')).to.equal(0)
      await world.backing.admin('drop trigger too_many on removed_messages')
    })

    it('by age runs once with two janitors, however many messages', async () => {
      const ids: number[] = []
      for (let i = 0; i < 5; i++) ids.push(await world.ada.send('dm:ada:cleo', `${i}`))
      await stores.db.query(
        `insert into messages (channel, ord, sender, content, ts)
         select 'dm:ada:cleo', i - 1200, 'ada', 'old', i from generate_series(1, 1200) i`,
      )
      for (const id of ids.slice(0, 4)) await age(id, 31)
      await settings({ retention_days: 30 })
      expect(await byTwo('trim-messages')).to.equal(1204)
      expect(await world.cleo.get('/unread_count')).to.deep.equal({ count: 1 })
    })

    it('by size deletes the oldest attachments until the rest fits', async () => {
      const names = Array.from({ length: 4 }, () => `${randomUUID().replaceAll('-', '')}.png`)
      const ids: number[] = []
      for (const name of names) {
        ids.push(await attach(world.ada, 'dm:ada:cleo', name))
        writeFileSync(join(files, name), '')
        // Sparse: takes no room on the disk.
        truncateSync(join(files, name), 50_000_000)
      }
      // The setting is at least 0.1 GB.
      const kept = 2.5 * 50_000_000 + 10_000
      await settings({ retention_max_gb: kept / 1024 ** 3 })
      // Attachments of other tests are older, and go first.
      const { changed, notices } = await twice('trim-attachments')
      expect(changed).to.be.at.least(2)
      expect(collectionsIn(notices.at(-1)!)).to.include.members(['messages', 'dms'])
      const rows = (await world.cleo.messages('dm:ada:cleo')).filter(row => ids.includes(row.id))
      expect(rows.map(row => [row.deleted, row.filename])).to.deep.equal([
        [1, null],
        [1, null],
        [0, names[2]],
        [0, names[3]],
      ])
      expect(new Set(rows.map(row => row.deleted_ts)).size).to.equal(3)
      expect(readdirSync(files)).to.include.members(names.slice(2)).and.not.include.members(names.slice(0, 1))
    })

    async function removeForGood(id: number) {
      await stores.db.query(
        `with gone as (delete from messages where id = $1 returning id, channel, ts)
         insert into removed_messages (id, channel, ts, removed_ts) select id, channel, ts, ts from gone`,
        [id],
      )
    }
  })

  /** Adds a message with a file of this name, as after an upload. */
  async function attach(person: Person, channel: string, name: string): Promise<number> {
    const id = await person.send(channel, 'a picture')
    await stores.db.query('update messages set content = null, filename = $2 where id = $1', [id, name])
    return id
  }

  describe('as a process', () => {
    it('runs the tasks on schedule, and two processes do not disturb each other', async () => {
      const both = await Promise.all([0, 1].map(() => startService('janitor', world.backing.env)))
      try {
        const call = await ring(world.ada)
        await stores.db.query('update calls set started_ts = started_ts - 31 where call_id = $1', [call])
        await eventually(async () => {
          const { rows } = await stores.db.query('select state from calls where call_id = $1', [call])
          expect(rows).to.deep.equal([{ state: 'rejected' }])
        })
        const { rows } = await stores.db.query<{ name: string }>(
          'select name from pgboss.schedule order by name',
        )
        const queued = tasks.filter(task => typeof task.every === 'string').map(task => task.name)
        queued.push('renew-secrets')
        expect(rows.map(row => row.name)).to.deep.equal(queued.toSorted())
        await stores.db.query(
          `insert into signals (session_id, sender, recipient, type, payload, ts)
           values ($1, 'ada', 'bob', 'offer', '{}', 1)`,
          [randomUUID()],
        )
        await sendJob('purge-signals')
        await eventually(async () => expect(await count('signals')).to.equal(0), 60_000)
        for (const janitor of both) expect(janitor.output()).not.to.match(/"level":"(warn|error|fatal)"/)
      } finally {
        const codes = await Promise.all(both.map(janitor => janitor.stop()))
        expect(codes).to.deep.equal([0, 0])
      }
    })

    /** Sends the job that a cron slot would; waiting for the slot would take a minute. */
    async function sendJob(name: string) {
      const boss = new PgBoss({
        connectionString: world.backing.env.DATABASE_URL,
        schedule: false,
        supervise: false,
        migrate: false,
      })
      await boss.start()
      await boss.send(name, {})
      await boss.stop({ graceful: false })
    }
  })
})
