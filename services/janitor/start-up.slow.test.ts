import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pLimit from 'p-limit'
import type { NewCallPayload } from '#shared/domain/payloads/calls.ts'
import { openPool } from '#shared/stores/postgres.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, type Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { testBacking } from '#shared/test-kit/stores.ts'
import { openTab } from '#shared/test-kit/tab.ts'

const lively = {
  presence: ['active', 'active'],
  override: 'active',
  call: 'active',
  shares: 1,
  signals: 1,
  media: 1,
  lines: [],
}
const reset = {
  presence: ['offline', 'offline'],
  override: null,
  call: 'ended',
  shares: 0,
  signals: 0,
  media: 0,
  lines: ['Call, 1 min.'],
}

interface Office {
  ada: Person
  bob: Person
  dm: string
  call: string
}

type Scene = Awaited<ReturnType<typeof newScene>>

/** Creates a separate installation that has never been started. */
async function newScene() {
  const backing = await testBacking()
  const pool = openPool(backing.env.DATABASE_URL, { size: 2 })
  const running = new Set<RunningService>()

  async function end() {
    await stop(...running)
    await pool.end()
    await backing.drop()
  }

  async function start(...names: string[]): Promise<RunningService[]> {
    return startIn({}, ...names)
  }
  async function startIn(env: object, ...names: string[]): Promise<RunningService[]> {
    return Promise.all(
      names.map(async name => {
        const service = await startService(name, { ...backing.env, ...env })
        running.add(service)
        return service
      }),
    )
  }
  async function stop(...services: RunningService[]) {
    for (const service of services) running.delete(service)
    await Promise.all(services.map(service => service.stop()))
  }
  async function kill(...services: RunningService[]) {
    for (const service of services) running.delete(service)
    await Promise.all(services.map(service => service.kill()))
  }
  const starts = async () => (await pool.query('select from service_epochs')).rowCount

  /** Sets up two people in a call, with a share, an override, and signals and media to fetch. */
  async function livelyOffice(api: RunningService) {
    const [ada, bob] = await Promise.all([somebody(api.url).signUp(), somebody(api.url).signUp()])
    const dm = `dm:${[ada.name, bob.name].toSorted().join(':')}`
    await ada.postJson('/presence', { state: 'active' })
    await bob.postJson('/presence', { state: 'idle' })
    await bob.postJson('/presence/override', { override: 'active' })
    const response = await ada.postJson('/calls/initiate', { channel: dm })
    const { call_id } = (await response.json()) as NewCallPayload
    await bob.postJson(`/calls/${call_id}/accept`, {})
    await ada.postJson(`/calls/${call_id}/signal`, { to: bob.name, type: 'offer', payload: { sdp: 'x' } })
    expect((await ada.postJson('/screenshare/start', { channel: dm })).status).to.equal(200)
    await pool.query(`insert into media_chunks (session_id, sender, data, ts) values ($1, $2, 'x', $3)`, [
      call_id,
      ada.name,
      Date.now() / 1000,
    ])
    return { ada, bob, dm, call: call_id }
  }
  async function whatIs({ ada, bob, dm, call }: Office, api: RunningService) {
    for (const person of [ada, bob]) person.at = api.url
    const online = await ada.get<Record<string, string>>('/online_users')
    const shares = await ada.get<unknown[]>(`/screenshare/active?channel=${dm}`)
    return {
      presence: [online[ada.name], online[bob.name]],
      override: (await bob.get<{ override: string | null }>('/presence/override')).override,
      call: (await ada.get<{ state: string }>(`/calls/${call}/state`)).state,
      shares: shares.length,
      signals: (await pool.query('select from signals')).rowCount,
      media: (await pool.query('select from media_chunks')).rowCount,
      lines: (await ada.messages(dm)).map(row => row.content),
    }
  }

  return { backing, pool, start, startIn, stop, kill, starts, livelyOffice, whatIs, end }
}

/** Tests in parallel: they mostly wait for processes and time-outs. */
const AT_ONCE = 3

function atOnce(tests: Record<string, (scene: Scene) => Promise<void>>) {
  const limit = pLimit(AT_ONCE)
  const runs = new Map<string, Promise<void>>()
  before(() => {
    for (const [name, run] of Object.entries(tests)) {
      const running = limit(async () => {
        const scene = await newScene()
        try {
          await run(scene)
        } finally {
          await scene.end()
        }
      })
      running.catch(() => {})
      runs.set(name, running)
    }
  })
  for (const name of Object.keys(tests)) it(name, () => runs.get(name))
}

async function logIn(person: Person, api: RunningService) {
  person.at = api.url
  person.cookie = ''
  const response = await person.postForm('/login', { username: person.name, password: PASSWORD })
  expect(response.status).to.equal(302)
  return person
}

/** Interface 1 and 3: «service start»; security 13, last row of the faults. */
describe('the start of the service (interface 1, 3.1, 3.2, 3.3)', function () {
  this.timeout(180_000)
  atOnce({
    // First, because it takes longest.
    'waits for processes that stopped beating a moment ago: the database may have been away': async scene => {
      const [api] = await scene.start('api')
      const office = await scene.livelyOffice(api!)
      // As if its heartbeat had failed; the next one comes within five seconds.
      await scene.pool.query('update replicas set beat_ts = beat_ts - 20')
      const [second] = await scene.start('api')
      expect(await scene.whatIs(office, second!)).to.deep.equal(lively)
      expect(await scene.starts()).to.equal(1)

      await scene.kill(api!, second!)
      await scene.pool.query('update replicas set beat_ts = beat_ts - 20')
      const [third] = await scene.start('api')
      expect(await scene.starts()).to.equal(2)
      expect(await scene.whatIs(office, third!)).to.deep.equal(reset)
    },

    'does not happen after a long database outage, because surviving processes beat again': async scene => {
      const [api] = await scene.start('api')
      const office = await scene.livelyOffice(api!)
      await scene.pool.query('update replicas set beat_ts = beat_ts - 3600')
      const [janitor] = await scene.start('janitor')
      expect(await scene.whatIs(office, api!)).to.deep.equal(lively)
      expect(await scene.starts()).to.equal(1)
      await scene.stop(janitor!)
    },

    'happens once, however many processes start together, in any order': async scene => {
      await scene.start('janitor', 'api', 'api', 'janitor')
      expect(await scene.starts()).to.equal(1)
    },

    'sets everybody offline, ends calls and shares, and purges signals and media': async scene => {
      const [api, janitor] = await scene.start('api', 'janitor')
      const office = await scene.livelyOffice(api!)
      expect(await scene.whatIs(office, api!)).to.deep.equal(lively)
      await scene.stop(api!, janitor!)

      const [again] = await scene.start('api', 'api', 'janitor')
      expect(await scene.starts()).to.equal(2)
      expect(await scene.whatIs(office, again!)).to.deep.equal(reset)
    },

    'needs no janitor: an api alone resets before it is ready': async scene => {
      const [api] = await scene.start('api')
      const office = await scene.livelyOffice(api!)
      await scene.stop(api!)
      const [again] = await scene.start('api')
      expect(await scene.whatIs(office, again!)).to.deep.equal(reset)
    },

    'does not happen when processes restart one after the other': async scene => {
      const [one, other, janitor] = await scene.start('api', 'api', 'janitor')
      const office = await scene.livelyOffice(one!)
      await scene.stop(one!)
      const [third] = await scene.start('api')
      await scene.stop(other!)
      await scene.stop(janitor!)
      await scene.start('janitor')
      await scene.kill(third!)
      const [last] = await scene.start('api')
      expect(await scene.whatIs(office, last!)).to.deep.equal(lively)
      expect(await scene.starts()).to.equal(1)
    },

    'does not depend on Redis, which may be emptied at run time': async scene => {
      const [api] = await scene.start('api', 'janitor')
      const office = await scene.livelyOffice(api!)
      const tables = await scene.pool.query('select service from replicas order by service')
      expect(tables.rows).to.deep.equal([{ service: 'api' }, { service: 'janitor' }])
      await scene.stop(api!)
      // A different prefix stands for an emptied Redis.
      const [again] = await scene.startIn({ REDIS_PREFIX: `${scene.backing.env.REDIS_PREFIX}other:` }, 'api')
      const bob = await logIn(office.bob, again!)
      const { rows } = await scene.pool.query('select state from calls')
      expect(rows).to.deep.equal([{ state: 'active' }])
      expect(await bob.get('/presence/override')).to.deep.equal({ override: 'active' })
    },

    'is recognised by a new stack id right after all processes were killed': async scene => {
      const [api, janitor] = await scene.startIn({ STACK_ID: randomUUID() }, 'api', 'janitor')
      const office = await scene.livelyOffice(api!)
      await scene.kill(api!, janitor!)
      const [again] = await scene.startIn({ STACK_ID: randomUUID() }, 'api', 'janitor')
      expect(await scene.starts()).to.equal(2)
      expect(await scene.whatIs(office, again!)).to.deep.equal(reset)
    },

    'reaches tabs that are still open at a gateway': async scene => {
      const [api, gateway] = await scene.start('api', 'events')
      const { bob, dm } = await scene.livelyOffice(api!)
      const tab = await openTab(gateway!.url, bob.cookie, { channel: dm })
      await tab.eventsUntil('screenshares')
      await scene.stop(api!)
      await scene.start('api')
      await eventually(() => {
        expect(tab.last.screenshares).to.deep.equal([])
        expect(Object.values(tab.last.online_users ?? {})).to.deep.equal(['offline', 'offline'])
        expect(tab.rows().map(row => row.content)).to.deep.equal(['Call, 1 min.'])
      })
      tab.close()
    },
  })
})
