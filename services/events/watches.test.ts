import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import type { Milliseconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { storesOf, type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { type Outlet, Stream } from './stream.ts'
import { Watches } from './watches.ts'

/** A stream of #general, into a socket that takes everything. */
class Reader {
  readonly stream: Stream
  text = ''

  constructor(viewer: Username) {
    const outlet = {
      write: (bytes: Buffer | string) => {
        this.text += bytes.toString()
        return true
      },
      cork() {},
      uncork() {},
      once() {},
      destroyed: false,
      writableLength: 0,
    }
    this.stream = new Stream(outlet as unknown as Outlet, {
      ...{ viewer, session: viewer, channel: 'general', cursor: 0, chunked: false, gzip: false },
      ...{ deltas: new Set(), known: new Map() },
    })
  }
}

describe('the watches of a gateway', function () {
  this.timeout(60_000)
  let backing: TestBacking
  let stores: OpenStores
  const undo: (() => unknown)[] = []

  before(async () => {
    backing = await testBacking()
    stores = await storesOf(backing)
  })

  afterEach(async () => {
    for (const act of undo.splice(0).reverse()) await act()
  })

  after(async () => {
    await stores.stop()
    await backing.drop()
  })

  /** Watches on a database that calls `whenAsked` with the viewers of each query about viewers. */
  function watchesWith(
    whenAsked: (viewers: Username[], sql: string) => Promise<unknown>,
    db: Db = stores.db,
  ) {
    const observed: Db = {
      async query(sql: string, values: unknown[] = []) {
        const viewers = values.find(
          (value): value is Username[] => Array.isArray(value) && value[0]?.startsWith('viewer-'),
        )
        if (viewers) await whenAsked(viewers, sql)
        return (await db.query(sql, values)) as never
      },
    }
    const watches = new Watches({ ...stores, db: observed })
    undo.push(() => watches.stop())
    return watches
  }

  function join(watches: Watches, count: number): Reader[] {
    const readers = Array.from({ length: count }, (_, i) => new Reader(`viewer-${i}`))
    for (const { stream } of readers) undo.push(watches.add(stream))
    return readers
  }

  it('send typing and finished collections while the queries of slower ones still run', async () => {
    let release = () => {}
    const released = new Promise<void>(resolve => {
      release = resolve
    })
    const watches = watchesWith(() => released)
    const [reader] = join(watches, 1)
    await eventually(() => {
      for (const event of ['typing', 'online_users']) expect(reader!.text).to.include(`event: ${event}`)
    })
    for (const event of ['mentions', 'dms']) expect(reader!.text).to.not.include(`event: ${event}`)
    release()
    await eventually(() => {
      for (const event of ['mentions', 'dms']) expect(reader!.text).to.include(`event: ${event}`)
    })
  })

  it('are all evaluated again after lost notices, but pause for as long as the last time took', async () => {
    const EACH: Milliseconds = 1_300
    /** Times in which at least one query about viewers ran. */
    const busy: { from: Milliseconds; to: Milliseconds }[] = []
    let running = 0
    const watches = watchesWith(async () => {
      if (running++ === 0) busy.push({ from: performance.now(), to: Infinity })
      await pause(EACH)
      if (--running === 0) busy.at(-1)!.to = performance.now()
    })
    const readers = join(watches, 3)
    await eventually(() => {
      for (const { text } of readers) for (const event of ['dms', 'mentions']) expect(text).to.include(event)
    })
    await eventually(() => expect(running).to.equal(0))
    busy.length = 0

    // As the gateway does while Redis is away, only more often.
    const lost = setInterval(() => watches.invalidateAll(), 20)
    undo.push(() => clearInterval(lost))
    await eventually(() => expect(busy).to.have.length.of.at.least(4), 40_000)
    const pauses = busy
      .slice(1)
      .map(({ from }, i) => ({ took: busy[i]!.to - busy[i]!.from, paused: from - busy[i]!.to }))
    for (const { took, paused } of pauses) {
      expect(took).to.be.at.least(EACH - 10)
      expect(paused).to.be.at.least(took - 100)
    }
  })

  it('are queried in halves after a statement that the server cancels (57014), until every viewer has a frame', async () => {
    const pool = new pg.Pool({
      connectionString: backing.env.DATABASE_URL,
      options: '-c statement_timeout=300',
    })
    undo.push(() => pool.end())
    /** How many viewers of each query had no frame yet: those with one are soon evaluated again, together. */
    const asked: number[] = []
    const watches = watchesWith(async (viewers, sql) => {
      if (!sql.includes('call_participants')) return
      asked.push(viewers.filter(viewer => !hasFrame(viewer)).length)
      if (viewers.length > 100) await pool.query('select pg_sleep(10)')
    })
    const readers = new Map(join(watches, 600).map(reader => [reader.stream.viewer, reader]))
    const hasFrame = (viewer: Username) => readers.get(viewer)!.text.includes('event: incoming_calls')
    await eventually(
      () => expect([...readers.keys()].filter(viewer => !hasFrame(viewer))).to.be.empty,
      20_000,
    )
    const [first, ...later] = asked.filter(count => count > 0)
    expect(first).to.equal(500)
    expect(Math.max(...later), 'halves at most').to.be.at.most(250)
    expect(Math.min(...later), 'until the server answers').to.be.within(1, 100)
  })
})
