import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { NewCallPayload } from '#shared/rules/payloads.ts'
import { openPool } from '#shared/stores/postgres.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, type Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openTab } from '#shared/test-kit/tab.ts'

/** Interface 1 and 3: «service start»; security 13, last row of the faults. */
describe('the start of the service (interface 1, 3.1, 3.2, 3.3)', () => {
  let backing: TestBacking
  let pool: ReturnType<typeof openPool>
  const running = new Set<RunningService>()

  beforeEach(async () => {
    backing = await testBacking()
    pool = openPool(backing.env.DATABASE_URL, 2)
  })

  afterEach(async () => {
    await stop(...running)
    await pool.end()
    await backing.drop()
  })

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

  /** Two people in a call, with a share, an override and things that wait to be fetched. */
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
  type Office = Awaited<ReturnType<typeof livelyOffice>>

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

  it('is one, however many processes start at once, and in any order', async () => {
    await start('janitor', 'api', 'api', 'janitor')
    expect(await starts()).to.equal(1)
  })

  it('sets everybody offline, ends calls and shares, and purges what waited', async () => {
    const [api, janitor] = await start('api', 'janitor')
    const office = await livelyOffice(api!)
    expect(await whatIs(office, api!)).to.deep.equal(lively)
    await stop(api!, janitor!)

    const [again] = await start('api', 'api', 'janitor')
    expect(await starts()).to.equal(2)
    expect(await whatIs(office, again!)).to.deep.equal(reset)
  })

  it('needs no janitor: an api alone resets before it is ready', async () => {
    const [api] = await start('api')
    const office = await livelyOffice(api!)
    await stop(api!)
    const [again] = await start('api')
    expect(await whatIs(office, again!)).to.deep.equal(reset)
  })

  it('is not the restart of one api, of its janitor, or of one after the other', async () => {
    const [one, other, janitor] = await start('api', 'api', 'janitor')
    const office = await livelyOffice(one!)
    await stop(one!)
    const [third] = await start('api')
    await stop(other!)
    await stop(janitor!)
    await start('janitor')
    await kill(third!)
    const [last] = await start('api')
    expect(await whatIs(office, last!)).to.deep.equal(lively)
    expect(await starts()).to.equal(1)
  })

  it('is not told by Redis, which may be emptied while everything runs', async () => {
    const [api] = await start('api', 'janitor')
    const office = await livelyOffice(api!)
    const tables = await pool.query('select service from replicas order by service')
    expect(tables.rows).to.deep.equal([{ service: 'api' }, { service: 'janitor' }])
    await stop(api!)
    // Another prefix is another, empty Redis.
    const [again] = await startIn({ REDIS_PREFIX: `${backing.env.REDIS_PREFIX}other:` }, 'api')
    const bob = await logIn(office.bob, again!)
    const { rows } = await pool.query('select state from calls')
    expect(rows).to.deep.equal([{ state: 'active' }])
    expect(await bob.get('/presence/override')).to.deep.equal({ override: 'active' })
  })

  it('is known by its name when all were killed a moment ago', async () => {
    const [api, janitor] = await startIn({ STACK_ID: randomUUID() }, 'api', 'janitor')
    const office = await livelyOffice(api!)
    await kill(api!, janitor!)
    const [again] = await startIn({ STACK_ID: randomUUID() }, 'api', 'janitor')
    expect(await starts()).to.equal(2)
    expect(await whatIs(office, again!)).to.deep.equal(reset)
  })

  it('waits for those who fell silent a moment ago: only the database may have been away', async function () {
    this.timeout(30_000)
    const [api] = await start('api')
    const office = await livelyOffice(api!)
    // As if it had not been able to say that it lives; its next beat comes within five seconds.
    await pool.query('update replicas set beat_ts = beat_ts - 20')
    const [second] = await start('api')
    expect(await whatIs(office, second!)).to.deep.equal(lively)
    expect(await starts()).to.equal(1)

    await kill(api!, second!)
    await pool.query('update replicas set beat_ts = beat_ts - 20')
    const [third] = await start('api')
    expect(await starts()).to.equal(2)
    expect(await whatIs(office, third!)).to.deep.equal(reset)
  })

  it('is seen on tabs that are still open at a gateway', async () => {
    const [api, gateway] = await start('api', 'events')
    const { bob, dm } = await livelyOffice(api!)
    const tab = await openTab(gateway!.url, bob.cookie, { channel: dm })
    await tab.eventsUntil('screenshares')
    await stop(api!)
    await start('api')
    await eventually(() => {
      expect(tab.last.screenshares).to.deep.equal([])
      expect(Object.values(tab.last.online_users ?? {})).to.deep.equal(['offline', 'offline'])
      expect(tab.rows().map(row => row.content)).to.deep.equal(['Call, 1 min.'])
    })
    tab.close()
  })

  async function logIn(person: Person, api: RunningService) {
    person.at = api.url
    person.cookie = ''
    const response = await person.postForm('/login', { username: person.name, password: PASSWORD })
    expect(response.status).to.equal(302)
    return person
  }
})
