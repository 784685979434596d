import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import pg from 'pg'
import { inTransaction, openPool } from '#shared/stores/postgres.ts'
import { forgetPrimary } from '#shared/stores/postgres-servers.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { timeOf } from '#shared/test-kit/reference.ts'
import { sendersOf } from '#shared/test-kit/senders.ts'
import { storedTexts } from '#shared/test-kit/stored-texts.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { type PostgresPair, startPostgresPair } from '../dev-stores/postgres-pair.ts'
import { LOCAL_TLS } from '../dev-stores/redis-sentinels.ts'

/** A real primary and a real standby; every process knows both. */
describe('a failover of PostgreSQL', function () {
  this.timeout(300_000)
  let backing: TestBacking
  let pair: PostgresPair
  let ada: Person
  let env: object
  /** Time in which the processes start one after the other, ms. */
  let start: number
  const services: RunningService[] = []

  before(async () => {
    backing = await testBacking()
    pair = await startPostgresPair()
    env = { ...backing.env, DATABASE_URL: pair.url }
    start = await timeOf(async () => {
      for (const name of ['api', 'api', 'events', 'janitor']) services.push(await startService(name, env))
    })
    ada = await new Person('ada', services[0]!.url).signUp()
  })
  after(async () => {
    await Promise.all(services.map(service => service.stop()))
    await pair?.stop()
    await backing?.drop()
  })

  it('loses nothing acknowledged, and every process finds the new primary within seconds', async () => {
    const apis = services.filter(({ name }) => name === 'api').map(({ url }) => url)
    const work = sendersOf(ada, apis)
    await work.waitForSends(200)
    const killed = performance.now()
    await pair.killPrimary()
    await eventually(() => expect(work.refused()).to.include(503), 60_000)
    expect(await storedTexts(pair.standbyUrl, work.acknowledged)).to.have.length(work.acknowledged.length)
    await pair.promote()
    const promoted = performance.now()
    const before = work.acknowledged.length
    await work.waitForSends(1)
    const ready = performance.now()
    await Promise.all(services.map(becomesReady))
    const allReady = performance.now()
    await work.waitForSends(200)
    expect([...new Set(await work.stop())]).to.deep.equal([503])
    expect(await storedTexts(pair.standbyUrl, work.acknowledged)).to.deep.equal([...work.acknowledged].sort())
    expect(allReady - promoted).to.be.below(15_000 + start)
    const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`
    process.stdout.write(
      `    ${before} acknowledged before, ${work.acknowledged.length} in all, ${work.refused().length} refused; ` +
        `promoted ${seconds(promoted - killed)} after the kill, first send ${seconds(ready - promoted)} later, ` +
        `all processes ready ${seconds(allReady - promoted)} later\n`,
    )
  })

  it('a former primary that comes back gets no writes, not even of new processes', async () => {
    await pair.startFormerPrimary()
    const api = await startService('api', env)
    services.push(api)
    expect(api.output()).to.include('several servers of DATABASE_URL take writes')
    const text = 'where does this go?'
    const here = new Person('ada', api.url)
    here.cookie = ada.cookie
    await here.send('general', text)
    expect(await storedTexts(pair.standbyUrl, [text])).to.deep.equal([text])
    expect(await storedTexts(pair.primaryUrl, [text])).to.deep.equal([])
  })

  describe('a server that takes no writes any more', () => {
    let pool: pg.Pool
    beforeEach(async () => {
      // The former primary takes writes, the present one shall not.
      for (const url of [pair.primaryUrl, pair.standbyUrl])
        await ask(url, 'drop table if exists tries; create table tries (n int)')
      forgetPrimary(pair.url)
      pool = openPool(pair.url, { size: 4 })
      await Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(0.1)')))
      await forbidWrites(true)
    })
    afterEach(async () => {
      await pool.end()
      await forbidWrites(false)
    })

    async function forbidWrites(wanted: boolean) {
      await ask(pair.standbyUrl, `alter system set default_transaction_read_only = ${wanted}`)
      await ask(pair.standbyUrl, 'select pg_reload_conf()')
      await eventually(async () => {
        const { rows } = await ask(pair.standbyUrl, 'show default_transaction_read_only')
        expect(rows[0]).to.deep.equal({ default_transaction_read_only: wanted ? 'on' : 'off' })
      })
      // Its other sessions read the file at their next statement.
      await pause(200)
    }

    it('refuses a statement, which is repeated once at the primary', async () => {
      await pool.query('insert into tries values (1)')
      expect(await triesOn(pair.primaryUrl)).to.deep.equal([1])
    })

    it('refuses the first statement of a transaction, which is repeated once', async () => {
      let runs = 0
      await inTransaction(pool, async tx => {
        runs++
        await tx.query('insert into tries values (1)')
      })
      expect(runs).to.equal(2)
      expect(await triesOn(pair.primaryUrl)).to.deep.equal([1])
    })

    it('refuses a later statement of a transaction, which is not repeated; the connections are dropped', async () => {
      let runs = 0
      const work = inTransaction(pool, async tx => {
        runs++
        await tx.query('select 1')
        await tx.query('insert into tries values (1)')
      })
      expect(await work.catch((err: { code: string }) => err.code)).to.equal('25006')
      expect(runs).to.equal(1)
      expect(pool.idleCount).to.equal(0)
      await pool.query('insert into tries values (2)')
      expect(await triesOn(pair.primaryUrl)).to.deep.equal([2])
    })
  })

  async function becomesReady({ name, url }: RunningService) {
    await eventually(async () => {
      expect((await fetch(`${url}/readyz?stores`)).status, name).to.equal(200)
    }, 60_000)
  }

  async function triesOn(url: string): Promise<number[]> {
    const { rows } = await ask(url, 'select n from tries order by 1')
    return rows.map(row => row.n as number)
  }

  async function ask(url: string, statement: string, values?: unknown[]) {
    const client = new pg.Client(url)
    await client.connect()
    try {
      return (await client.query(statement, values)) as pg.QueryResult<Record<string, unknown>>
    } finally {
      await client.end()
    }
  }
})

describe('PostgreSQL with a standby, encrypted', function () {
  this.timeout(300_000)
  let backing: TestBacking
  let pair: PostgresPair
  const services: RunningService[] = []

  before(async () => {
    backing = await testBacking()
    pair = await startPostgresPair({ isEncrypted: true })
    const env = { ...backing.env, DATABASE_URL: pair.url, NODE_EXTRA_CA_CERTS: LOCAL_TLS }
    for (const name of ['api', 'events', 'janitor']) services.push(await startService(name, env))
  })
  after(async () => {
    await Promise.all(services.map(service => service.stop()))
    await pair?.stop()
    await backing?.drop()
  })

  /** By their names: those of pools, and of the schedule. */
  async function connections(url: string) {
    const client = new pg.Client(url)
    await client.connect()
    try {
      const { rows } = await client.query<{ name: string; ssl: boolean }>(
        `select distinct application_name as name, ssl
           from pg_stat_ssl
           join pg_stat_activity using (pid)
          where application_name like 'bothy%'
          order by name`,
      )
      return rows
    } finally {
      await client.end()
    }
  }

  it('has no connection in the clear, before and after a failover', async () => {
    const ada = await new Person('ada', services[0]!.url).signUp()
    const names = ['bothy api', 'bothy events', 'bothy janitor', 'bothy-janitor']
    const encrypted = names.map(name => ({ name, ssl: true }))
    await eventually(async () => expect(await connections(pair.primaryUrl)).to.deep.equal(encrypted))
    await pair.killPrimary()
    await pair.promote()
    await eventually(() => ada.send('general', 'after the failover'), 60_000)
    await eventually(async () => expect(await connections(pair.standbyUrl)).to.deep.equal(encrypted), 60_000)
  })

  it('is not used with a certificate that nobody trusts', async () => {
    const env = { ...backing.env, DATABASE_URL: pair.url, NODE_EXTRA_CA_CERTS: '' }
    const output = await startService('api', env).catch((err: Error) => err.message)
    expect(output).to.match(/self-signed certificate/)
  })
})
