import { expect } from 'chai'
import pg from 'pg'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { sendersOf } from '#shared/test-kit/senders.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

const SENDERS = 80
const SENDS = 600

/** The sums of the table "How many connections" in docs/operations.md. */
describe('the connections to PostgreSQL', function () {
  this.timeout(240_000)
  let backing: TestBacking
  let services: RunningService[] = []

  beforeEach(async () => {
    backing = await testBacking()
  })
  afterEach(async () => {
    await Promise.all(services.map(service => service.stop()))
    services = []
    await backing.drop()
  })

  for (const [size, apis, events, janitors] of [
    [10, 1, 1, 1],
    [10, 3, 2, 2],
    [5, 3, 2, 2],
  ] as const) {
    it(`of ${apis} api, ${events} events and ${janitors} janitor stay below pool size ${size} for each`, async () => {
      const names = [
        ...Array<string>(apis).fill('api'),
        ...Array<string>(events).fill('events'),
        ...Array<string>(janitors).fill('janitor'),
      ]
      const env = { ...backing.env, DATABASE_POOL_SIZE: String(size) }
      for (const name of names) services.push(await startService(name, env))
      const urls = services.filter(({ name }) => name === 'api').map(({ url }) => url)
      const ada = await new Person('ada', urls[0]!).signUp()
      const work = sendersOf(ada, urls, SENDERS)
      const most = await mostWhile(work.waitForSends(SENDS))
      await work.stop()
      expect(most['bothy api'], 'api').to.be.within(1, apis * size)
      expect(most['bothy events'], 'events').to.be.within(1, events * size)
      expect(most['bothy janitor'], 'janitor').to.be.within(1, janitors * size)
      expect(most['bothy-janitor'], 'schedule').to.be.within(1, janitors * 3)
      process.stdout.write(`    at most ${JSON.stringify(most)}, together ${most['all']}\n`)
    })
  }

  /** The largest number of sessions by name, and of all together, until `work` is done. */
  async function mostWhile(work: Promise<void>): Promise<Record<string, number>> {
    let isDone = false
    const done = work.finally(() => {
      isDone = true
    })
    const most: Record<string, number> = {}
    const client = new pg.Client(backing.adminDatabaseUrl)
    await client.connect()
    try {
      while (!isDone) {
        const { rows } = await client.query<{ name: string | null; n: number }>(
          `select coalesce(application_name, 'all') as name, count(*)::int as n
             from pg_stat_activity
            where datname = current_database() and application_name like 'bothy%'
            group by rollup (application_name)`,
        )
        for (const { name, n } of rows) most[name!] = Math.max(most[name!] ?? 0, n)
      }
    } finally {
      await client.end()
    }
    await done
    return most
  }
})
