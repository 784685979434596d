import { expect } from 'chai'
import pg from 'pg'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { DmPayload } from '#shared/domain/payloads/channels.ts'
import type { InboxPayload } from '#shared/domain/payloads/inbox.ts'
import type { ScheduledPayload } from '#shared/domain/payloads/later.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { clientIdOfScheduled } from '#shared/posting/client-ids.ts'
import type { OpenStores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { startService } from '#shared/test-kit/processes.ts'
import { storesOf } from '#shared/test-kit/stores.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { sendScheduled } from './send-scheduled.ts'

describe('scheduled messages (interface 11.5)', function () {
  this.timeout(40_000)
  let world: World
  let db: pg.Client
  let stores: OpenStores
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general'] } })
    const { env } = world.backing
    db = new pg.Client(env.DATABASE_URL)
    await db.connect()
    stores = await storesOf(world.backing)
  })
  after(async () => {
    await stores.stop()
    await db.end()
    await world.end()
  })

  const now = () => Date.now() / 1_000
  const post = (person: Person, body: object) =>
    person.postJson('/scheduled', { send_ts: now() + 3600, ...body })
  async function schedule(person: Person, channel: string, text: string, more: object = {}): Promise<number> {
    const response = await post(person, { channel, text, ...more })
    expect(response.status, await response.clone().text()).to.equal(201)
    return ((await response.json()) as ScheduledPayload).id
  }
  const list = async (person: Person) => (await person.get<Page<ScheduledPayload>>('/scheduled')).items
  const remove = (person: Person, id: number) => person.fetch(`/scheduled/${id}`, { method: 'DELETE' })
  const change = (person: Person, id: number, body: object) => person.patchJson(`/scheduled/${id}`, body)
  /** Lets it be due: since `ago` seconds. */
  const due = (id: number, ago = 0) =>
    db.query('update scheduled set send_ts = $2 where id = $1', [id, now() - ago])
  const codeOf = async (response: Response) =>
    [response.status, ((await response.json()) as { code: string }).code] as const
  const withText = async (channel: string, text: string) =>
    (await world.ada.messages(channel)).filter(row => row.content === text)

  it('are listed by time for the person alone, changed and cancelled', async () => {
    const { ada, bob } = world
    const client_id = crypto.randomUUID()
    const late = await schedule(ada, 'general', 'late', { send_ts: now() + 7200, client_id })
    const early = await schedule(ada, 'dm:ada:bob', ' early  ')
    const again = await post(ada, { channel: 'general', text: 'late', send_ts: now() + 7200, client_id })
    expect([again.status, ((await again.json()) as ScheduledPayload).id]).to.deep.equal([201, late])
    expect((await list(ada)).map(one => [one.id, one.text, one.state])).to.deep.equal([
      [early, ' early', 'waiting'],
      [late, 'late', 'waiting'],
    ])
    expect(await list(bob)).to.deep.equal([])
    expect((await ada.get<MePayload>('/me')).scheduled).to.equal(2)
    expect((await change(ada, late, { text: 'sooner', send_ts: now() + 60 })).status).to.equal(204)
    expect((await list(ada)).map(one => one.text)).to.deep.equal(['sooner', ' early'])
    expect(await codeOf(await change(bob, late, { now: true }))).to.deep.equal([404, 'not_found'])
    expect((await remove(bob, late)).status).to.equal(204)
    expect(await list(ada), 'of somebody else').to.have.length(2)
    for (const id of [late, early]) expect((await remove(ada, id)).status).to.equal(204)
    expect((await remove(ada, late)).status, 'again').to.equal(204)
    expect(await list(ada)).to.deep.equal([])
  })

  it('are refused as by /send, and with fields that do not fit', async () => {
    const { ada, bob, mallory } = world
    const den = await world.privateChannel('den', [ada, bob])
    for (const [body, status, code] of [
      [{ channel: den, text: 'let me in' }, 403, 'forbidden'],
      [{ channel: 'nowhere', text: 'x' }, 403, 'forbidden'],
      [{ channel: 'general', text: '  ' }, 400, 'required'],
      [{ channel: 'general' }, 400, 'required'],
      [{ text: 'x' }, 400, 'required'],
      [{ channel: 'general', text: 'x'.repeat(10_001) }, 400, 'too_long'],
      [{ channel: 'general', text: 'a\0' }, 400, 'invalid'],
      [{ channel: 'general', text: 'x', send_ts: now() + 5 }, 400, 'invalid'],
      [{ channel: 'general', text: 'x', send_ts: now() + 400 * 86_400 }, 400, 'invalid'],
      [{ channel: 'general', text: 'x', send_ts: 'noon' }, 400, 'required'],
      [{ channel: 'general', text: 'x', reply_to_id: '1' }, 400, 'required'],
      [{ channel: 'general', text: 'x', reply_to_id: 0 }, 400, 'invalid'],
      [{ channel: 'general', text: 'x', client_id: 'x' }, 400, 'invalid'],
      [{ channel: 'general', text: 'x', composed_for: 'dm:ada:mallory' }, 409, 'conflict'],
    ] as const)
      expect(await codeOf(await post(mallory, body)), JSON.stringify(body).slice(0, 80)).to.deep.equal([
        status,
        code,
      ])
    expect(await list(mallory)).to.deep.equal([])
    const dm = { channel: 'dm:ada:mallory', text: 'x', composed_for: 'dm:mallory:ada' }
    const made = await post(mallory, dm)
    expect(made.status, 'any order of names').to.equal(201)
    const { id } = (await made.json()) as ScheduledPayload
    for (const [body, code] of [
      [{}, 'required'],
      [{ text: '' }, 'required'],
      [{ text: 'ok', send_ts: 7 }, 'invalid'],
      [{ now: 'yes' }, 'required'],
    ] as const)
      expect(await codeOf(await change(mallory, id, body)), JSON.stringify(body)).to.deep.equal([400, code])
    await db.query(
      `insert into scheduled (username, channel, text, send_ts, created_ts)
       select 'mallory', 'general', 'x', 9e9, 0 from generate_series(1, 99)`,
    )
    expect(await codeOf(await post(mallory, dm)), 'too many').to.deep.equal([409, 'conflict'])
    await db.query(`delete from scheduled where username = 'mallory'`)
  })

  it('are sent once by two janitors at once, with the mentions of that moment', async () => {
    const { ada, bob } = world
    const parent = await bob.send('general', 'a question')
    const ids: number[] = []
    for (let at = 0; at < 6; at++)
      ids.push(await schedule(ada, 'general', `at its time ${at} @bob`, { reply_to_id: parent }))
    for (const id of ids) await due(id)
    const counts = await Promise.all([sendScheduled(stores), sendScheduled(stores)])
    expect(counts[0]! + counts[1]!).to.equal(ids.length)
    for (let at = 0; at < 6; at++) {
      const [row, ...more] = await withText('general', `at its time ${at} @bob`)
      expect(more).to.have.length(0)
      expect(row).to.include({ sender: 'ada', mentions: '["bob"]', reply_to_id: parent })
    }
    expect(await list(ada)).to.deep.equal([])
    expect(await codeOf(await change(ada, ids[0]!, { text: 'too late' }))).to.deep.equal([409, 'conflict'])
    expect(await codeOf(await remove(ada, ids[0]!))).to.deep.equal([409, 'conflict'])
  })

  it('are sent once although the janitor ends between the send and its note', async () => {
    const { ada } = world
    const id = await schedule(ada, 'general', 'once, whatever happens')
    await due(id)
    await ada.send('general', 'once, whatever happens', { client_id: clientIdOfScheduled(id) })
    expect(await sendScheduled(stores)).to.equal(1)
    expect(await withText('general', 'once, whatever happens')).to.have.length(1)
    const { rows } = await db.query('select state, message_id from scheduled where id = $1', [id])
    expect(rows[0]).to.deep.equal({
      state: 'sent',
      message_id: (await withText('general', 'once, whatever happens'))[0]!.id,
    })
  })

  it('are neither cancelled nor sent again once sent, although the janitor did not note it', async () => {
    const { ada } = world
    const id = await schedule(ada, 'general', 'gone already')
    await ada.send('general', 'gone already', { client_id: clientIdOfScheduled(id) })
    expect(await codeOf(await remove(ada, id))).to.deep.equal([409, 'conflict'])
    expect(await codeOf(await change(ada, id, { text: 'twice' }))).to.deep.equal([409, 'conflict'])
    await due(id)
    expect(await sendScheduled(stores)).to.equal(1)
    expect(await withText('general', 'twice')).to.deep.equal([])
  })

  it('leave what the sender has not read unread', async () => {
    const { ada, bob } = world
    const unread = async (channel: string) => [
      (await bob.get<Record<string, number>>('/channel_unreads'))['general'],
      (await bob.get<DmPayload[]>('/dms')).find(one => one.channel === channel)?.unread ?? 0,
      (await bob.get<InboxPayload>('/inbox?kind=mention&unread=1')).items.length,
    ]
    await bob.markRead('general')
    for (const isRead of [false, true]) {
      const dm = isRead ? 'dm:ada:bob' : 'dm:bob:cleo'
      const before = isRead ? [0, 0, 0] : [2, 0, 1]
      if (isRead) await bob.markRead('general')
      else for (const text of ['@bob, are you there?', 'hello?']) await ada.send('general', text)
      expect(await unread(dm)).to.deep.equal(before)
      for (const channel of ['general', dm]) await due(await schedule(bob, channel, 'while I was away'))
      expect(await sendScheduled(stores)).to.equal(2)
      expect(await unread(dm), 'own messages do not count').to.deep.equal(before)
    }
    await ada.send('general', 'afterwards')
    expect((await unread('dm:ada:bob'))[0]).to.equal(1)
    await bob.send('general', 'back again')
    expect(await unread('dm:ada:bob')).to.deep.equal([0, 0, 0])
  })

  it('of a person in a channel keep their order, and do not join one that the person left', async () => {
    const { ada, cleo } = world
    const ids: number[] = []
    for (let at = 0; at < 12; at++) ids.push(await schedule(ada, 'general', `in order ${at}`))
    for (const [at, id] of ids.entries()) await due(id, 20 - at)
    await Promise.all([sendScheduled(stores), sendScheduled(stores)])
    await sendScheduled(stores)
    const sent = (await ada.messages('general')).filter(row => row.content?.startsWith('in order'))
    expect(sent.map(row => row.content)).to.deep.equal(ids.map((_, at) => `in order ${at}`))
    const id = await schedule(cleo, 'general', 'not any more')
    await cleo.postJson('/public_channels/general/leave', {})
    await due(id)
    expect(await sendScheduled(stores)).to.equal(1)
    expect((await list(cleo))[0]!.failed_why).to.equal('no_access')
    await remove(cleo, id)
    await cleo.postJson('/public_channels/general/join', {})
  })

  it('leave within six seconds although janitors are killed, once each', async () => {
    const { ada } = world
    const texts = Array.from({ length: 30 }, (_, at) => `through kills ${at}`)
    const ids: number[] = []
    for (const text of texts) ids.push(await schedule(ada, 'general', text))
    const [killed, other] = [
      await startService('janitor', world.backing.env),
      await startService('janitor', world.backing.env),
    ]
    const sent = async () => {
      const { rows } = await db.query<{ sent: number }>(
        `select count(*)::integer as sent from scheduled where id = any($1) and state = 'sent'`,
        [ids],
      )
      return rows[0]!.sent
    }
    await db.query('update scheduled set send_ts = $2 where id = any($1)', [ids, now()])
    await eventually(async () => expect(await sent()).to.be.above(0))
    await killed.kill()
    await eventually(async () => expect(await sent()).to.equal(ids.length))
    await other.stop()
    const rows = (await world.bob.messages('general')).filter(row => row.content?.startsWith('through kills'))
    expect(rows.map(row => row.content)).to.have.members(texts)
    const { rows: times } = await db.query<{ late: number }>(
      'select max(message.ts - send_ts) as late from scheduled join messages message on message.id = message_id where scheduled.id = any($1)',
      [ids],
    )
    expect(times[0]!.late).to.be.below(6)
  })

  it('fail with a reason, come into the inbox, and may be sent after all', async () => {
    const { ada, bob, cleo } = world
    const den = await world.privateChannel('attic', [bob, cleo])
    await bob.postJson('/public_channels', { name: 'Plans' })
    await bob.postJson('/public_channels', { name: 'News' })
    const left = await schedule(cleo, den, 'from outside')
    const closed = await schedule(cleo, 'plans', 'into the archive')
    const silenced = await schedule(cleo, 'news', 'read-only')
    const old = await schedule(cleo, 'general', 'a day late')
    await cleo.leave(den)
    await bob.postJson('/channel_info/plans/archive', {})
    await bob.patchJson('/channel_info/news', { posting: 'managers' })
    for (const id of [left, closed, silenced]) await due(id)
    await due(old, 25 * 3600)
    expect(await sendScheduled(stores)).to.equal(4)
    expect(new Map((await list(cleo)).map(one => [one.id, one.failed_why]))).to.deep.equal(
      new Map([
        [old, 'too_late'],
        [left, 'no_access'],
        [closed, 'archived'],
        [silenced, 'read_only'],
      ]),
    )
    for (const [channel, text] of [
      ['plans', 'into the archive'],
      ['news', 'read-only'],
      ['general', 'a day late'],
    ] as const)
      expect(await withText(channel, text)).to.deep.equal([])
    expect((await cleo.get<MePayload>('/me')).failed).to.equal(4)
    const { items, unread } = await cleo.get<InboxPayload>('/inbox?kind=failed')
    expect([items.length, unread >= 4]).to.deep.equal([4, true])
    expect(items.find(one => one.id === `s${closed}`)).to.deep.include({
      kind: 'failed',
      channel: 'plans',
      message_id: null,
      content: 'into the archive',
      why: 'archived',
      read: false,
    })
    await cleo.postJson('/inbox/read', { ids: [`s${closed}`] })
    expect((await cleo.get<InboxPayload>('/inbox')).unread).to.equal(unread - 1)
    expect((await ada.get<InboxPayload>('/inbox?kind=failed')).items).to.deep.equal([])

    expect((await change(cleo, old, { now: true })).status).to.equal(204)
    expect(await sendScheduled(stores)).to.equal(1)
    expect(await withText('general', 'a day late')).to.have.length(1)
    expect((await cleo.get<InboxPayload>('/inbox?kind=failed')).items).to.have.length(3)
    for (const id of [left, closed, silenced]) await remove(cleo, id)
    expect((await cleo.get<InboxPayload>('/inbox')).unread).to.equal(unread - 4)
  })

  it('of a deactivated account fail, and those of a deleted one are gone', async () => {
    const { ada, mallory } = world
    const dora = await world.lateJoiner(await world.privateChannel('loft', [ada]), ada)
    const idle = await schedule(mallory, 'general', 'from nobody active')
    const gone = await schedule(dora, 'general', 'from nobody at all')
    await ada.postJson('/admin/people/mallory/deactivate', {})
    const password = 'Bothy-in-the-hills-1!'
    expect((await dora.postJson('/delete_account', { type: 'soft', password })).status).to.be.below(400)
    for (const id of [idle, gone]) await due(id)
    expect(await sendScheduled(stores)).to.equal(1)
    const { rows } = await db.query('select id, failed_why from scheduled where id = any($1)', [[idle, gone]])
    expect(rows).to.deep.equal([{ id: idle, failed_why: 'deactivated' }])
    const sent: MessagePayload[] = await ada.messages('general')
    expect(sent.filter(row => row.content?.startsWith('from nobody'))).to.deep.equal([])
  })
})
