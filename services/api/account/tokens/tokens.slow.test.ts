import { expect } from 'chai'
import pg from 'pg'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { TokenPayload } from '#shared/domain/payloads/tokens.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { programOf } from '#shared/test-kit/program.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('tokens over time (interface 19)', function () {
  this.timeout(60_000)
  let world: World
  let gateway: RunningService
  let db: pg.Client
  let ada: Person
  let bob: Person
  before(async () => {
    world = await newWorld()
    ;({ ada, bob } = world)
    gateway = await startService('events', world.backing.env)
    db = new pg.Client(world.backing.adminDatabaseUrl)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await gateway.stop()
    await world.end()
  })

  it('end when they expire, their streams at the next check', async () => {
    const program = await programOf(ada)
    const tab = await openTab(gateway.url, '', { token: program.token })
    await program.get('/me')
    await db.query(
      'update api_tokens set expires_ts = extract(epoch from clock_timestamp()) - 1 where id = $1',
      [program.id],
    )
    // Only a test changes the row; processes know the time of the end.
    await eventually(async () => expect((await program.fetch('/me')).status).to.equal(401), 15_000)
    await eventually(() => expect(tab.isOpen).to.equal(false), 20_000)
    const [listed] = (await ada.get<TokenPayload[]>('/tokens')).filter(token => token.id === program.id)
    expect(listed!.ended).to.equal('expired')
  })

  it('pause while their person is renamed, and act under the new name afterwards', async () => {
    const kim = await somebody(world.api[0]!.url).signUp()
    await kim.send(`dm:${[kim.name, 'bob'].sort().join(':')}`, 'hi')
    const program = await programOf(kim, { scopes: ['write'] })
    const limited = await programOf(bob, { channels_only: [`dm:${[kim.name, 'bob'].sort().join(':')}`] })
    const tab = await openTab(gateway.url, '', { token: program.token })
    const renamed = `${kim.name}-r`
    const asked = await ada.postJson(`/admin/people/${kim.name}/rename`, { username: renamed })
    expect(asked.status, await asked.clone().text()).to.equal(202)
    const waiting = await program.fetch('/me')
    expect(waiting.status).to.equal(503)
    expect(await waiting.json()).to.include({ code: 'unavailable' })
    expect(waiting.headers.get('Retry-After')).to.equal('1')
    await eventually(() => expect(tab.isOpen).to.equal(false))
    const janitor = await startService('janitor', world.backing.env)
    try {
      await eventually(async () => expect((await program.get<MePayload>('/me')).username).to.equal(renamed))
      const dm = `dm:${[renamed, 'bob'].sort().join(':')}`
      await eventually(
        async () => expect((await limited.fetch(`/messages/${dm}`)).status).to.equal(200),
        15_000,
      )
      expect(
        (await bob.get<TokenPayload[]>('/tokens')).find(({ id }) => id === limited.id)!.channels_only,
      ).to.deep.equal([dm])
    } finally {
      await janitor.stop()
    }
  })
})
