import { expect } from 'chai'
import pg from 'pg'
import type { MePayload } from '#shared/domain/payloads/account.ts'
import type { DraftPayload } from '#shared/domain/payloads/later.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('drafts (interface 11.5)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general'] } })
  })
  after(() => world.end())

  const put = (person: Person, channel: string, body: unknown) =>
    person.fetch(`/drafts/${channel}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  const drafts = (person: Person) => person.get<DraftPayload[]>('/drafts')
  const codeOf = async (response: Response) =>
    [response.status, ((await response.json()) as { code: string }).code] as const
  const now = () => Date.now() / 1_000

  it('are the newest of two devices: the older write loses, also to a removal', async () => {
    const { ada, bob } = world
    const root = await ada.send('general', 'a root')
    const [first, second, third] = [now() - 30, now() - 20, now() - 10]
    await put(ada, 'general', { text: 'on the phone', updated_ts: second })
    const { drafts_rev } = await ada.get<MePayload>('/me')
    const older = await put(ada, 'general', { text: 'on the desk', updated_ts: first })
    expect([older.status, Number(older.headers.get('X-Draft-Ignored'))]).to.deep.equal([204, second])
    const { drafts_rev: still } = await ada.get<MePayload>('/me')
    expect(still, 'an ignored write').to.equal(drafts_rev)
    expect(await drafts(ada)).to.deep.equal([
      { channel: 'general', thread_id: 0, text: 'on the phone', updated_ts: second },
    ])
    await put(ada, 'general', { text: 'in a thread', thread_id: root, updated_ts: third })
    expect((await drafts(ada)).map(one => one.text)).to.deep.equal(['in a thread', 'on the phone'])
    expect((await ada.get<MePayload>('/me')).drafts_rev).to.be.above(drafts_rev)
    await put(ada, 'general', { text: '', updated_ts: third })
    await put(ada, 'general', { text: 'late to arrive', updated_ts: third - 1 })
    expect((await drafts(ada)).map(one => one.text)).to.deep.equal(['in a thread'])
    await put(ada, 'general', { text: '', thread_id: root, updated_ts: now() })
    expect(await drafts(ada)).to.deep.equal([])
    expect(await drafts(bob)).to.deep.equal([])
  })

  it('of a device whose clock is ahead do not win for ever', async () => {
    const { bob } = world
    await put(bob, 'general', { text: 'from tomorrow', updated_ts: now() + 86_400 })
    await new Promise(resolve => setTimeout(resolve, 5))
    await put(bob, 'general', { text: 'from now', updated_ts: now() + 1 })
    expect((await drafts(bob)).map(one => one.text)).to.deep.equal(['from now'])
  })

  it('are for channels that the person reads, with fields that fit', async () => {
    const { ada, bob, mallory } = world
    const den = await world.privateChannel('den', [ada, bob])
    const inDen = await ada.send(den, 'a root')
    const fitting = { text: 'x', updated_ts: now() }
    const root = await ada.send('general', 'a root')
    const reply = await ada.send('general', 'a reply', { reply_to_id: String(root) })
    expect(await codeOf(await put(mallory, den, fitting))).to.deep.equal([404, 'not_found'])
    for (const [channel, thread_id] of [
      ['dm:mallory:nobody-yet', 0],
      ['general', inDen],
      ['general', 987_654],
      ['general', reply],
    ] as const)
      expect(await codeOf(await put(mallory, channel, { ...fitting, thread_id })), channel).to.deep.equal([
        404,
        'not_found',
      ])
    for (const [body, code] of [
      [{}, 'required'],
      [{ ...fitting, text: 7 }, 'required'],
      [{ ...fitting, text: 'a\0' }, 'invalid'],
      [{ ...fitting, text: '\ud800' }, 'invalid'],
      [{ ...fitting, text: 'x'.repeat(10_001) }, 'too_long'],
      [{ ...fitting, thread_id: '1' }, 'required'],
      [{ ...fitting, thread_id: -1 }, 'invalid'],
      [{ text: 'x' }, 'required'],
      [{ ...fitting, updated_ts: -1 }, 'invalid'],
    ] as const)
      expect(
        await codeOf(await put(mallory, 'general', body)),
        JSON.stringify(body).slice(0, 60),
      ).to.deep.equal([400, code])
    expect(await drafts(mallory)).to.deep.equal([])
    const db = new pg.Client(world.backing.env.DATABASE_URL)
    await db.connect()
    await db.query(
      `insert into drafts (username, channel, thread_id, text, updated_ts)
       select 'mallory', 'general', n, 'x', 0 from generate_series(1, 200) n`,
    )
    await db.end()
    expect(await codeOf(await put(mallory, 'general', fitting))).to.deep.equal([409, 'conflict'])
    const known = await put(mallory, 'general', { text: '', thread_id: 7, updated_ts: now() })
    expect(known.status, 'a known one').to.equal(204)
    expect((await put(mallory, 'general', fitting)).status, 'room again').to.equal(204)
  })

  it('are kept in a thread whose root is hidden from a late joiner', async () => {
    const { ada, bob } = world
    const nook = await world.privateChannel('nook', [ada, bob])
    const root = await ada.send(nook, 'before dora came')
    const hidden = await ada.send(nook, 'a thread without visible messages')
    const dora = await world.lateJoiner(nook, ada)
    await bob.send(nook, 'a visible reply', { reply_to_id: String(root) })
    const draft = { text: 'unsent', thread_id: root, updated_ts: now() - 5 }
    expect((await put(dora, nook, draft)).status).to.equal(204)
    expect(await drafts(dora)).to.deep.equal([{ channel: nook, ...draft }])
    expect((await put(dora, nook, { ...draft, thread_id: hidden })).status).to.equal(404)
  })

  it('of a channel that the person left are not listed, and can be removed', async () => {
    const { ada, cleo } = world
    const attic = await world.privateChannel('attic', [ada, cleo])
    await put(cleo, attic, { text: 'unsent', updated_ts: now() - 5 })
    expect(await drafts(cleo)).to.have.length(1)
    await cleo.leave(attic)
    expect(await drafts(cleo)).to.deep.equal([])
    expect((await put(cleo, attic, { text: 'more', updated_ts: now() })).status).to.equal(404)
    expect((await put(cleo, attic, { text: '', updated_ts: now() })).status).to.equal(204)
    expect((await put(ada, attic, { text: '', updated_ts: now() })).status, 'without a draft').to.equal(204)
  })
})
