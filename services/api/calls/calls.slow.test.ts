import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import pg from 'pg'
import type {
  AcceptedCallPayload,
  CallStatePayload,
  IncomingCallPayload,
  NewCallPayload,
  RunningCallPayload,
} from '#shared/domain/payloads/calls.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { quiet } from '#shared/test-kit/quiet.ts'
import { openTab, type Tab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('calls (interface 2.8, 3.1, 4.8, 6, 8)', () => {
  let world: World
  let db: pg.Pool
  let ada: Person
  let bob: Person
  let cleo: Person
  let mallory: Person
  before(async () => {
    world = await newWorld({ apis: 2 })
    ;({ ada, bob, cleo, mallory } = world)
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 4 })
  })
  after(async () => {
    await db.end()
    await world.end()
  })
  afterEach(async () => {
    await db.query('delete from calls')
    await db.query('delete from signals')
  })

  const DM = 'dm:ada:bob'
  const GROUP = 'dm:ada:bob:cleo'

  async function initiate(caller: Person, channel: string): Promise<string> {
    const response = await caller.postJson('/calls/initiate', { channel })
    expect(response.status, await response.clone().text()).to.equal(200)
    return ((await response.json()) as NewCallPayload).call_id
  }
  const act = (person: Person, call: string, verb: string, body?: unknown) =>
    body === undefined
      ? person.fetch(`/calls/${call}/${verb}`, { method: 'POST' })
      : person.postJson(`/calls/${call}/${verb}`, body)
  async function told(response: Response | Promise<Response>) {
    const answer = await response
    const body = (await answer.json()) as { status?: string; error?: string }
    return `${answer.status} ${body.status ?? body.error}`
  }
  const state = (person: Person, call: string) => person.get<CallStatePayload>(`/calls/${call}/state`)
  const incoming = (person: Person) => person.get<IncomingCallPayload[]>('/calls/incoming')
  /** Participants' states, from the call's state. */
  async function states(person: Person, call: string) {
    const { state: callState, participants } = await state(person, call)
    return [callState, ...participants.map(({ username, state }) => `${username} ${state}`)]
  }
  /** Moves the call's start and its rings back by this many seconds. */
  async function age(call: string, seconds: number) {
    await db.query('update calls set started_ts = started_ts - $2 where call_id = $1', [call, seconds])
    await db.query('update call_participants set invited_ts = invited_ts - $2 where call_id = $1', [
      call,
      seconds,
    ])
  }
  async function lines(channel: string) {
    const { rows } = await db.query<{ content: string }>(
      `select content from messages where channel = $1 and content_type = 'system' and content ~ 'all' order by ts`,
      [channel],
    )
    return rows.map(row => row.content)
  }
  const forgetLines = () => db.query('delete from messages where content_type = $1', ['system'])

  describe('ringing', () => {
    it('rings everybody else in a DM, and nobody beside them', async () => {
      const response = await ada.postJson('/calls/initiate', { channel: 'dm:bob:ada' })
      const { call_id, participants } = (await response.json()) as NewCallPayload
      expect(call_id).to.match(/^[0-9a-f-]{36}$/)
      expect(participants).to.deep.equal(['ada', 'bob'])

      const [ring] = await incoming(bob)
      expect(ring).to.deep.include({ call_id, channel: DM, initiator: 'ada' })
      expect(ring!.started_ts).to.be.closeTo(Date.now() / 1000, 5)
      expect(Object.keys(ring!)).to.have.members(['call_id', 'channel', 'initiator', 'started_ts'])
      expect(await incoming(ada)).to.deep.equal([])
      expect(await incoming(mallory)).to.deep.equal([])
    })

    it('rings the members of a private channel, listed in the order in which they joined', async () => {
      const den = await world.privateChannel('den', [cleo, ada, bob])
      const response = await ada.postJson('/calls/initiate', { channel: den })
      expect(((await response.json()) as NewCallPayload).participants).to.deep.equal(['ada', 'cleo', 'bob'])
    })

    it('rings no bots of a private channel', async () => {
      const den = await world.privateChannel('mill', [ada, bob])
      expect((await ada.postJson('/hooks_in', { name: 'CI', channel: den })).status).to.equal(201)
      const response = await ada.postJson('/calls/initiate', { channel: den })
      expect(((await response.json()) as NewCallPayload).participants).to.deep.equal(['ada', 'bob'])
    })

    it('is reported with the whole state of the call', async () => {
      const call = await initiate(ada, DM)
      const { started_ts, participants, ...rest } = await state(bob, call)
      expect(rest).to.deep.equal({
        call_id: call,
        channel: DM,
        initiator: 'ada',
        state: 'ringing',
        answered_ts: null,
        ended_ts: null,
        screenshare_user: '',
      })
      expect(participants).to.deep.equal([
        {
          username: 'ada',
          role: 'initiator',
          state: 'accepted',
          joined_ts: started_ts,
          left_ts: null,
          invited_ts: started_ts,
        },
        {
          username: 'bob',
          role: 'participant',
          state: 'pending',
          joined_ts: null,
          left_ts: null,
          invited_ts: started_ts,
        },
      ])
    })

    it('is refused outside DMs and private channels of the caller', async () => {
      const begin = (channel: unknown) => told(ada.postJson('/calls/initiate', { channel }))
      expect(await begin('general')).to.equal('403 access denied')
      expect(await begin('dm:bob:cleo')).to.equal('403 access denied')
      expect(await begin('dm:ada')).to.equal('403 access denied')
      expect(await begin('private:999')).to.equal('403 access denied')
      expect(await begin('no such channel')).to.equal('403 access denied')
      expect(await begin(undefined)).to.equal('400 channel required')
      expect(await begin(['dm:ada:bob'])).to.equal('400 channel required')
      expect(await begin('dm:ada:nobody')).to.equal('400 no other participants in channel')
      expect(await begin('dm:ada:bob:nobody')).to.equal('400 no account named nobody')
      expect(await begin(await world.privateChannel('alone', [ada]))).to.equal(
        '400 no other participants in channel',
      )
    })

    it('does not happen in a channel of more than fifty, whose members see the call and join', async () => {
      const den = await world.privateChannel('hall', [ada, bob, cleo])
      await db.query(
        `insert into private_channel_members (channel_id, username, joined_ts)
         select $1, 'member-' || i, 0 from generate_series(1, 3000) i`,
        [den.slice('private:'.length)],
      )
      const response = await ada.postJson('/calls/initiate', { channel: den })
      const { call_id, participants } = (await response.json()) as NewCallPayload
      expect(participants).to.deep.equal(['ada'])
      expect(await bob.get('/calls/incoming')).to.deep.equal([])
      const [running] = await bob.get<RunningCallPayload[]>('/running_calls')
      expect(running).to.include({ call_id, state: 'ringing', rings_until: null })
      expect(running!.participants).to.have.length(1)
      expect((await bob.postJson(`/calls/${call_id}/join`, {})).status).to.equal(200)
      expect(await ada.get(`/calls/${call_id}/state`)).to.include({ state: 'active' })

      await db.query(
        `insert into call_participants (call_id, username, role, state, invited_ts, seen_ts)
         select $1, 'member-' || i, 'participant', 'left', 0, 0 from generate_series(1, 98) i`,
        [call_id],
      )
      const full = [
        cleo.postJson(`/calls/${call_id}/join`, {}),
        ada.postJson(`/calls/${call_id}/invite`, { username: 'cleo' }),
      ]
      for (const refused of full) {
        expect(await told(refused)).to.equal('409 no more than 100 people can take part in a call')
      }
      await ada.postJson(`/calls/${call_id}/end`, {})
    })

    it('is refused during another call of the channel, whose id is returned', async () => {
      const call = await initiate(ada, DM)
      const again = await bob.postJson('/calls/initiate', { channel: DM })
      expect(again.headers.get('X-Call-Id')).to.equal(call)
      expect(await told(again)).to.equal('409 a call is already in progress in this channel')
      await act(ada, call, 'end')
      expect(await initiate(bob, DM)).to.not.equal(call)
    })

    it('expires after thirty seconds, once, when the state is read', async () => {
      await forgetLines()
      const call = await initiate(ada, GROUP)
      await age(call, 31)
      const seen = await Promise.all([ada, bob, cleo, ada, bob, cleo].map(person => state(person, call)))
      for (const { state, ended_ts, participants } of seen) {
        expect(state).to.equal('rejected')
        expect(ended_ts).to.be.a('number')
        expect(participants.map(({ state }) => state)).to.deep.equal(['accepted', 'rejected', 'rejected'])
      }
      expect(new Set(seen.map(({ ended_ts }) => ended_ts)).size).to.equal(1)
      expect(await lines(GROUP)).to.deep.equal(['Missed call from ada.'])
    })

    it('that has expired makes room for the next call', async () => {
      await forgetLines()
      const call = await initiate(ada, DM)
      await age(call, 31)
      expect(await incoming(bob)).to.deep.equal([])
      const next = await initiate(bob, DM)
      expect(await states(ada, call)).to.deep.equal(['rejected', 'ada accepted', 'bob rejected'])
      expect(await states(ada, next)).to.deep.equal(['ringing', 'bob accepted', 'ada pending'])
      expect(await lines(DM)).to.deep.equal(['Missed call from ada.'])
    })

    it('that has expired can no longer be accepted, and stays ended after the refusal', async () => {
      await forgetLines()
      for (const [verb, answer] of [
        ['accept', '409 call is not active'],
        ['reject', '409 call is not active'],
        ['end', '200 ok'],
        ['leave', '200 ok'],
      ] as const) {
        const call = await initiate(ada, DM)
        await age(call, 31)
        expect(await told(act(bob, call, verb))).to.equal(answer)
        const { rows } = await db.query('select state from calls where call_id = $1', [call])
        expect(rows[0].state, verb).to.equal('rejected')
      }
      expect(await lines(DM)).to.deep.equal(Array(4).fill('Missed call from ada.'))
    })
  })

  describe('answering', () => {
    it('makes the call active; the ring stops for those called at its start, who can still join', async () => {
      const call = await initiate(ada, GROUP)
      const accepted = (await (await act(bob, call, 'accept')).json()) as AcceptedCallPayload
      expect(accepted).to.deep.equal({ status: 'ok', participants: ['ada', 'bob'] })
      expect(await incoming(cleo)).to.deep.equal([])
      expect(await states(ada, call)).to.deep.equal([
        'active',
        'ada accepted',
        'bob accepted',
        'cleo pending',
      ])
      const { answered_ts } = await state(ada, call)
      expect(answered_ts).to.be.a('number')

      await age(call, 60)
      expect(await told(act(cleo, call, 'accept'))).to.equal('200 ok')
      const after = await state(cleo, call)
      expect(after.answered_ts, 'the first answer counts').to.equal(answered_ts)
      expect(after.participants.map(({ state }) => state)).to.deep.equal(['accepted', 'accepted', 'accepted'])
    })

    it('twice succeeds and changes nothing', async () => {
      const call = await initiate(ada, DM)
      await act(bob, call, 'accept')
      const before = await state(ada, call)
      const again = (await (await act(bob, call, 'accept')).json()) as AcceptedCallPayload
      expect(again).to.deep.equal({ status: 'ok', participants: ['ada', 'bob'] })
      expect(await state(ada, call)).to.deep.equal(before)
    })

    it('by the caller has no effect', async () => {
      const call = await initiate(ada, DM)
      expect(await told(act(ada, call, 'accept'))).to.equal('200 ok')
      expect((await state(ada, call)).state).to.equal('ringing')
      expect(await told(act(ada, call, 'reject'))).to.equal('409 this call does not ring for you')
    })

    it('with a rejection by the last pending user rejects the call', async () => {
      await forgetLines()
      const call = await initiate(ada, GROUP)
      expect(await told(act(bob, call, 'reject'))).to.equal('200 ok')
      expect(await states(cleo, call)).to.deep.equal([
        'ringing',
        'ada accepted',
        'bob rejected',
        'cleo pending',
      ])
      expect(await incoming(bob)).to.deep.equal([])
      expect(await incoming(cleo)).to.have.length(1)
      expect(await lines(GROUP)).to.deep.equal([])

      await act(cleo, call, 'reject')
      const { state: over, ended_ts } = await state(ada, call)
      expect(over).to.equal('rejected')
      expect(ended_ts).to.be.a('number')
      expect(await lines(GROUP)).to.deep.equal(['Missed call from ada.'])
    })

    it('differently afterwards requires an invitation', async () => {
      const call = await initiate(ada, GROUP)
      await act(bob, call, 'reject')
      await act(cleo, call, 'accept')
      expect(await told(act(bob, call, 'accept'))).to.equal('409 this call does not ring for you')
      expect(await told(act(cleo, call, 'reject'))).to.equal('409 this call does not ring for you')
      await act(ada, call, 'invite', { username: 'bob' })
      expect(await told(act(bob, call, 'accept'))).to.equal('200 ok')
    })
  })

  describe('ending', () => {
    it('by any participant ends the call for all, and posts a line', async () => {
      for (const ender of [ada, bob, cleo]) {
        await forgetLines()
        const call = await initiate(ada, GROUP)
        await act(bob, call, 'accept')
        expect(await told(act(ender, call, 'end'))).to.equal('200 ok')
        const { state: over, ended_ts, participants } = await state(ada, call)
        expect(over).to.equal('ended')
        expect(ended_ts).to.be.a('number')
        expect(participants.find(({ username }) => username === ender.name)).to.deep.include({
          state: 'left',
          left_ts: ended_ts,
        })
        expect(await told(act(bob, call, 'end')), 'again').to.equal('200 ok')
        expect(await told(act(bob, call, 'leave')), 'leaving it').to.equal('200 ok')
        expect(await lines(GROUP)).to.deep.equal(['Call, 1 min.'])
      }
    })

    it('posts the duration of the call', async () => {
      await forgetLines()
      const call = await initiate(ada, DM)
      await act(bob, call, 'accept')
      await db.query('update calls set answered_ts = answered_ts - 720 where call_id = $1', [call])
      await act(ada, call, 'end')
      expect(await lines(DM)).to.deep.equal(['Call, 12 min.'])
      const line = (await bob.messages(DM)).at(-1)!
      expect(line).to.deep.include({ sender: 'system', content_type: 'system', content: 'Call, 12 min.' })
    })

    it('before an answer posts a missed call, which opens the DM', async () => {
      const channel = 'dm:bob:mallory'
      const call = await initiate(mallory, channel)
      await act(mallory, call, 'end')
      expect(await lines(channel)).to.deep.equal(['Missed call from mallory.'])
      const dms = await bob.get<{ channel: string; unread: number }[]>('/dms')
      expect(dms.find(dm => dm.channel === channel)?.unread).to.equal(1)
    })

    it('makes every verb fail', async () => {
      const call = await initiate(ada, DM)
      await act(bob, call, 'accept')
      await act(ada, call, 'end')
      for (const [verb, body] of [
        ['accept', undefined],
        ['join', undefined],
        ['reject', undefined],
        ['invite', { username: 'cleo' }],
        ['signal', { to: 'ada', type: 'offer', payload: {} }],
        ['screenshare', { on: true }],
      ] as const) {
        expect(await told(act(bob, call, verb, body)), verb).to.equal('409 call is not active')
      }
    })

    it('does not follow from leaving while two participants stay', async () => {
      await forgetLines()
      const call = await initiate(ada, GROUP)
      await act(bob, call, 'accept')
      await act(cleo, call, 'accept')
      await act(cleo, call, 'screenshare', { on: true })
      expect(await told(act(cleo, call, 'leave'))).to.equal('200 ok')
      const after = await state(ada, call)
      expect(after).to.deep.include({ state: 'active', screenshare_user: '' })
      expect(await states(ada, call)).to.deep.equal(['active', 'ada accepted', 'bob accepted', 'cleo left'])
      await act(ada, call, 'leave')
      expect(await states(ada, call)).to.deep.equal(['ended', 'ada left', 'bob accepted', 'cleo left'])
      expect(await lines(GROUP)).to.deep.equal(['Call, 1 min.'])
    })
  })

  describe('inviting', () => {
    it('rings any registered user, by name in any case, in a ringing and an active call', async () => {
      const call = await initiate(ada, DM)
      expect(await told(act(ada, call, 'invite', { username: 'CLEO' }))).to.equal('200 ok')
      expect((await incoming(cleo)).map(({ call_id }) => call_id)).to.deep.equal([call])
      await act(bob, call, 'accept')
      expect(await incoming(cleo), 'invited by name: rings on').to.have.length(1)
      expect(await told(act(cleo, call, 'accept'))).to.equal('200 ok')
      expect(await states(cleo, call)).to.deep.equal([
        'active',
        'ada accepted',
        'bob accepted',
        'cleo accepted',
      ])
    })

    it('rings for thirty seconds from the invitation, and again after another one', async () => {
      const call = await initiate(ada, GROUP)
      await act(bob, call, 'accept')
      await age(call, 100)
      expect(await incoming(cleo)).to.deep.equal([])
      await act(bob, call, 'invite', { username: 'cleo' })
      expect(await incoming(cleo)).to.have.length(1)
      await db.query(
        'update call_participants set invited_ts = invited_ts - 31 where call_id = $1 and username = $2',
        [call, 'cleo'],
      )
      expect(await incoming(cleo)).to.deep.equal([])
      expect((await state(ada, call)).state).to.equal('active')
      await act(bob, call, 'invite', { username: 'cleo' })
      expect(await incoming(cleo)).to.have.length(1)
    })

    it('into a ringing call rings no longer than the call', async () => {
      const call = await initiate(ada, DM)
      await age(call, 25)
      await act(ada, call, 'invite', { username: 'cleo' })
      await db.query('update calls set started_ts = started_ts - 6 where call_id = $1', [call])
      expect(await incoming(cleo)).to.deep.equal([])
    })

    it('a user who is in the call changes nothing', async () => {
      const call = await initiate(ada, DM)
      await act(bob, call, 'accept')
      const before = await state(ada, call)
      expect(await told(act(ada, call, 'invite', { username: 'bob' }))).to.equal('200 ok')
      expect(await state(ada, call)).to.deep.equal(before)
    })

    it('requires a caller in the call and an existing account', async () => {
      const call = await initiate(ada, GROUP)
      expect(await told(act(bob, call, 'invite', { username: 'mallory' }))).to.equal('403 access denied')
      expect(await told(act(mallory, call, 'invite', { username: 'mallory' }))).to.equal('403 access denied')
      expect(await told(act(ada, call, 'invite', { username: 'nobody' }))).to.equal('404 user not found')
      expect(await told(act(ada, call, 'invite', {}))).to.equal('400 username required')
      expect(await told(act(ada, call, 'invite', { username: 7 }))).to.equal('400 username required')
    })
  })

  describe('joining, which is ours, is for members of its channel', () => {
    it('after any earlier answer, and returns the same response as accept', async () => {
      const call = await initiate(ada, GROUP)
      await act(bob, call, 'reject')
      const declined = (await (await act(bob, call, 'join')).json()) as AcceptedCallPayload
      expect(declined, 'who had declined makes it active').to.deep.equal({
        status: 'ok',
        participants: ['ada', 'bob'],
      })
      expect((await states(ada, call))[0]).to.equal('active')
      await act(cleo, call, 'accept')
      await act(bob, call, 'leave')
      const { joined_ts } = (await state(ada, call)).participants[1]!
      expect(await told(act(bob, call, 'join'))).to.equal('200 ok')
      expect(await states(ada, call)).to.deep.equal([
        'active',
        'ada accepted',
        'bob accepted',
        'cleo accepted',
      ])
      const again = (await state(ada, call)).participants[1]!
      expect(again.left_ts).to.equal(null)
      expect(again.joined_ts, 'another coming').to.be.above(joined_ts!)
      await act(cleo, call, 'signal', { to: 'bob', type: 'offer', payload: { sdp: 'x' } })
      expect(await bob.get(`/calls/${call}/signals`)).to.have.length(1)
    })

    it('and means accepting while it rings for them; repeating it changes nothing', async () => {
      const call = await initiate(ada, DM)
      expect(await told(act(ada, call, 'join')), 'by who began it').to.equal('200 ok')
      expect(await states(ada, call)).to.deep.equal(['ringing', 'ada accepted', 'bob pending'])
      expect(await told(act(bob, call, 'join'))).to.equal('200 ok')
      expect(await incoming(bob)).to.deep.equal([])
      const before = await state(ada, call)
      expect(before).to.deep.include({ state: 'active', answered_ts: before.participants[1]!.joined_ts })
      expect(await told(act(bob, call, 'join'))).to.equal('200 ok')
      expect(await state(ada, call)).to.deep.equal(before)
    })

    it('including those added after the call began', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      const call = await initiate(ada, den)
      await act(bob, call, 'accept')
      expect(await told(act(cleo, call, 'join'))).to.equal('403 access denied')
      await ada.addMember(den, 'cleo')
      expect(await told(act(cleo, call, 'join'))).to.equal('200 ok')
      const { participants } = await state(cleo, call)
      expect(participants[2]).to.deep.include({ username: 'cleo', role: 'participant', state: 'accepted' })
    })

    it('but not for guests who were only invited, nor into an ended call', async () => {
      const call = await initiate(ada, DM)
      await act(ada, call, 'invite', { username: 'mallory' })
      expect(await told(act(mallory, call, 'join')), 'asked').to.equal('403 access denied')
      expect(await told(act(mallory, call, 'accept'))).to.equal('200 ok')
      await act(mallory, call, 'leave')
      expect(await told(act(mallory, call, 'join')), 'gone').to.equal('403 access denied')
      await act(ada, call, 'end')
      expect(await told(act(bob, call, 'join'))).to.equal('409 call is not active')
      const unanswered = await initiate(ada, DM)
      await age(unanswered, 31)
      expect(await told(act(bob, unanswered, 'join'))).to.equal('409 call is not active')
      expect((await states(ada, unanswered))[0]).to.equal('rejected')
    })
  })

  describe('sharing a screen in a call', () => {
    it('the latest claimer holds it; a release by others has no effect', async () => {
      const call = await initiate(ada, DM)
      await act(bob, call, 'accept')
      const sharer = async () => (await state(ada, call)).screenshare_user
      expect(await told(act(ada, call, 'screenshare', { on: true }))).to.equal('200 ok')
      expect(await sharer()).to.equal('ada')
      await act(bob, call, 'screenshare', { on: true })
      expect(await sharer()).to.equal('bob')
      expect(await told(act(ada, call, 'screenshare', { on: false }))).to.equal('200 ok')
      expect(await sharer()).to.equal('bob')
      await act(bob, call, 'screenshare', { on: false })
      expect(await sharer()).to.equal('')
    })

    it('requires a caller in the call, and either on or off', async () => {
      const call = await initiate(ada, DM)
      expect(await told(act(bob, call, 'screenshare', { on: true }))).to.equal('403 access denied')
      expect(await told(act(ada, call, 'screenshare', {}))).to.equal('400 on required')
      expect(await told(act(ada, call, 'screenshare', { on: 'yes' }))).to.equal('400 on required')
    })
  })

  describe('strangers', () => {
    const VERBS: [verb: string, body?: unknown][] = [
      ['accept'],
      ['join'],
      ['reject'],
      ['end'],
      ['leave'],
      ['invite', { username: 'bob' }],
      ['signal', { to: 'ada', type: 'offer', payload: {} }],
      ['screenshare', { on: true }],
      ['media'],
    ]
    const READS = ['state', 'signals', 'media?sender=ada']

    it('read nothing of a call and change nothing in it', async () => {
      const call = await initiate(ada, DM)
      const before = await state(ada, call)
      for (const [verb, body] of VERBS) {
        expect(await told(act(mallory, call, verb, body)), verb).to.equal('403 access denied')
      }
      for (const read of READS) {
        expect(await told(mallory.fetch(`/calls/${call}/${read}`)), read).to.equal('403 access denied')
      }
      expect(await state(ada, call)).to.deep.equal(before)
    })

    it('get 404 for an unknown call, like everybody else', async () => {
      for (const id of [randomUUID(), 'x', '1', '%00', `${randomUUID()}0`]) {
        for (const [verb, body] of VERBS) {
          expect(await told(act(ada, id, verb, body)), verb).to.equal('404 call not found')
        }
        for (const read of READS) {
          expect(await told(ada.fetch(`/calls/${id}/${read}`)), read).to.equal('404 call not found')
        }
      }
    })

    it('who rejected an invitation lose access to the call', async () => {
      const call = await initiate(ada, DM)
      await act(ada, call, 'invite', { username: 'mallory' })
      expect((await mallory.fetch(`/calls/${call}/state`)).status).to.equal(200)
      await act(mallory, call, 'reject')
      for (const [verb, body] of VERBS) {
        expect(await told(act(mallory, call, verb, body)), verb).to.equal('403 access denied')
      }
      for (const read of READS) {
        expect(await told(mallory.fetch(`/calls/${call}/${read}`)), read).to.equal('403 access denied')
      }
    })

    it('without a session are redirected to the log-in page', async () => {
      const response = await fetch(`${ada.at}/calls/incoming`, { redirect: 'manual' })
      expect(response.status).to.equal(302)
    })
  })

  describe('leaving the channel', () => {
    it('leaves its calls, and ends those with fewer than two participants left', async () => {
      const den = await world.privateChannel('den', [ada, bob, cleo])
      const call = await initiate(ada, den)
      await act(bob, call, 'accept')
      await act(cleo, call, 'accept')
      await cleo.leave(den)
      expect(await states(ada, call)).to.deep.equal(['active', 'ada accepted', 'bob accepted', 'cleo left'])
      for (const verb of ['accept', 'join', 'end', 'leave', 'invite']) {
        expect(await told(act(cleo, call, verb, { username: 'mallory' })), verb).to.equal('403 access denied')
      }
      expect(await told(cleo.fetch(`/calls/${call}/state`))).to.equal('403 access denied')
      await bob.leave(den)
      expect(await states(ada, call)).to.deep.equal(['ended', 'ada accepted', 'bob left', 'cleo left'])
      expect(await lines(den)).to.deep.equal(['Call, 1 min.'])
      const [line, leave] = (await ada.messages(den)).slice(-2)
      expect([line!.content, leave!.content]).to.deep.equal(['Call, 1 min.', 'bob left the channel.'])
    })

    it('counts as a rejection while it rings; by the caller, it ends the call', async () => {
      const den = await world.privateChannel('den', [ada, bob, cleo])
      const call = await initiate(ada, den)
      await bob.leave(den)
      expect(await incoming(bob)).to.deep.equal([])
      expect(await states(ada, call)).to.deep.equal([
        'ringing',
        'ada accepted',
        'bob rejected',
        'cleo pending',
      ])
      await ada.leave(den)
      expect(await states(cleo, call)).to.deep.equal(['ended', 'ada left', 'bob rejected', 'cleo pending'])
      expect(await lines(den)).to.deep.equal(['Missed call from ada.'])
    })

    it('stops the leaver’s shares there, and no others', async () => {
      const den = await world.privateChannel('den', [ada, bob])
      for (const channel of [den, DM]) await bob.postJson('/screenshare/start', { channel })
      await bob.leave(den)
      expect(await ada.get(`/screenshare/active?channel=${den}`)).to.deep.equal([])
      expect(await ada.get(`/screenshare/active?channel=${DM}`)).to.have.length(1)
    })

    it('while calling, inviting, accepting or sharing there leaves nothing behind', async function () {
      this.timeout(240_000)
      const [first, second] = world.api.map(({ url }) => url)
      for (let round = 0; round < 20; round++) {
        const den = await world.privateChannel('den', [ada, bob, cleo])
        const there = Object.assign(Object.create(bob), { at: first }) as Person
        const leaver = Object.assign(Object.create(bob), { at: second }) as Person
        const call = round % 2 === 0 ? await initiate(ada, den) : undefined
        const joins = round % 4 === 2
        // Without a living row of the leaver: a call that was joined must be left all the same.
        if (call && joins) await act(bob, call, 'reject')
        const doing = [
          told(there.postJson('/screenshare/start', { channel: den })),
          call === undefined
            ? told(there.postJson('/calls/initiate', { channel: den }))
            : told(act(there, call, joins ? 'join' : 'accept')),
        ]
        const left = await leaver.leave(den)
        expect(left.status).to.equal(204)
        for (const answer of await Promise.all(doing)) expect(answer).to.match(/^(200|403|409) /)

        expect(await ada.get(`/screenshare/active?channel=${den}`)).to.deep.equal([])
        const { rows } = await db.query(
          `select call.state, participant.state as own
             from calls call join call_participants participant using (call_id)
            where channel = $1 and username = 'bob'
              and call.state in ('ringing', 'active') and participant.state in ('pending', 'accepted')`,
          [den],
        )
        expect(rows).to.deep.equal([])
      }
    })
  })

  it('treats a state read as a heartbeat, written at most every ten seconds', async () => {
    const call = await initiate(ada, DM)
    const seen = async () => {
      const { rows } = await db.query<{ username: string; seen_ts: number }>(
        'select username, seen_ts from call_participants where call_id = $1',
        [call],
      )
      return Object.fromEntries(rows.map(row => [row.username, row.seen_ts]))
    }
    const first = await seen()
    await state(ada, call)
    expect(await seen(), 'too soon').to.deep.equal(first)
    await db.query('update call_participants set seen_ts = seen_ts - 11 where call_id = $1', [call])
    await state(ada, call)
    await state(bob, call)
    const later = await seen()
    expect(later['ada']).to.be.at.least(first['ada']!)
    expect(later['bob'], 'bob is not in it').to.equal(first['bob']! - 11)
  })

  describe('concurrent requests on two processes', () => {
    const ROUNDS = 25
    /** Sends both at once, to different processes; the first one alternates. */
    async function race(round: number, one: () => Promise<string>, other: () => Promise<string>) {
      if (round % 2 === 0) return Promise.all([one(), other()])
      const second = other()
      return Promise.all([one(), second])
    }
    const at = (person: Person, api: number) => {
      const there = Object.create(person) as Person
      there.at = world.api[api]!.url
      return there
    }
    const OVER = '409 call is not active'

    it('calling: one call begins', async function () {
      this.timeout(180_000)
      for (let round = 0; round < ROUNDS; round++) {
        const begin = (person: Person) => told(person.postJson('/calls/initiate', { channel: DM }))
        const answers = await race(
          round,
          () => begin(at(ada, 0)),
          () => begin(at(bob, 1)),
        )
        expect([...answers].sort()).to.deep.equal([
          '200 undefined',
          '409 a call is already in progress in this channel',
        ])
        const { rows } = await db.query<{ call_id: string }>(
          `select call_id from calls where state = 'ringing'`,
        )
        expect(rows).to.have.length(1)
        await act(ada, rows[0]!.call_id, 'end')
      }
    })

    it('accepting: both are in, and the call is answered once', async function () {
      this.timeout(180_000)
      for (let round = 0; round < ROUNDS; round++) {
        const call = await initiate(ada, GROUP)
        const answers = await race(
          round,
          () => told(act(at(bob, 0), call, 'accept')),
          () => told(act(at(cleo, 1), call, 'accept')),
        )
        expect(answers).to.deep.equal(['200 ok', '200 ok'])
        const after = await state(ada, call)
        expect(after.participants.map(({ state }) => state)).to.deep.equal([
          'accepted',
          'accepted',
          'accepted',
        ])
        const joined = after.participants.slice(1).map(({ joined_ts }) => joined_ts!)
        // Each process has a clock: the second answer may have the earlier time, by microseconds.
        expect(joined).to.include(after.answered_ts)
        await act(ada, call, 'end')
      }
    })

    it('the same person accepting twice', async function () {
      this.timeout(180_000)
      for (let round = 0; round < ROUNDS; round++) {
        const call = await initiate(ada, DM)
        const answers = await race(
          round,
          () => told(act(at(bob, 0), call, 'accept')),
          () => told(act(at(bob, 1), call, 'accept')),
        )
        expect(answers).to.deep.equal(['200 ok', '200 ok'])
        expect(await states(ada, call)).to.deep.equal(['active', 'ada accepted', 'bob accepted'])
        await act(ada, call, 'end')
      }
    })

    it('accepting when the ring expires: accepted, or refused, never both', async function () {
      this.timeout(240_000)
      const outcomes = new Set<string>()
      let margin = 0.008
      for (let round = 0; round < ROUNDS || (outcomes.size < 2 && round < 200); round++) {
        await forgetLines()
        const call = await initiate(ada, DM)
        // Milliseconds before the expiry, so that either may be first. The margin depends on the machine, so it adapts
        // to the outcomes so far.
        const { rows } = await db.query<{ started_ts: number }>(
          'select started_ts from calls where call_id = $1',
          [call],
        )
        await age(call, rows[0]!.started_ts - (Date.now() / 1000 - 30 + margin))
        const reading = Promise.all(
          Array.from({ length: 6 }, async (_, i) => (await state(at(ada, i % 2), call)).state),
        )
        const answer = await told(act(at(bob, 1), call, 'accept'))
        await reading
        outcomes.add(answer)
        margin += answer === '200 ok' ? -0.003 : 0.004
        if (answer === '200 ok') {
          expect(await states(ada, call)).to.deep.equal(['active', 'ada accepted', 'bob accepted'])
          expect(await lines(DM)).to.deep.equal([])
          await act(ada, call, 'end')
        } else {
          expect(answer).to.equal(OVER)
          expect(await states(ada, call)).to.deep.equal(['rejected', 'ada accepted', 'bob rejected'])
          expect(await lines(DM)).to.deep.equal(['Missed call from ada.'])
        }
      }
      expect([...outcomes], 'both ways were seen').to.have.members(['200 ok', OVER])
    })

    it('rejecting and ending: the call ends once, with one line', async function () {
      this.timeout(180_000)
      for (let round = 0; round < ROUNDS; round++) {
        await forgetLines()
        const call = await initiate(ada, DM)
        const [rejected, ended] = await race(
          round,
          () => told(act(at(bob, 0), call, 'reject')),
          () => told(act(at(ada, 1), call, 'end')),
        )
        expect(ended).to.equal('200 ok')
        const after = await states(ada, call)
        if (rejected === '200 ok') {
          expect(after).to.deep.equal(['rejected', 'ada accepted', 'bob rejected'])
        } else {
          expect(rejected).to.equal(OVER)
          expect(after).to.deep.equal(['ended', 'ada left', 'bob pending'])
        }
        expect(await lines(DM)).to.deep.equal(['Missed call from ada.'])
      }
    })

    it('accepting and ending: the call ends once, with one line that matches the order', async function () {
      this.timeout(180_000)
      for (let round = 0; round < ROUNDS; round++) {
        await forgetLines()
        const call = await initiate(ada, DM)
        const [accepted] = await race(
          round,
          () => told(act(at(bob, 0), call, 'accept')),
          () => told(act(at(ada, 1), call, 'end')),
        )
        expect(accepted).to.be.oneOf(['200 ok', OVER])
        const isAnswered = accepted === '200 ok'
        expect(await states(ada, call)).to.deep.equal([
          'ended',
          'ada left',
          isAnswered ? 'bob accepted' : 'bob pending',
        ])
        expect(await lines(DM)).to.deep.equal([isAnswered ? 'Call, 1 min.' : 'Missed call from ada.'])
      }
    })

    it('joining and ending: joined and then ended with the rest, or refused', async function () {
      this.timeout(180_000)
      for (let round = 0; round < ROUNDS; round++) {
        await forgetLines()
        const call = await initiate(ada, GROUP)
        await act(cleo, call, 'accept')
        await act(bob, call, 'reject')
        const [joined] = await race(
          round,
          () => told(act(at(bob, 0), call, 'join')),
          () => told(act(at(ada, 1), call, 'end')),
        )
        expect(joined).to.be.oneOf(['200 ok', OVER])
        expect(await states(ada, call)).to.deep.equal([
          'ended',
          'ada left',
          joined === '200 ok' ? 'bob accepted' : 'bob rejected',
          'cleo accepted',
        ])
        expect(await lines(GROUP)).to.deep.equal(['Call, 1 min.'])
      }
    })

    it('joining and the last but one leaving: two remain in the call, or it had ended before', async function () {
      this.timeout(180_000)
      for (let round = 0; round < ROUNDS; round++) {
        const call = await initiate(ada, GROUP)
        await act(cleo, call, 'accept')
        const [joined, left] = await race(
          round,
          () => told(act(at(bob, 0), call, 'join')),
          () => told(act(at(cleo, 1), call, 'leave')),
        )
        expect(left).to.equal('200 ok')
        expect(joined).to.be.oneOf(['200 ok', OVER])
        const isIn = joined === '200 ok'
        expect(await states(ada, call)).to.deep.equal([
          isIn ? 'active' : 'ended',
          'ada accepted',
          isIn ? 'bob accepted' : 'bob pending',
          'cleo left',
        ])
        await act(ada, call, 'end')
      }
    })

    it('the last two rejecting: the call is rejected by the second', async function () {
      this.timeout(180_000)
      for (let round = 0; round < ROUNDS; round++) {
        await forgetLines()
        const call = await initiate(ada, GROUP)
        const answers = await race(
          round,
          () => told(act(at(bob, 0), call, 'reject')),
          () => told(act(at(cleo, 1), call, 'reject')),
        )
        expect(answers).to.deep.equal(['200 ok', '200 ok'])
        expect((await states(ada, call))[0]).to.equal('rejected')
        expect(await lines(GROUP)).to.deep.equal(['Missed call from ada.'])
      }
    })

    it('the last two leaving: the first departure ends the call, with one line', async function () {
      this.timeout(180_000)
      for (let round = 0; round < ROUNDS; round++) {
        await forgetLines()
        const call = await initiate(ada, DM)
        await act(bob, call, 'accept')
        const answers = await race(
          round,
          () => told(act(at(ada, 0), call, 'leave')),
          () => told(act(at(bob, 1), call, 'leave')),
        )
        expect(answers).to.deep.equal(['200 ok', '200 ok'])
        expect((await states(ada, call))[0]).to.equal('ended')
        expect(await lines(DM)).to.deep.equal(['Call, 1 min.'])
      }
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
    async function tabOf(person: Person) {
      const tab = await openTab(gateway.url, person.cookie)
      tabs.push(tab)
      await tab.waitFor(() => tab.lastText('incoming_calls') === '[]')
      return tab
    }
    const rings = (tab: Tab) => tab.lastText('incoming_calls') !== '[]'

    it('a ring appears, equal to the endpoint’s response, and disappears when it is answered', async () => {
      const [his, hers] = [await tabOf(bob), await tabOf(cleo)]
      const call = await initiate(ada, GROUP)
      await his.waitFor(rings)
      await hers.waitFor(rings)
      expect(his.lastText('incoming_calls')).to.equal(await (await bob.fetch('/calls/incoming')).text())
      await act(bob, call, 'accept')
      await his.waitFor(tab => !rings(tab))
      await hers.waitFor(tab => !rings(tab))
    })

    it('an unanswered ring disappears when it expires, without any write', async () => {
      const call = await initiate(ada, DM)
      // Two seconds before the expiry.
      await age(call, 28)
      const tab = await openTab(gateway.url, bob.cookie)
      tabs.push(tab)
      await tab.waitFor(() => tab.lastText('incoming_calls')?.includes(call))
      await tab.waitFor(() => !rings(tab))
      const { rows } = await db.query('select state from calls where call_id = $1', [call])
      expect(rows[0].state, 'nobody has written').to.equal('ringing')
    })

    it('a call causes no other event: participants and sharers are read from its state', async () => {
      const call = await initiate(ada, GROUP)
      const tab = await openTab(gateway.url, ada.cookie, { channel: GROUP })
      tabs.push(tab)
      await tab.waitFor(
        () => tab.lastText('screenshares') === '[]' && tab.lastText('incoming_calls') === '[]',
      )
      // Longer than every minimum interval: all initial frames have arrived.
      await quiet()
      const before = tab.events()
      await act(bob, call, 'accept')
      await act(cleo, call, 'accept')
      await act(bob, call, 'screenshare', { on: true })
      await act(ada, call, 'signal', { to: 'bob', type: 'offer', payload: {} })
      await act(bob, call, 'leave')
      await quiet()
      expect(tab.events()).to.deep.equal(before)
    })

    it('an invitation appears to the invited user only', async () => {
      const [theirs, hers] = [await tabOf(mallory), await tabOf(cleo)]
      const call = await initiate(ada, DM)
      await act(bob, call, 'accept')
      await act(bob, call, 'invite', { username: 'cleo' })
      await hers.waitFor(rings)
      expect(rings(theirs)).to.equal(false)
    })
  })
})
