import { expect } from 'chai'
import type { ChannelDaysPayload } from '#shared/domain/payloads/channels.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { daysOfMonth } from '#shared/domain/search-dates.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const seconds = (text: string) => Date.parse(text) / 1_000

describe('the days of a channel (interface 12.3)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'busy'] } })
  })
  after(() => world.end())

  const days = (person: Person, channel: string, month: string, tz?: string) =>
    person.get<ChannelDaysPayload>(
      `/channel_days/${channel}?month=${month}${tz ? `&tz=${encodeURIComponent(tz)}` : ''}`,
    )
  /** Messages by bob at these times, in order. */
  const post = (channel: string, times: number[]) =>
    world.backing.admin(
      `insert into messages (channel, ord, sender, content, ts)
       select '${channel}', place, 'bob', 'line ' || place, ts
         from unnest(array[${times}]::double precision[]) with ordinality as one (ts, place)`,
    )

  it('agree with the jump to a day across a change to summer time', async () => {
    const times = [
      seconds('2026-03-28T22:59:59Z'),
      // Midnight in Berlin, an hour before the clocks change; a day of 23 hours follows.
      seconds('2026-03-28T23:00:00Z'),
      seconds('2026-03-29T00:59:59Z'),
      seconds('2026-03-29T21:59:59Z'),
      seconds('2026-03-29T22:00:00Z'),
    ]
    await post('general', times)
    const { ada } = world
    const berlin = await days(ada, 'general', '2026-03', 'Europe/Berlin')
    expect(berlin.days).to.deep.equal({ 28: 1, 29: 3, 30: 1 })
    expect(berlin.first_ts).to.equal(times[0])
    expect((await days(ada, 'general', '2026-03')).days, 'UTC').to.deep.equal({ 28: 2, 29: 3 })
    expect((await ada.patchJson('/me', { timezone: 'Europe/Berlin' })).status).to.equal(204)
    expect((await days(ada, 'general', '2026-03')).days, 'of the profile').to.deep.equal(berlin.days)

    for (const [at, { start }] of daysOfMonth('2026-03', 'Europe/Berlin')!.entries()) {
      const count = berlin.days[at + 1] ?? 0
      if (count === 0) continue
      const page = await ada.get<MessagePayload[]>(`/messages/general?around_ts=${start}&limit=20`)
      const first = page.findIndex(row => row.ts >= start)
      expect(page[first]!.ts, `day ${at + 1}`).to.equal(times.find(ts => ts >= start))
      const next = start + (at + 1 === 29 ? 23 : 24) * 3600
      expect(page.filter(row => row.ts >= start && row.ts < next)).to.have.length(count)
    }
  })

  it('count up to 999, without deleted messages and those before the history of a late joiner', async () => {
    const { ada, bob } = world
    await ada.send('busy', 'of today')
    await world.backing.admin(
      `insert into messages (channel, ord, sender, content, ts)
       select 'busy', i, 'bob', 'line ' || i, ${seconds('2026-02-03T00:00:00Z')} + i from generate_series(1, 1200) i`,
    )
    expect(await days(ada, 'busy', '2026-02')).to.deep.include({ days: { 3: 999 } })
    const den = await world.privateChannel('den', [ada, bob])
    const gone = await ada.send(den, 'gone')
    await ada.send(den, 'before dora')
    await ada.delete(gone)
    const dora = await world.lateJoiner(den, ada)
    const { ts } = (await ada.messages(den)).at(-1)!
    const month = new Date(ts * 1_000).toISOString().slice(0, 7)
    const day = new Date(ts * 1_000).getUTCDate()
    const lines = (await ada.messages(den)).filter(row => row.deleted === 0)
    expect((await days(bob, den, month)).days).to.deep.equal({ [day]: lines.length })
    const ofDora = await days(dora, den, month)
    expect(ofDora.days[day]).to.be.lessThan(lines.length)
    expect(ofDora.first_ts).to.be.greaterThan(lines.find(row => row.content === 'before dora')!.ts)
  })

  it('are refused to strangers and for text that is no month', async () => {
    const { ada, mallory } = world
    const attic = await world.privateChannel('attic', [ada])
    for (const channel of [attic, 'private:4711', 'nowhere'])
      expect((await mallory.fetch(`/channel_days/${channel}?month=2026-03`)).status, channel).to.equal(404)
    for (const query of ['', 'month=2026', 'month=2026-13', 'month=1969-12', 'month=2026-03&tz=Mars'])
      expect((await ada.fetch(`/channel_days/general?${query}`)).status, query).to.equal(400)
    expect(await days(ada, attic, '2026-03')).to.deep.include({ days: {} })
  })
})
