import { expect } from 'chai'
import type { SearchResultPayload } from '#shared/rules/payloads.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

describe('search (interface 4.3, 8)', () => {
  let world: World
  before(async () => {
    world = await newWorld({ settings: { channels: ['general', 'design'] } })
    await world.ada.send('general', 'The Watchdog resets at 100% load')
    await world.bob.send('design', 'watchdog_timer sketch')
    await world.bob.send('dm:ada:bob', 'secret watchdog')
    await world.ada.send('general', 'ok')
  })
  after(() => world.end())

  const search = (query: Record<string, string>, who = world.ada) =>
    who.get<SearchResultPayload[]>(`/search_messages?${new URLSearchParams(query)}`)
  const contents = async (query: Record<string, string>, who = world.ada) =>
    (await search(query, who)).map(result => result.content)

  it('finds a substring without regard to case, newest first, in channels that the viewer may read', async () => {
    expect(await contents({ q: 'WATCHDOG' })).to.deep.equal([
      'secret watchdog',
      'watchdog_timer sketch',
      'The Watchdog resets at 100% load',
    ])
    expect(await contents({ q: 'watchdog' }, world.mallory)).to.not.include('secret watchdog')
  })

  it('answers id, channel, sender, content and ts', async () => {
    const [result] = await search({ q: 'sketch' })
    expect(Object.keys(result!)).to.have.members(['id', 'channel', 'sender', 'content', 'ts'])
  })

  it('takes %, _ and \\ literally', async () => {
    expect(await contents({ q: '100%' })).to.have.length(1)
    expect(await contents({ q: 'g_t' })).to.have.length(1)
    expect(await contents({ q: '%%%' })).to.deep.equal([])
    expect(await contents({ q: '\\' })).to.deep.equal([])
  })

  it('finds words too short for the index', async () => {
    expect(await contents({ q: 'OK' })).to.deep.equal(['ok'])
  })

  it('combines filters with and', async () => {
    expect(await contents({ q: 'watchdog', from: 'BOB', channel: 'design' })).to.deep.equal([
      'watchdog_timer sketch',
    ])
    expect(await contents({ from: 'bob', channel: 'dm:bob:ada' })).to.deep.equal(['secret watchdog'])
    expect(await contents({ channel: 'dm:ada:bob' }, world.mallory)).to.deep.equal([])
    const [sketch] = await search({ q: 'sketch' })
    expect(await contents({ start: String(sketch!.ts), end: String(sketch!.ts + 0.000_001) })).to.deep.equal([
      'watchdog_timer sketch',
    ])
    expect(await contents({ q: 'sketch', end: String(sketch!.ts) })).to.deep.equal([])
    expect(await contents({ q: 'sketch', start: 'soon', end: '' })).to.have.length(1)
  })

  it('answers nothing without a filter', async () => {
    expect(await contents({})).to.deep.equal([])
    expect(await contents({ q: '', start: 'x' })).to.deep.equal([])
  })

  it('forgets what is deleted and follows what is edited', async () => {
    const id = await world.ada.send('general', 'zebra crossing')
    await world.ada.edit(id, 'giraffe crossing')
    expect(await contents({ q: 'zebra' })).to.deep.equal([])
    expect(await contents({ q: 'giraffe' })).to.have.length(1)
    await world.ada.delete(id)
    expect(await contents({ q: 'giraffe' })).to.deep.equal([])
  })

  it('answers fifty at most, and the next fifty before an id', async () => {
    for (let i = 0; i < 60; i++) await world.cleo.send('design', `flood ${i}`)
    const first = await search({ q: 'flood' })
    expect(first).to.have.length(50)
    const rest = await contents({ q: 'flood', before_id: String(first.at(-1)!.id) })
    expect(rest).to.deep.equal(Array.from({ length: 10 }, (_, i) => `flood ${9 - i}`))
  })
})
