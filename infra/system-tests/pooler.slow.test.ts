import { once } from 'node:events'
import { join } from 'node:path'
import { expect } from 'chai'
import pg from 'pg'
import { ROOT } from '#shared/runtime/config.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import type { KillableStore } from '../dev-stores/postgres.ts'
import { environmentOf, programOf, startChild } from '../processes/children.ts'
import { NoPgBouncer, startPgBouncer } from './pgbouncer.fixture.ts'

const SERVICES = ['api', 'api', 'events', 'janitor', 'janitor']
const SENDERS = 12

/** A real PgBouncer in transaction mode with four connections to the server. */
describe('behind a connection pooler', function () {
  this.timeout(240_000)
  let backing: TestBacking
  const poolers: KillableStore[] = []
  const services: RunningService[] = []
  const serve = async (options?: Parameters<typeof startPgBouncer>[1]) => {
    const pooler = await startPgBouncer(backing.env.DATABASE_URL, options)
    poolers.push(pooler)
    return pooler
  }

  before(async function () {
    backing = await testBacking()
    try {
      await serve()
    } catch (err) {
      if (err instanceof NoPgBouncer) this.skip()
      throw err
    }
  })
  after(async () => {
    await Promise.all(services.map(service => service.stop()))
    await Promise.all(poolers.map(pooler => pooler.stop()))
    await backing?.drop()
  })

  /** The faults with which a process ends at its start. */
  async function faultsOf(name: string, env: object) {
    const child = startChild(process.execPath, [join(ROOT, programOf(name))], {
      cwd: ROOT,
      env: environmentOf(name, {
        ...process.env,
        LISTEN_HOST: '127.0.0.1',
        ...backing.env,
        PORT: '0',
        ...env,
      }),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', text => {
        output += text
      })
    const [code] = await once(child, 'close')
    expect(code, output).to.equal(1)
    const line = output.split('\n').find(text => text.includes('configuration not usable'))
    return (JSON.parse(line ?? '{}') as { faults?: string[] }).faults
  }

  const withoutDirect = [
    'DATABASE_URL leads to a connection pooler. Name the server itself in DATABASE_DIRECT_URL, for migrations and the schedule.',
  ]

  it('every process ends with a sentence if the address of the server itself is missing', async () => {
    const lenient = await serve({ limits: false, settings: ['ignore_startup_parameters = options'] })
    for (const url of [poolers[0]!.url, lenient.url])
      for (const name of ['api', 'events', 'janitor'])
        expect(await faultsOf(name, { DATABASE_URL: url }), name).to.deep.equal(withoutDirect)
  })

  it('every process ends with a sentence if the connections have no time limits', async () => {
    const { url } = await serve({ limits: false })
    const env = { DATABASE_URL: url, DATABASE_DIRECT_URL: backing.env.DATABASE_URL }
    for (const name of ['api', 'events', 'janitor'])
      expect(await faultsOf(name, env), name).to.deep.equal([
        'DATABASE_URL: the connections of the pooler have no idle_in_transaction_session_timeout, lock_timeout, statement_timeout. Set them in connect_query, as “A connection pooler” in docs/operations.md says.',
      ])
  })

  it('nothing fails under load, and no lock of a session stays', async () => {
    const env = {
      ...backing.env,
      DATABASE_URL: poolers[0]!.url,
      DATABASE_DIRECT_URL: backing.env.DATABASE_URL,
    }
    for (const name of SERVICES) services.push(await startService(name, env))
    const ada = await new Person('ada', services[0]!.url).signUp()
    const work = load(ada)
    await work.waitForSends(150)
    // Starts take the locks of migrations and schedule.
    for (const name of ['api', 'janitor']) services.push(await startService(name, env))
    const cleo = somebody(services[1]!.url)
    const form = { username: cleo.name, password: PASSWORD, confirm_password: PASSWORD }
    expect((await cleo.postForm('/signup', form)).status).to.equal(302)
    const found = await fetch(`${services[1]!.url}/search_messages?q=numbered`, {
      headers: { Cookie: ada.cookie },
    })
    expect(found.status, await found.text()).to.equal(200)
    await work.waitForSends(150)
    expect(await work.stop()).to.deep.equal([])
    await expectAllStoredOnce(work.acknowledged)
    await eventually(async () => {
      expect(
        await ask(`select count(*)::int as n from pg_locks where locktype = 'advisory'
        and database = (select oid from pg_database where datname = current_database())`),
      ).to.equal(0)
    }, 60_000)
    // The pooler has four sessions, which may all have the name of the janitor; those of pg-boss have one of their own.
    expect(
      await ask(`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and application_name in ('bothy api', 'bothy events')`),
    ).to.be.at.most(4)
  })

  it('its end is a 503, and every process goes on when it is back', async () => {
    const ada = new Person('ada', services[0]!.url)
    expect((await ada.postForm('/login', { username: 'ada', password: PASSWORD })).status).to.equal(302)
    const work = load(ada)
    await work.waitForSends(20)
    await poolers[0]!.kill()
    await eventually(() => expect(work.refused()).to.include(503), 60_000)
    await poolers[0]!.start()
    await work.waitForSends(50)
    expect([...new Set(await work.stop())]).to.deep.equal([503])
    await expectAllStoredOnce(work.acknowledged)
    await eventually(async () => {
      for (const { name, url } of services)
        expect((await fetch(`${url}/readyz?stores`)).status, name).to.equal(200)
    }, 60_000)
  })

  /** Sends numbered texts through the first two api processes until stopped. */
  function load(ada: Person) {
    const acknowledged: string[] = []
    const refused: number[] = []
    const run = Math.random().toString(36).slice(2)
    let going = true
    const senders = Array.from({ length: SENDERS }, async (_, sender) => {
      for (let i = 0; going; i++) {
        const text = `numbered ${run} ${sender}/${i}`
        const response = await fetch(`${services[sender % 2]!.url}/send/general`, {
          method: 'POST',
          headers: { Cookie: ada.cookie },
          body: new URLSearchParams({ text }),
          redirect: 'manual',
          signal: AbortSignal.timeout(30_000),
        })
        await response.text()
        if (response.status === 200) acknowledged.push(text)
        else {
          refused.push(response.status)
          await new Promise(resolve => setTimeout(resolve, 50))
        }
      }
    })
    return {
      acknowledged,
      refused: () => refused,
      async waitForSends(more: number) {
        const before = acknowledged.length
        await eventually(() => expect(acknowledged.length).to.be.at.least(before + more), 60_000)
      },
      async stop() {
        going = false
        await Promise.all(senders)
        return refused
      },
    }
  }

  async function expectAllStoredOnce(texts: string[]) {
    const client = new pg.Client(backing.env.DATABASE_URL)
    await client.connect()
    try {
      const { rows } = await client.query<{ content: string }>(
        `select content from messages where content = any($1)`,
        [texts],
      )
      expect(rows.map(row => row.content).sort()).to.deep.equal([...texts].sort())
    } finally {
      await client.end()
    }
  }

  async function ask(statement: string): Promise<number> {
    const client = new pg.Client(backing.env.DATABASE_URL)
    await client.connect()
    try {
      return (await client.query<{ n: number }>(statement)).rows[0]!.n
    } finally {
      await client.end()
    }
  }
})
