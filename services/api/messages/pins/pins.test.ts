import { expect } from 'chai'
import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import type { PinsPayload } from '#shared/domain/payloads/later.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('pinned messages (interface 11.3)', function () {
  this.timeout(60_000)
  let world: World
  let gateway: RunningService
  before(async () => {
    world = await newWorld({ apis: 2, settings: { channels: ['general', 'full'] } })
    gateway = await startService('events', world.backing.env)
  })
  after(async () => {
    await gateway.stop()
    await world.end()
  })

  const pin = (person: Person, id: unknown) => person.fetch(`/pin/${id}`, { method: 'PUT' })
  const unpin = (person: Person, id: unknown) => person.fetch(`/pin/${id}`, { method: 'DELETE' })
  const pins = async (person: Person, channel: string) =>
    (await person.get<PinsPayload>(`/pins/${channel}`)).items.map(row => row.id)
  const number = async (person: Person, channel: string) =>
    (await person.get<ChannelInfoPayload>(`/channel_info/${channel}`)).pins
  const codeOf = async (response: Response) =>
    [response.status, ((await response.json()) as { code: string }).code] as const

  it('reach open tabs by the cursor once, with who pinned them', async () => {
    const { ada, bob } = world
    const id = await ada.send('general', 'Release rule: two names')
    const base = await openTab(gateway.url, bob.cookie, { channel: 'general' })
    const ours = await openTab(gateway.url, bob.cookie, {
      channel: 'general',
      deltas: ['extra', 'channel_info'],
    })
    await ours.waitFor(() => ours.last.channel_info?.pins === 0)
    expect((await pin(bob, id)).status).to.equal(204)
    expect((await pin(ada, id)).status, 'again').to.equal(204)
    const isPinned = (row: MessagePayload) => row.id === id && row.extra?.pinned !== undefined
    const row = await ours.waitFor(() => ours.rows().find(isPinned))
    expect(row.extra).to.deep.equal({ pinned: { by: 'bob', ts: row.reactions_ts } })
    await ours.waitFor(() => ours.last.channel_info?.pins === 1)
    await base.waitFor(() => base.rows().some(row => row.id === id && row.reactions_ts !== null))
    expect(base.raw).to.not.include('pinned')
    expect((await unpin(ada, id)).status).to.equal(204)
    await ours.waitFor(() => ours.last.channel_info?.pins === 0)
    await ours.waitFor(() => ours.rows().findLast(one => one.id === id)?.extra === undefined)
    expect(ours.rows().filter(isPinned)).to.have.length(1)
    expect((await unpin(ada, id)).status, 'again').to.equal(204)
    base.close()
    ours.close()
  })

  it('are listed the latest pin first, in pages', async () => {
    const { ada, bob } = world
    const sent: number[] = []
    for (const text of ['one', 'two', 'three']) sent.push(await ada.send('general', text))
    for (const id of sent) await pin(bob, id)
    expect(await pins(ada, 'general')).to.deep.equal(sent.toReversed())
    const first = await ada.get<PinsPayload>('/pins/general?limit=2')
    const second = await ada.get<PinsPayload>(`/pins/general?limit=2&cursor=${first.next}`)
    expect([...first.items, ...second.items].map(row => row.id)).to.deep.equal(sent.toReversed())
    expect(second.next).to.equal(null)
  })

  it('outlive an edit, and end with the message', async () => {
    const { ada, bob } = world
    const id = await bob.send('general', 'pinned for a while')
    await pin(ada, id)
    const before = await number(ada, 'general')
    await bob.edit(id, 'pinned and edited')
    expect(await pins(ada, 'general')).to.include(id)
    await bob.delete(id)
    expect(await pins(ada, 'general')).to.not.include(id)
    expect(await number(ada, 'general')).to.equal(before - 1)
    expect(await codeOf(await pin(ada, id)), 'deleted').to.deep.equal([404, 'not_found'])
  })

  it('are at most 100 in a channel, also with many at once', async () => {
    const { ada, bob } = world
    const sent: number[] = []
    for (let at = 0; at < 103; at++) sent.push(await ada.send('full', `note ${at}`))
    // In groups that do not wait for their turns too long on a busy machine.
    for (let from = 0; from < 98; from += 14) {
      const some = await Promise.all(sent.slice(from, from + 14).map(id => pin(ada, id)))
      expect(some.map(response => response.status)).to.deep.equal(some.map(() => 204))
    }
    const rest = await Promise.all(sent.slice(98).map((id, at) => pin(at % 2 ? ada : bob, id)))
    expect(rest.filter(response => response.status === 204)).to.have.length(2)
    const refused = rest.find(response => response.status !== 204)!
    expect(await codeOf(refused)).to.deep.equal([409, 'conflict'])
    expect(await number(bob, 'full')).to.equal(100)
  })

  it('are for those who may write in the channel, within their history', async () => {
    const { ada, bob, cleo, mallory } = world
    const den = await world.privateChannel('den', [ada, bob])
    const old = await ada.send(den, 'before dora')
    await pin(bob, old)
    expect(await codeOf(await pin(mallory, old))).to.deep.equal([404, 'not_found'])
    expect(await codeOf(await mallory.fetch(`/pins/${den}`))).to.deep.equal([404, 'not_found'])
    const dora = await world.lateJoiner(den, ada)
    const fresh = await ada.send(den, 'with dora')
    await pin(dora, fresh)
    expect(await codeOf(await pin(dora, old))).to.deep.equal([404, 'not_found'])
    expect([await pins(dora, den), await number(dora, den)]).to.deep.equal([[fresh], 1])
    expect([await pins(ada, den), await number(ada, den)]).to.deep.equal([[fresh, old], 2])

    const made = await ada.postJson('/public_channels', { name: 'News', posting: 'managers' })
    expect(made.status).to.equal(201)
    const news = await ada.send('news', 'read this')
    expect((await pin(ada, news)).status).to.equal(204)
    for (const attempt of [pin(cleo, news), unpin(cleo, news)])
      expect((await attempt).status, 'a reader').to.equal(403)
    await ada.postJson('/channel_info/news/archive', {})
    expect((await unpin(ada, news)).status, 'archived').to.equal(403)
    expect(await pins(cleo, 'news')).to.deep.equal([news])
  })
})
