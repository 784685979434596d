import { setTimeout as pause } from 'node:timers/promises'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import { MOST_RECEIPTS, MOST_SEEN_MESSAGES, MOST_SEEN_NAMES, type SeenState } from '#shared/domain/deltas.ts'
import type { MessagePayload, ReadReceiptsPayload } from '#shared/domain/payloads/messages.ts'
import { appendNotice } from '#shared/notices/notice-log.ts'
import { keysWith } from '#shared/stores/keys.ts'
import { canonical, DeltaTab, withoutOwn } from '#shared/test-kit/delta-tab.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { PASSWORD, Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** The office has fifty people; a guest is the fifty-first. */
describe('frames of readers in a channel that grows beyond fifty and shrinks again', function () {
  this.timeout(180_000)
  let world: World
  let gateways: RunningService[]
  let guests = 0
  const tabs: DeltaTab[] = []

  before(async () => {
    world = await newWorld({ apis: 2 })
    await world.backing.admin(
      `insert into users (username, password_hash, created_ts)
       select 'colleague-' || i, 'none', 0 from generate_series(5, ${MOST_RECEIPTS}) i`,
    )
    gateways = await Promise.all([0, 1].map(() => startService('events', world.backing.env)))
  })

  afterEach(() => {
    for (const tab of tabs.splice(0)) tab.close()
  })

  after(async () => {
    await Promise.all(gateways.map(gateway => gateway.stop()))
    await world.end()
  })

  async function opened(person: Person, gateway: RunningService, channel = 'general') {
    const tab = await new DeltaTab(person, channel).open(gateway)
    tabs.push(tab)
    return tab
  }

  const guest = () => new Person(`guest-${guests++}`, world.api[0]!.url).signUp()
  const quits = (person: Person) => person.postJson('/delete_account', { type: 'soft', password: PASSWORD })

  /** The watermarks of `read_receipts`, or the counts of GET /seen for the newest messages. */
  async function base(form: 'receipts' | 'counts', { person, channel }: DeltaTab): Promise<SeenState> {
    if (form === 'receipts') {
      const path = `/read_receipts/${channel}?most=${MOST_RECEIPTS}`
      return { channel, receipts: withoutOwn(person, await person.get<ReadReceiptsPayload>(path)) }
    }
    const rows = (await person.messages(channel)).filter(
      ({ deleted, content_type }: MessagePayload) => !deleted && content_type !== 'system',
    )
    const newest = rows.slice(-MOST_SEEN_MESSAGES).reverse()
    const messages = newest.map(async ({ id }) => {
      const { count, names } = await person.get<{ count: number; names: string[] }>(`/seen/${id}`)
      return { id, count, names: names.slice(0, MOST_SEEN_NAMES) }
    })
    return { channel, messages: await Promise.all(messages) }
  }

  /** Waits until the frames of each tab, applied in order, give what the endpoints return. */
  async function agree(form: 'receipts' | 'counts', some: DeltaTab[] = tabs) {
    await eventually(async () => {
      for (const tab of some) {
        const wanted = await base(form, tab)
        tab.apply()
        const { receipts, messages } = tab.seen ?? {}
        const others = receipts && withoutOwn(tab.person, receipts)
        expect(canonical(others), tab.person.name).to.equal(canonical(wanted.receipts))
        expect(messages, tab.person.name).to.deep.equal(wanted.messages)
      }
    }, 60_000)
  }

  it('equal the receipts, the counts and the receipts again on open streams', async () => {
    const { ada, bob, cleo } = world
    await opened(ada, gateways[0]!)
    await opened(bob, gateways[1]!)
    await ada.send('general', 'we are fifty')
    await cleo.markRead('general')
    await agree('receipts')

    const dora = await guest()
    await agree('counts')
    await dora.send('general', 'hello from the fifty-first')
    await bob.markRead('general')
    await cleo.markRead('general')
    await agree('counts')

    await quits(dora)
    await agree('receipts')
    await ada.send('general', 'fifty again')
    await cleo.markRead('general')
    await agree('receipts')
  })

  it('equal the same in a private channel', async () => {
    const { ada, bob, cleo } = world
    const colleagues = Array.from({ length: MOST_RECEIPTS - 4 }, (_, i) => `colleague-${i + 5}`)
    const den = await ada.createPrivateChannel('den', ['bob', 'cleo', 'mallory', ...colleagues])
    const dora = await guest()
    await opened(ada, gateways[0]!, den)
    await opened(bob, gateways[1]!, den)
    await ada.send(den, 'we are fifty')
    await cleo.markRead(den)
    await agree('receipts')
    await ada.addMember(den, dora.name)
    await agree('counts')
    await dora.markRead(den)
    await bob.markRead(den)
    await agree('counts')
    await dora.leave(den)
    await agree('receipts')
    await quits(dora)
  })

  it('equal both for a tab that reconnects on the other side, there or at another gateway', async () => {
    const { ada, cleo } = world
    const before = await Promise.all([0, 1].map(i => opened(ada, gateways[i]!)))
    await agree('receipts')
    for (const tab of before) tab.close()
    const dora = await guest()
    await cleo.markRead('general')
    // Each returns to the gateway of the other.
    await Promise.all(before.map((tab, i) => tab.open(gateways[1 - i]!)))
    await agree('counts')
    for (const tab of before) tab.close()
    await quits(dora)
    await cleo.send('general', 'she is gone')
    await Promise.all(before.map((tab, i) => tab.open(gateways[i]!)))
    await agree('receipts')
    for (const tab of before) {
      expect(tab.frames('seen')[0]).to.have.property('full')
      tab.close()
    }
    // Receipts that a gateway remembers from before the crossing are continued by their changes.
    const eve = await guest()
    const watching = await opened(cleo, gateways[0]!)
    await agree('counts', [watching])
    await quits(eve)
    await agree('receipts', [watching])
    await before[0]!.open(gateways[0]!)
    await agree('receipts')
    expect(before[0]!.frames('seen')[0] ?? {}).to.not.have.property('full')
  })

  it('include counts that a tab named when it opened, if it has got receipts since', async () => {
    const { ada, backing } = world
    const redis = new Redis(backing.env.REDIS_URL)
    const extra = 'insert into users (username, password_hash, created_ts)'
    const notice = { concerns: [{ collections: ['read_receipts'], channel: 'general' }] } as const
    const announce = () => appendNotice(redis, keysWith(backing.env.REDIS_PREFIX), notice)
    try {
      // Without watermark and message, so that the counts before and after are equal.
      await backing.admin(`${extra} values ('silent-1', 'none', 0)`)
      const tab = await opened(ada, gateways[0]!)
      await agree('counts')
      tab.close()
      await backing.admin(`delete from users where username = 'silent-1'`)
      await tab.open(gateways[1]!)
      await agree('receipts')
      await backing.admin(`${extra} values ('silent-2', 'none', 0)`)
      await announce()
      await agree('counts')
    } finally {
      redis.disconnect()
      await backing.admin(`delete from users where username like 'silent-%'`)
    }
  })

  it('with counts are at least two seconds apart, however fast people read', async () => {
    const { ada, bob, cleo } = world
    const dora = await guest()
    const tab = await openTab(gateways[0]!.url, ada.cookie, { channel: 'general', deltas: ['seen'] })
    try {
      for (let i = 0; tab.framesOf('seen').length < 4; i++) {
        await dora.send('general', `number ${i}`)
        await bob.markRead('general')
        await cleo.markRead('general')
        await pause(50)
      }
    } finally {
      tab.close()
    }
    const times = tab.framesOf('seen').map(({ at }) => at)
    // The first frame does not wait; it may come between two rounds.
    for (const [i, at] of times.slice(2).entries()) expect(at - times[i + 1]!).to.be.at.least(1_900)
  })
})
