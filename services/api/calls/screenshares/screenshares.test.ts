import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import type { ScreensharePayload } from '#shared/domain/payloads/calls.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('screen shares (interface 2.8, 3.2, 4.9, 5)', () => {
  let world: World
  let db: pg.Pool
  let ada: Person
  let bob: Person
  let cleo: Person
  let mallory: Person
  before(async () => {
    world = await newWorld({ apis: 2 })
    ;({ ada, bob, cleo, mallory } = world)
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 2 })
  })
  after(async () => {
    await db.end()
    await world.end()
  })
  afterEach(async () => {
    await db.query('delete from screen_shares')
  })

  const DM = 'dm:ada:bob'

  async function start(sharer: Person, channel = DM): Promise<string> {
    const response = await sharer.postJson('/screenshare/start', { channel })
    expect(response.status, await response.clone().text()).to.equal(200)
    return ((await response.json()) as { share_id: string }).share_id
  }
  const stop = (person: Person, share: string) =>
    told(person.fetch(`/screenshare/${share}/stop`, { method: 'POST' }))
  const active = (person: Person, channel = DM) =>
    person.get<ScreensharePayload[]>(`/screenshare/active?channel=${channel}`)
  const signal = (person: Person, share: string, to: string) =>
    told(person.postJson(`/screenshare/${share}/signal`, { to, type: 'offer', payload: { sdp: 'x' } }))
  async function told(response: Response | Promise<Response>) {
    const answer = await response
    const body = (await answer.json()) as { status?: string; error?: string }
    return `${answer.status} ${body.status ?? body.error}`
  }

  it('are listed for readers of the channel, including the sharer, oldest first', async () => {
    const first = await start(ada, 'dm:bob:ada')
    const second = await start(bob)
    for (const viewer of [ada, bob]) {
      const shares = await active(viewer)
      expect(shares.map(({ share_id, sharer }) => [share_id, sharer])).to.deep.equal([
        [first, 'ada'],
        [second, 'bob'],
      ])
      expect(Object.keys(shares[0]!)).to.have.members(['share_id', 'channel', 'sharer', 'started_ts'])
      expect(shares[0]!.channel).to.equal(DM)
      expect(shares[0]!.started_ts).to.be.closeTo(Date.now() / 1000, 5)
    }
    expect(await active(mallory)).to.deep.equal([])
  })

  it('are listed per channel, which is required', async () => {
    expect(await told(ada.fetch('/screenshare/active'))).to.equal('400 channel required')
    expect(await told(ada.fetch('/screenshare/active?channel='))).to.equal('400 channel required')
    expect(await told(ada.fetch('/screenshare/active?channel=a&channel=b'))).to.equal('400 channel required')
    expect(await active(ada, 'general')).to.deep.equal([])
    expect(await active(ada, 'no such')).to.deep.equal([])
    expect(await active(ada, 'private:999')).to.deep.equal([])
  })

  it('are for DMs and private channels of the sharer', async () => {
    const begin = (channel: unknown) => told(ada.postJson('/screenshare/start', { channel }))
    for (const channel of ['general', 'dm:bob:cleo', 'dm:ada', 'private:999', 'no such']) {
      expect(await begin(channel), channel).to.equal('403 access denied')
    }
    expect(await begin(undefined)).to.equal('400 channel required')
    expect(await begin(7)).to.equal('400 channel required')
    const den = await world.privateChannel('den', [ada, bob])
    const share = await start(ada, den)
    expect((await active(bob, den)).map(({ share_id }) => share_id)).to.deep.equal([share])
    expect(await active(cleo, den)).to.deep.equal([])
  })

  it('end when the same user starts another in the same channel', async () => {
    const group = 'dm:ada:bob:cleo'
    const [first, elsewhere, his] = [await start(ada), await start(ada, group), await start(bob)]
    await signal(bob, first, 'ada')
    const second = await start(ada)
    expect((await active(ada)).map(({ share_id }) => share_id)).to.deep.equal([his, second])
    expect((await active(ada, group)).map(({ share_id }) => share_id)).to.deep.equal([elsewhere])
    const { rows } = await db.query('select state, ended_ts from screen_shares where share_id = $1', [first])
    expect(rows[0].state).to.equal('ended')
    expect(rows[0].ended_ts).to.be.a('number')
    const left = await db.query('select from signals where session_id = $1', [first])
    expect(left.rowCount).to.equal(0)
  })

  it('are stopped by the sharer only, and stopping twice succeeds', async () => {
    const share = await start(ada)
    expect(await stop(bob, share)).to.equal('403 access denied')
    expect(await stop(mallory, share)).to.equal('403 access denied')
    expect(await active(bob)).to.have.length(1)
    expect(await stop(ada, share)).to.equal('200 ok')
    expect(await active(bob)).to.deep.equal([])
    expect(await stop(ada, share)).to.equal('200 ok')
    expect(await stop(bob, share)).to.equal('403 access denied')
    for (const unknown of [randomUUID(), 'x', '7', '%00']) {
      expect(await stop(ada, unknown)).to.equal('404 share not found')
    }
  })

  it('started concurrently on two processes leave one active', async function () {
    this.timeout(60_000)
    for (let round = 0; round < 25; round++) {
      const at = (api: number) =>
        fetch(`${world.api[api]!.url}/screenshare/start`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Cookie: ada.cookie },
          body: JSON.stringify({ channel: DM }),
        })
      const answers = await Promise.all([at(0), at(1), at(0), at(1)])
      const ids = await Promise.all(
        answers.map(async answer => ((await answer.json()) as { share_id: string }).share_id),
      )
      expect(answers.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200])
      const left = await active(bob)
      expect(left).to.have.length(1)
      expect(ids).to.include(left[0]!.share_id)
    }
  })

  describe('signals', () => {
    it('pass between a viewer and the sharer, both ways, and never between viewers', async () => {
      const group = 'dm:ada:bob:cleo'
      const share = await start(ada, group)
      expect(await signal(bob, share, 'ada')).to.equal('200 ok')
      expect(await signal(ada, share, 'bob')).to.equal('200 ok')
      expect(await signal(bob, share, 'cleo')).to.equal('403 access denied')
      expect(await signal(bob, share, 'bob')).to.equal('403 access denied')
      expect(await signal(ada, share, 'ada')).to.equal('403 access denied')
      expect(await signal(ada, share, 'mallory')).to.equal('403 access denied')
      expect(await signal(mallory, share, 'ada')).to.equal('403 access denied')

      const inbox = (person: Person) => person.get<{ from: string }[]>(`/screenshare/${share}/signals`)
      expect((await inbox(ada)).map(({ from }) => from)).to.deep.equal(['bob'])
      expect((await inbox(bob)).map(({ from }) => from)).to.deep.equal(['ada'])
      expect(await inbox(cleo)).to.deep.equal([])
      expect(await told(mallory.fetch(`/screenshare/${share}/signals`))).to.equal('403 access denied')
    })

    it('end with the share', async () => {
      const share = await start(ada)
      await signal(bob, share, 'ada')
      await stop(ada, share)
      expect(await ada.get(`/screenshare/${share}/signals`)).to.deep.equal([])
      expect(await signal(bob, share, 'ada')).to.equal('409 share is not active')
      expect(await signal(bob, randomUUID(), 'ada')).to.equal('404 share not found')
      expect(await told(bob.fetch('/screenshare/x/signals'))).to.equal('404 share not found')
    })

    it('are refused at once to users who have left the channel', async () => {
      const den = await world.privateChannel('den', [ada, bob, cleo])
      const share = await start(ada, den)
      expect(await signal(bob, share, 'ada')).to.equal('200 ok')
      await signal(ada, share, 'bob')
      await bob.leave(den)
      expect(await signal(bob, share, 'ada')).to.equal('403 access denied')
      expect(await signal(ada, share, 'bob')).to.equal('403 access denied')
      expect(await told(bob.fetch(`/screenshare/${share}/signals`))).to.equal('403 access denied')
      expect(await told(bob.fetch(`/screenshare/${share}/media`))).to.equal('403 access denied')
    })
  })

  describe('on an open tab', () => {
    let gateway: RunningService
    const tabs: Tab[] = []
    before(async () => {
      gateway = await startService('events', world.backing.env)
    })
    after(() => gateway.stop())
    afterEach(() => {
      for (const tab of tabs.splice(0)) tab.close()
    })

    it('a share appears, equal to the endpoint’s response, and disappears', async () => {
      const tab = await openTab(gateway.url, bob.cookie, { channel: DM })
      tabs.push(tab)
      await tab.waitFor(() => tab.lastText('screenshares') === '[]')
      const share = await start(ada)
      await tab.waitFor(() => tab.lastText('screenshares')?.includes(share))
      expect(tab.lastText('screenshares')).to.equal(
        await (await bob.fetch(`/screenshare/active?channel=${DM}`)).text(),
      )
      const next = await start(ada)
      await tab.waitFor(() => tab.lastText('screenshares')?.includes(next))
      expect(tab.lastText('screenshares')).to.not.include(share)
      await stop(ada, next)
      await tab.waitFor(() => tab.lastText('screenshares') === '[]')
    })
  })
})
