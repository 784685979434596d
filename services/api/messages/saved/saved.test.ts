import { expect } from 'chai'
import pg from 'pg'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { InboxPayload } from '#shared/domain/payloads/inbox.ts'
import type { SavedPayload } from '#shared/domain/payloads/later.ts'
import type { Page } from '#shared/domain/payloads/page.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const DAY = 86_400

describe('saved messages (interface 11.4)', function () {
  this.timeout(30_000)
  let world: World
  let db: pg.Client
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general'] } })
    db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const request = (method: string) => (person: Person, id: unknown, body?: unknown) =>
    person.fetch(`/saved/${id}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  const save = request('PUT')
  const change = request('PATCH')
  const remove = request('DELETE')
  const list = async (person: Person, query = '') =>
    (await person.get<Page<SavedPayload>>(`/saved?${query}`)).items
  const ids = async (person: Person, query = '') => (await list(person, query)).map(one => one.message.id)
  const codeOf = async (response: Response) =>
    [response.status, ((await response.json()) as { code: string }).code] as const
  const now = () => Date.now() / 1_000
  const reminders = async (person: Person) =>
    (await person.get<InboxPayload>('/inbox?kind=reminder')).items.map(one => one.message_id)

  it('are listed with a time first, then the newest, for the person alone', async () => {
    const { ada, bob } = world
    const sent: number[] = []
    for (const text of ['a', 'b', 'c', 'd']) sent.push(await bob.send('general', text))
    const [a, b, c, d] = sent as [number, number, number, number]
    expect((await save(ada, a)).status).to.equal(204)
    await save(ada, b, { note: ' ask li-wen ' })
    await save(ada, c, { remind_in_minutes: 60 })
    await save(ada, d, { remind_ts: now() + 120 })
    expect(await ids(ada)).to.deep.equal([d, c, b, a])
    expect(await ids(bob)).to.deep.equal([])
    const first = await ada.get<Page<SavedPayload>>('/saved?limit=3')
    const rest = await ada.get<Page<SavedPayload>>(`/saved?limit=3&cursor=${first.next}`)
    expect([...first.items, ...rest.items].map(one => one.message.id)).to.deep.equal([d, c, b, a])
    expect(rest.next).to.equal(null)
    expect(rest.items[0]!.message).to.deep.equal(await ada.get(`/message/${a}?full=1`))
    expect((await list(ada))[2]!.note).to.equal('ask li-wen')

    await save(ada, c, { note: 'no time' })
    expect((await list(ada)).find(one => one.message.id === c)).to.include({
      remind_ts: null,
      note: 'no time',
    })
    expect((await change(ada, d, { done: true })).status).to.equal(204)
    expect(await ids(ada, 'state=done')).to.deep.equal([d])
    expect(await ids(ada)).to.not.include(d)
    await save(ada, d)
    expect(await ids(ada), 'saved again').to.include(d)
    for (const id of sent) expect((await remove(ada, id)).status).to.equal(204)
    expect(await ids(ada)).to.deep.equal([])
    expect(await codeOf(await change(ada, a, { done: true }))).to.deep.equal([404, 'not_found'])
    expect((await ada.get<MePayload>('/me')).saved).to.equal(0)
  })

  it('take only fitting fields, and all or none', async () => {
    const { ada } = world
    const id = await ada.send('general', 'fields')
    await save(ada, id)
    const before = await list(ada)
    for (const [body, code] of [
      [{ remind_ts: 'soon' }, 'required'],
      [{ remind_ts: now() + 10 }, 'invalid'],
      [{ remind_ts: now() + 1_828 * DAY }, 'invalid'],
      [{ remind_in_minutes: (1_828 * DAY) / 60 }, 'invalid'],
      [{ remind_in_minutes: 0 }, 'invalid'],
      [{ remind_in_minutes: '5' }, 'required'],
      [{ remind_in_minutes: 5, remind_ts: now() + 300 }, 'invalid'],
      [{ note: 7, remind_in_minutes: 5 }, 'required'],
      [{ note: 'x'.repeat(501), remind_in_minutes: 5 }, 'too_long'],
      [{ note: 'a\0b' }, 'invalid'],
    ] as const)
      for (const act of [save, change])
        expect(await codeOf(await act(ada, id, body)), JSON.stringify(body)).to.deep.equal([400, code])
    // Five years have one leap day or two.
    const inFiveYears = { remind_ts: now() + 1_826 * DAY }
    for (const act of [save, change]) expect((await act(ada, id, inFiveYears)).status).to.equal(204)
    await save(ada, id)
    expect(await codeOf(await change(ada, id, { done: 1 }))).to.deep.equal([400, 'required'])
    expect(await codeOf(await change(ada, id, {}))).to.deep.equal([400, 'required'])
    expect(await list(ada)).to.deep.equal(before)
    await remove(ada, id)
  })

  it('leave the list with the right to read them', async () => {
    const { ada, bob, mallory } = world
    const den = await world.privateChannel('den', [ada, bob])
    const old = await ada.send(den, 'before dora')
    expect(await codeOf(await save(mallory, old))).to.deep.equal([404, 'not_found'])
    const dora = await world.lateJoiner(den, ada)
    expect(await codeOf(await save(dora, old))).to.deep.equal([404, 'not_found'])
    const fresh = await ada.send(den, 'with dora')
    await save(dora, fresh)
    await save(bob, old)
    expect(await ids(dora)).to.deep.equal([fresh])
    expect((await bob.get<MePayload>('/me')).saved).to.equal(1)
    await bob.leave(den)
    expect(await ids(bob)).to.deep.equal([])
    expect((await bob.get<MePayload>('/me')).saved, 'counted as listed').to.equal(0)
    const doomed = await ada.send('general', 'doomed')
    await save(dora, doomed)
    await ada.delete(doomed)
    expect((await list(dora)).find(one => one.message.id === doomed)!.message).to.include({
      deleted: 1,
      content: null,
    })
    expect(await codeOf(await save(ada, doomed))).to.deep.equal([404, 'not_found'])
  })

  it('are at most 1,000 open ones', async () => {
    const { cleo } = world
    const id = await cleo.send('general', 'one too many')
    await cleo.send('general', 'another')
    await db.query(
      `with sent as (
         insert into messages (channel, ord, sender, content, ts, content_type)
         select 'general', 1000 + n, 'cleo', 'old', n, 'text' from generate_series(1, 1000) n returning id
       )
       insert into saved (username, message_id, saved_ts) select 'cleo', id, 0 from sent`,
    )
    expect(await codeOf(await save(cleo, id))).to.deep.equal([409, 'conflict'])
    await db.query(`delete from saved where username = 'cleo'`)
    await db.query(`delete from messages where ts <= 1000`)
  })

  describe('with a reminder', () => {
    const janitors: RunningService[] = []
    let gateway: RunningService
    before(async () => {
      for (let at = 0; at < 2; at++) janitors.push(await startService('janitor', world.backing.env))
      gateway = await startService('events', world.backing.env)
    })
    after(() => Promise.all([...janitors, gateway].map(service => service.stop())))

    it('come into the inbox once with two janitors, within six seconds', async () => {
      const { ada, bob, cleo } = world
      const sent: number[] = []
      for (let at = 0; at < 8; at++) sent.push(await bob.send('general', `remind me ${at}`))
      const den = await world.privateChannel('attic', [ada, cleo])
      const lost = await ada.send(den, 'not readable any more')
      const done = await ada.send('general', 'done before')
      const deleted = await ada.send('general', 'deleted before')
      for (const id of [...sent, lost, done, deleted]) await save(cleo, id, { remind_in_minutes: 5 })
      await cleo.leave(den)
      await change(cleo, done, { done: true })
      await ada.delete(deleted)
      const tab = await openTab(gateway.url, cleo.cookie, { deltas: ['inbox', 'me'] })
      await tab.waitFor(() => tab.last.inbox)
      const { unread } = await cleo.get<InboxPayload>('/inbox')
      await db.query(`update saved set remind_ts = $1 where username = 'cleo'`, [now()])
      const from = performance.now()
      await tab.waitFor(() => tab.last.inbox!.unread === unread + sent.length, 10_000)
      expect(performance.now() - from).to.be.below(6_000)
      expect(await reminders(cleo)).to.have.members(sent)
      await eventually(async () => {
        const { rows } = await db.query(
          `select from saved where username = 'cleo' and reminded_ts is null and done_ts is null`,
        )
        expect(rows).to.have.length(0)
      })
      const { rows } = await db.query(`select ts from activity where kind = 'reminder' and username = 'cleo'`)
      expect(rows).to.have.length(sent.length)
      expect((await cleo.get<MePayload>('/me')).due, 'with the deleted one').to.equal(sent.length + 1)

      const { items } = await cleo.get<InboxPayload>('/inbox?kind=reminder')
      expect(items[0]).to.deep.include({ kind: 'reminder', channel: 'general', actors: ['bob'], read: false })
      await change(cleo, sent[0], { done: true })
      await cleo.postJson('/inbox/read', { ids: [items.find(one => one.message_id === sent[1])!.id] })
      expect((await cleo.get<InboxPayload>('/inbox')).unread).to.equal(unread + sent.length - 2)
      tab.close()
    })

    it('come again after another time was chosen', async () => {
      const { ada, bob } = world
      const id = await bob.send('general', 'twice')
      for (let at = 0; at < 2; at++) {
        await save(ada, id, { remind_in_minutes: 5 })
        await db.query(`update saved set remind_ts = 1 where username = 'ada' and message_id = $1`, [id])
        await eventually(async () => {
          const { items } = await ada.get<InboxPayload>('/inbox?kind=reminder&unread=1')
          expect(items.map(one => one.message_id)).to.deep.equal([id])
        })
      }
    })
  })
})
