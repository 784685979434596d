import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import pg from 'pg'
import { eventually } from '#shared/test-kit/eventually.ts'
import { killableRedis } from '#shared/test-kit/killable-redis.ts'
import { PASSWORD, Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { type KillableStore, startKillablePostgres } from '../../dev-stores/postgres.ts'
import type { startKillableRedis } from '../../dev-stores/redis.ts'
import { temporaryFolder } from '../../processes/children.ts'

/**
 * Security 13, with killed store processes: acknowledged messages are stored once, others got 503; tabs show all of
 * them without a reload; sessions are lost only with the data of Redis. Uses its own stores, because it kills them.
 */
describe('when a store is killed under load and started again (interface 6)', function () {
  this.timeout(240_000)
  let postgres: KillableStore
  let redis: Awaited<ReturnType<typeof startKillableRedis>>
  let services: RunningService[] = []
  let env: Record<string, string>
  let ada: Person
  let bob: Person
  let tab: ReturnType<typeof browserTab>
  const { path: folder, remove } = temporaryFolder('bothy-restarts-')

  before(async function () {
    redis = await killableRedis(this)
    postgres = await startKillablePostgres()
    const settings = join(folder, 'settings.json')
    writeFileSync(settings, '{"rate_limit_enabled": false}')
    env = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      REDIS_PREFIX: 'bothy:',
      SESSION_SECRET: randomBytes(32).toString('hex'),
      FILES_URL: pathToFileURL(join(folder, 'files')).href,
      SETTINGS_FILE: settings,
      PASSWORD_ITERATIONS: '1000',
      LOG_LEVEL: 'fatal',
    }
    services = [await startService('api', env)]
    services.push(...(await Promise.all(['api', 'events', 'janitor'].map(name => startService(name, env)))))
    ada = await new Person('ada', services[0]!.url).signUp()
    bob = await new Person('bob', services[1]!.url).signUp()
    tab = browserTab(services[2]!.url, bob)
  })
  after(async () => {
    await tab?.close()
    await Promise.all(services.map(service => service.stop()))
    await Promise.all([postgres?.stop(), redis?.stop()])
    remove()
  })

  it('PostgreSQL, twice: 503 meanwhile, and every process recovers by itself', async () => {
    await bob.postJson('/presence/override', { override: 'idle' })
    const created = await ada.postJson('/private_channels/create', { name: 'mill', members: ['bob'] })
    const id = await ada.send(((await created.json()) as { channel: string }).channel, 'a row to edit')
    for (const round of ['first', 'second']) {
      const work = load(`postgres ${round}`, transactions(id))
      await work.waitForSends()
      await postgres.kill()
      await eventually(() => expect(work.refused.get(503) ?? 0).to.be.greaterThan(3), 60_000)
      await postgres.start()
      await work.waitForSends()
      await everyProcessReady()
      const { refused } = await work.stop()
      expect([...refused.keys()]).to.deep.equal([503])
      await expectAllThereOnce(work)
    }
    expect(tab.opened(), 'times that the tab was opened').to.equal(1)
    // This was no start of the service: nobody is set offline, no call is ended.
    expect(await bob.get('/presence/override')).to.deep.equal({ override: 'idle' })
    expect(await count('service_epochs')).to.equal(1)
  })

  it('Redis, with its data: nobody is signed out', async () => {
    const work = load('redis')
    await work.waitForSends()
    await redis.kill()
    // Recently seen sessions go on.
    await work.waitForSends()
    await redis.start()
    await everyProcessReady()
    await work.waitForSends()
    const { refused } = await work.stop()
    for (const status of refused.keys()) expect(status).to.equal(503)
    // A new process knows sessions only from Redis.
    const fresh = await startService('api', env)
    services.push(fresh)
    ada.at = fresh.url
    expect(await ada.get('/channels')).to.deep.equal(['general'])
    ada.at = services[0]!.url
    await expectAllThereOnce(work)
    expect(tab.opened(), 'times that the tab was opened').to.equal(1)
  })

  it('Redis, without its data: people sign in again, and nothing else is lost', async () => {
    const work = load('empty redis')
    await work.waitForSends()
    await redis.kill()
    redis.forget()
    await redis.start()
    await eventually(() => expect(work.refused.get(302) ?? 0).to.be.greaterThan(0), 60_000)
    await Promise.all([ada, bob].map(logIn))
    await work.waitForSends()
    await everyProcessReady()
    // Its session is gone: the gateway ends the stream at its next check, and the tab reconnects signed in.
    await eventually(() => expect(tab.opened(), 'times that the tab was opened').to.be.greaterThan(1), 60_000)
    const { refused } = await work.stop()
    expect([...refused.keys()].filter(status => status !== 503)).to.deep.equal([302])
    await expectAllThereOnce(work)
  })

  /** A sign-up and an edit in a private channel: transactions of several statements. */
  const transactions = (id: number) => () => {
    const cleo = somebody(services[1]!.url)
    const form = { username: cleo.name, password: PASSWORD, confirm_password: PASSWORD }
    return [cleo.postForm('/signup', form), ada.edit(id, 'edited')]
  }

  /** Sends numbered texts through both api processes until stopped, and repeats the requests `besides`. */
  function load(name: string, besides: () => Promise<Response>[] = () => []) {
    const acknowledged: string[] = []
    const refused = new Map<number, number>()
    let going = true
    const senders = [0, 1, 2].map(async sender => {
      for (let i = 0; going; i++) {
        const text = `${name} ${sender}/${i}.`
        const { status, headers } = await sendAt(services[sender % 2]!.url, text)
        if (status === 200) acknowledged.push(text)
        else refused.set(status, (refused.get(status) ?? 0) + 1)
        if (status === 503) expect(Number(headers.get('Retry-After'))).to.be.greaterThan(0)
        // Retries after a pause like a client, because refusals come fast.
        if (status !== 200) await new Promise(resolve => setTimeout(resolve, 50))
      }
    })
    const others = (async () => {
      while (going) {
        for (const answer of await Promise.all(besides())) {
          if (answer.status >= 400) refused.set(answer.status, (refused.get(answer.status) ?? 0) + 1)
        }
        await new Promise(resolve => setTimeout(resolve, 50))
      }
    })()
    const waitForSends = async () => {
      const before = acknowledged.length
      await eventually(() => expect(acknowledged.length).to.be.greaterThan(before + 15), 60_000)
    }
    const stop = async () => {
      going = false
      await Promise.all([...senders, others])
      return { refused }
    }
    return { acknowledged, refused, waitForSends, stop }
  }

  async function sendAt(url: string, text: string) {
    const response = await fetch(`${url}/send/general`, {
      method: 'POST',
      headers: { Cookie: ada.cookie },
      body: new URLSearchParams({ text }),
      redirect: 'manual',
      // No request may hang for longer.
      signal: AbortSignal.timeout(20_000),
    })
    await response.text()
    return response
  }

  async function everyProcessReady() {
    await eventually(async () => {
      for (const { name, url } of services)
        expect((await fetch(`${url}/readyz?stores`)).status, name).to.equal(200)
    }, 60_000)
  }

  async function expectAllThereOnce({ acknowledged }: { acknowledged: string[] }) {
    const stored = timesOf((await bob.messages('general')).map(row => row.content))
    for (const text of acknowledged) expect(stored.get(text), text).to.equal(1)
    await eventually(() => {
      const shown = timesOf(tab.texts())
      for (const text of acknowledged) expect(shown.get(text), text).to.equal(1)
    }, 60_000)
    for (const [text, times] of timesOf(tab.texts())) expect(times, String(text)).to.equal(1)
  }

  async function logIn(person: Person) {
    person.cookie = ''
    const response = await person.postForm('/login', { username: person.name, password: PASSWORD })
    expect(response.status).to.equal(302)
  }

  async function count(table: string) {
    const client = new pg.Client(postgres.url)
    await client.connect()
    try {
      const { rows } = await client.query(`select count(*) as count from ${table}`)
      return Number(rows[0].count)
    } finally {
      await client.end()
    }
  }
})

function timesOf(texts: (string | null)[]) {
  const times = new Map<string | null, number>()
  for (const text of texts) times.set(text, (times.get(text) ?? 0) + 1)
  return times
}

/** Reconnects as a browser does: when its stream ends, it opens another with the last event id. */
function browserTab(at: string, person: Person) {
  const streams: Tab[] = []
  let isOpen = true
  const running = (async () => {
    while (isOpen) {
      try {
        const lastEventId = streams.findLast(stream => stream.lastEventId !== undefined)?.lastEventId
        const options = { channel: 'general', ...(lastEventId !== undefined && { lastEventId }) }
        const stream = await openTab(at, person.cookie, options)
        streams.push(stream)
        await stream.ended
      } catch {
        // Refused: retries.
      }
      await new Promise(resolve => setTimeout(resolve, 100))
    }
  })()
  return {
    opened: () => streams.length,
    texts: () => streams.flatMap(stream => stream.rows().map(row => row.content)),
    async close() {
      isOpen = false
      streams.at(-1)?.close()
      await running
    },
  }
}
