import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import { collectionsIn } from '#shared/notices/notice.ts'
import { newestNoticeId, readNotices } from '#shared/notices/notice-log.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('presence and typing (interface 2.7, 3.3, 4.6, 5, 8)', () => {
  let world: World
  before(async () => {
    world = await newWorld()
  })
  after(() => world.end())

  const online = () => world.ada.get<Record<string, string>>('/online_users')
  const report = (body: unknown) => world.bob.postJson('/presence', body)

  it('shows reported states, and no users without a report', async () => {
    expect((await report({ state: 'active' })).status).to.equal(204)
    expect(await online()).to.deep.equal({ bob: 'active' })
  })

  it('returns 204 and changes nothing for an invalid state or a body that is not JSON', async () => {
    for (const body of [{ state: 'asleep' }, { state: 1 }, {}, [], 'not json', 'null']) {
      expect((await report(body)).status, JSON.stringify(body)).to.equal(204)
    }
    expect(await online()).to.deep.equal({ bob: 'active' })
  })

  it('writes an unchanged heartbeat every twenty seconds, and to the primary key index only', async () => {
    const db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    try {
      const version = async () =>
        (await db.query(`select xmin::text from presence where username = 'bob'`)).rows[0].xmin
      const first = await version()
      await report({ state: 'active' })
      expect(await version()).to.equal(first)
      await db.query(`update presence set last_seen = last_seen - 21 where username = 'bob'`)
      const aged = await version()
      await report({ state: 'active' })
      expect(await version()).to.not.equal(aged)
      const { rows } = await db.query(`select indexname from pg_indexes where tablename = 'presence'`)
      expect(rows).to.deep.equal([{ indexname: 'presence_pkey' }])
    } finally {
      await db.end()
    }
  })

  it('publishes a notice for the last of two concurrent reports', async () => {
    const db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    const redis = new Redis(world.backing.env.REDIS_URL)
    const keys = keysWith(world.backing.env.REDIS_PREFIX)
    try {
      await db.query(`update presence set last_seen = last_seen - 30 where username = 'bob'`)
      const from = await newestNoticeId(redis, keys)
      await db.query('begin')
      await db.query(`update presence set state = 'idle' where username = 'bob'`)
      const reporting = report({ state: 'active' })
      await eventually(async () => {
        const { rowCount } = await db.query(`select from pg_locks where not granted`)
        expect(rowCount).to.be.above(0)
      })
      await db.query('commit')
      await reporting
      expect(await online()).to.deep.equal({ bob: 'active' })
      const notices = (await readNotices(redis, keys, from, 1)).flatMap(({ notice }) => notice ?? [])
      expect(notices.flatMap(collectionsIn)).to.include('online_users')
    } finally {
      redis.disconnect()
      await db.end()
    }
  })

  it('shows the most active state of several tabs', async () => {
    await report({ state: 'active', tab: 'one' })
    await report({ state: 'hidden', tab: 'two' })
    expect(await online()).to.deep.equal({ bob: 'active' })
    await report({ state: 'idle', tab: 'one' })
    expect(await online()).to.deep.equal({ bob: 'idle' })
  })

  it('shows the active tab when another one’s idle report is stored after it', async () => {
    const db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    try {
      await report({ state: 'hidden', tab: 'two' })
      await report({ state: 'active', tab: 'one' })
      await db.query('begin')
      await db.query(`select from presence where username = 'bob' for update`)
      const idle = report({ state: 'idle', tab: 'one' })
      await eventually(async () => {
        const { rowCount } = await db.query(`select from pg_locks where not granted`)
        expect(rowCount).to.be.above(0)
      })
      const active = report({ state: 'active', tab: 'two' })
      // A report that waits for the lock is correct as well.
      await Promise.race([active, pause(500)])
      await db.query('commit')
      expect([(await idle).status, (await active).status]).to.deep.equal([204, 204])
      expect(await online()).to.deep.equal({ bob: 'active' })
    } finally {
      await db.end()
    }
    for (const tab of ['one', 'two']) await report({ state: 'hidden', tab })
  })

  it('remembers at most fifty tabs of a user, the newest', async () => {
    await report({ state: 'active', tab: 'first' })
    for (let i = 0; i < 55; i++) await report({ state: 'hidden', tab: `tab ${i}` })
    const redis = new Redis(world.backing.env.REDIS_URL)
    try {
      const tabs = await redis.hkeys(keysWith(world.backing.env.REDIS_PREFIX).tabsOf('bob'))
      expect(tabs).to.have.length(50).and.include('tab 54').and.not.include('first')
    } finally {
      redis.disconnect()
    }
    expect(await online()).to.deep.equal({ bob: 'hidden' })
  })

  it('shows an override to everybody until it is cleared', async () => {
    const override = (value: unknown) => world.bob.postJson('/presence/override', { override: value })
    expect((await override('offline')).status).to.equal(204)
    expect(await world.bob.get('/presence/override')).to.deep.equal({ override: 'offline' })
    await report({ state: 'active' })
    expect(await online()).to.deep.equal({ bob: 'offline' })
    await override('hidden')
    expect(await world.bob.get('/presence/override')).to.deep.equal({ override: 'offline' })
    await override('auto')
    expect(await world.bob.get('/presence/override')).to.deep.equal({ override: null })
    expect(await online()).to.deep.equal({ bob: 'active' })
  })

  it('shows a person as offline 90 seconds after the last report of a tab, without a further report', async () => {
    await world.cleo.postJson('/presence', { state: 'hidden', tab: 'killed' })
    const db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    try {
      for (const [ago, shown] of [
        [88, 'hidden'],
        [92, 'offline'],
      ] as const) {
        await db.query(`update presence set last_seen = $1 where username = 'cleo'`, [
          Date.now() / 1000 - ago,
        ])
        expect((await online())['cleo'], `${ago} s ago`).to.equal(shown)
        expect(await world.ada.get('/profile/cleo')).to.include({ state: shown })
      }
      await world.cleo.postJson('/presence', { state: 'hidden' })
      await db.query(`update presence set last_seen = last_seen - 92 where username = 'cleo'`)
      expect((await online())['cleo'], 'without tabs the hour of the interface holds').to.equal('hidden')
    } finally {
      await db.end()
    }
  })

  it('omits users whose last report is more than an hour old', async () => {
    await world.cleo.postJson('/presence', { state: 'idle' })
    const db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    try {
      for (const [ago, shown] of [
        [3_590, 'idle'],
        [3_601, undefined],
      ] as const) {
        await db.query(`update presence set last_seen = $1 where username = 'cleo'`, [
          Date.now() / 1000 - ago,
        ])
        expect((await online())['cleo'], `${ago} s ago`).to.equal(shown)
      }
    } finally {
      await db.end()
    }
  })

  it('lists users who typed within five seconds, and nobody else', async () => {
    const redis = new Redis(world.backing.env.REDIS_URL)
    const key = keysWith(world.backing.env.REDIS_PREFIX).typing('general')
    try {
      await redis.zadd(key, Date.now() / 1000 - 4, 'cleo', Date.now() / 1000 - 5.1, 'mallory')
      expect(await world.ada.get('/typing/general')).to.deep.equal(['cleo'])
      await redis.del(key)
    } finally {
      redis.disconnect()
    }
  })

  it('lists typing users except the caller, until they send', async () => {
    await world.bob.postForm('/typing/general')
    expect(await world.ada.get('/typing/general')).to.deep.equal(['bob'])
    expect(await world.bob.get('/typing/general')).to.deep.equal([])
    await world.bob.send('general', 'done')
    expect(await world.ada.get('/typing/general')).to.deep.equal([])
  })

  it('lists nobody in channels that the caller cannot read, or without a session', async () => {
    await world.ada.postForm('/typing/dm:ada:bob')
    expect(await world.mallory.get('/typing/dm:ada:bob')).to.deep.equal([])
    expect((await world.mallory.postForm('/typing/dm:ada:bob')).status).to.equal(204)
    expect(await world.bob.get('/typing/dm:ada:bob')).to.deep.equal(['ada'])
    const { url } = world.api[0]!
    expect(await (await fetch(`${url}/typing/general`)).json()).to.deep.equal([])
    for (const path of ['/typing/general', '/presence', '/presence/override']) {
      expect((await fetch(url + path, { method: 'POST' })).status).to.equal(204)
    }
  })
})
