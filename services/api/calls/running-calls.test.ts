import { expect } from 'chai'
import pg from 'pg'
import { RING_TIME } from '#shared/domain/calls.ts'
import type { NewCallPayload, RunningCallPayload } from '#shared/domain/payloads/calls.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('running calls (interface 12.4)', () => {
  let world: World
  let db: pg.Pool
  let gateway: RunningService
  let ada: Person
  let bob: Person
  let cleo: Person
  let mallory: Person
  const tabs: Tab[] = []
  before(async () => {
    world = await newWorld()
    ;({ ada, bob, cleo, mallory } = world)
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 2 })
    gateway = await startService('events', world.backing.env)
  })
  after(async () => {
    await gateway.stop()
    await db.end()
    await world.end()
  })
  afterEach(async () => {
    for (const tab of tabs.splice(0)) tab.close()
    await db.query('delete from calls')
  })

  const DM = 'dm:ada:bob'
  const GROUP = 'dm:ada:bob:cleo'

  async function initiate(caller: Person, channel: string, video?: boolean): Promise<RunningCallPayload> {
    const response = await caller.postJson('/calls/initiate', { channel, video })
    const { call_id } = (await response.json()) as NewCallPayload
    return (await running(caller)).find(call => call.call_id === call_id)!
  }
  const act = async (person: Person, { call_id }: RunningCallPayload, verb: string, body = {}) => {
    const response = await person.postJson(`/calls/${call_id}/${verb}`, body)
    expect(response.status, verb).to.equal(200)
  }
  const running = (person: Person) => person.get<RunningCallPayload[]>('/running_calls')
  const idsFor = async (person: Person) => (await running(person)).map(({ call_id }) => call_id)
  const ringFor = async (person: Person) => (await running(person))[0]?.rings_until
  async function age({ call_id }: RunningCallPayload, seconds: number) {
    await db.query('update calls set started_ts = started_ts - $2 where call_id = $1', [call_id, seconds])
    await db.query('update call_participants set invited_ts = invited_ts - $2 where call_id = $1', [
      call_id,
      seconds,
    ])
  }

  it('are those of the viewer’s channels, with the people who are in them or asked', async () => {
    const call = await initiate(ada, GROUP, true)
    expect(call).to.deep.equal({
      call_id: call.call_id,
      channel: GROUP,
      initiator: 'ada',
      state: 'ringing',
      video: true,
      started_ts: call.started_ts,
      answered_ts: null,
      rings_until: null,
      participants: [
        { username: 'ada', state: 'accepted' },
        { username: 'bob', state: 'pending' },
        { username: 'cleo', state: 'pending' },
      ],
    })
    expect(await running(bob)).to.deep.equal([{ ...call, rings_until: call.started_ts + RING_TIME }])
    expect(await running(mallory)).to.deep.equal([])
    const other = await initiate(bob, DM)
    expect(other.video).to.equal(false)
    expect(await idsFor(ada)).to.deep.equal([call.call_id, other.call_id])
    expect(await idsFor(cleo)).to.deep.equal([call.call_id])
    await act(ada, call, 'end')
    expect(await idsFor(cleo)).to.deep.equal([])
  })

  it('ring on for the others when somebody has answered, until each answers or declines', async () => {
    const call = await initiate(ada, GROUP)
    await act(bob, call, 'accept')
    expect(await cleo.get('/calls/incoming')).to.deep.equal([])
    expect(await ringFor(cleo)).to.equal(call.started_ts + RING_TIME)
    expect(await ringFor(bob)).to.equal(null)
    await act(cleo, call, 'reject')
    const [after] = await running(cleo)
    expect(after).to.include({ state: 'active', rings_until: null })
    expect(after!.participants.map(({ username }) => username)).to.deep.equal(['ada', 'bob'])
  })

  it('ring for thirty seconds from their start, or from a later invitation', async () => {
    const call = await initiate(ada, GROUP)
    await act(bob, call, 'accept')
    await age(call, 31)
    expect(await ringFor(cleo)).to.equal(null)
    await act(ada, call, 'invite', { username: 'mallory' })
    await act(ada, call, 'invite', { username: 'cleo' })
    for (const person of [cleo, mallory]) {
      expect(await ringFor(person)).to.be.closeTo(Date.now() / 1000 + RING_TIME, 5)
    }
  })

  it('that nobody has answered in time are not listed, even before the janitor ends them', async () => {
    const call = await initiate(ada, GROUP)
    await age(call, 31)
    expect(await running(ada)).to.deep.equal([])
  })

  it('are shown to guests while they take part or are asked, and to members who joined later', async () => {
    const den = await world.privateChannel('den', [ada, bob])
    const call = await initiate(ada, den)
    await act(bob, call, 'accept')
    await act(ada, call, 'invite', { username: 'mallory' })
    expect(await idsFor(mallory)).to.deep.equal([call.call_id])
    await act(mallory, call, 'reject')
    expect(await idsFor(mallory)).to.deep.equal([])
    await ada.addMember(den, 'cleo')
    expect(await idsFor(cleo)).to.deep.equal([call.call_id])
    await cleo.leave(den)
    expect(await idsFor(cleo)).to.deep.equal([])
  })

  describe('as an event', () => {
    async function tabOf(person: Person) {
      const tab = await openTab(gateway.url, person.cookie, { deltas: ['running_calls'] })
      tabs.push(tab)
      await tab.waitFor(() => shown(tab))
      return tab
    }
    const shown = (tab: Tab) => tab.last.running_calls
    const ring = (tab: Tab) => shown(tab)?.[0]?.rings_until

    it('reach the tabs that ask for them, of everybody in the channel', async () => {
      const plain = await openTab(gateway.url, bob.cookie)
      tabs.push(plain)
      const [his, hers, theirs] = [await tabOf(bob), await tabOf(cleo), await tabOf(mallory)]
      const call = await initiate(ada, GROUP)
      await Promise.all([his, hers].map(tab => tab.waitFor(() => ring(tab))))
      await act(bob, call, 'accept')
      await his.waitFor(() => ring(his) === null)
      await hers.waitFor(() => shown(hers)?.[0]?.state === 'active' && ring(hers))
      await act(cleo, call, 'reject')
      await Promise.all([his, hers].map(tab => tab.waitFor(() => shown(tab)?.[0]?.participants.length === 2)))
      await act(ada, call, 'end')
      await Promise.all([his, hers].map(tab => tab.waitFor(() => shown(tab)?.length === 0)))
      expect(theirs.framesOf('running_calls').map(({ data }) => data)).to.deep.equal(['[]'])
      expect(plain.events()).to.not.include('running_calls')
    })

    it('change by themselves when the ring of one is over', async () => {
      const call = await initiate(ada, GROUP)
      await act(bob, call, 'accept')
      await age(call, 27)
      const hers = await tabOf(cleo)
      await hers.waitFor(() => ring(hers))
      await hers.waitFor(() => ring(hers) === null)
      const { rows } = await db.query(`select state from call_participants where username = 'cleo'`)
      expect(rows, 'nobody has written').to.deep.equal([{ state: 'pending' }])
    })
  })
})
