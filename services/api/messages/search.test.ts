import { expect } from 'chai'
import pg from 'pg'
import type { SearchResultPayload } from '#shared/domain/payloads/search.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import type { Person } from '#shared/test-kit/person.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'
import { type SearchFilters, search as searchThrough } from './search.ts'

describe('search (interface 4.3, 8)', () => {
  let world: World
  before(async function () {
    this.timeout(120_000)
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

  it('finds a substring case-insensitively, newest first, in channels that the viewer may read', async () => {
    expect(await contents({ q: 'WATCHDOG' })).to.deep.equal([
      'secret watchdog',
      'watchdog_timer sketch',
      'The Watchdog resets at 100% load',
    ])
    expect(await contents({ q: 'watchdog' }, world.mallory)).to.not.include('secret watchdog')
  })

  it('returns id, channel, sender, content and ts', async () => {
    const [result] = await search({ q: 'sketch' })
    expect(Object.keys(result!)).to.have.members(['id', 'channel', 'sender', 'content', 'ts'])
  })

  it('takes %, _ and \\ literally', async () => {
    expect(await contents({ q: '100%' })).to.have.length(1)
    expect(await contents({ q: 'g_t' })).to.have.length(1)
    expect(await contents({ q: '%%%' })).to.deep.equal([])
    expect(await contents({ q: '\\' })).to.deep.equal([])
  })

  it('finds words that are too short for the index', async () => {
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

  it('returns nothing without a filter', async () => {
    expect(await contents({})).to.deep.equal([])
    expect(await contents({ q: '', start: 'x' })).to.deep.equal([])
  })

  it('omits deleted messages and finds the edited text', async () => {
    const id = await world.ada.send('general', 'zebra crossing')
    await world.ada.edit(id, 'giraffe crossing')
    expect(await contents({ q: 'zebra' })).to.deep.equal([])
    expect(await contents({ q: 'giraffe' })).to.have.length(1)
    await world.ada.delete(id)
    expect(await contents({ q: 'giraffe' })).to.deep.equal([])
  })

  it('returns at most fifty, and the next fifty before an id', async () => {
    for (let i = 0; i < 60; i++) await world.cleo.send('design', `flood ${i}`)
    const first = await search({ q: 'flood' })
    expect(first).to.have.length(50)
    const rest = await contents({ q: 'flood', before_id: String(first.at(-1)!.id) })
    expect(rest).to.deep.equal(Array.from({ length: 10 }, (_, i) => `flood ${9 - i}`))
  })

  it('reveals nothing of a message that the viewer cannot read, not even its time', async () => {
    const secret = await world.bob.send('dm:bob:cleo', 'not for ada')
    await world.ada.send('general', 'later watchdog')
    expect(await contents({ q: 'watchdog', before_id: String(secret) })).to.deep.equal([])
    expect(await contents({ q: 'watchdog', before_id: String(secret) }, world.bob)).to.include(
      'secret watchdog',
    )
    expect(await contents({ q: 'watchdog', before_id: '999999999' })).to.deep.equal([])
  })

  it('runs at most three times at once per user', async () => {
    await world.backing.settings({ rate_limit_enabled: true, channels: ['general', 'design'] })
    const ask = (who: Person) => who.fetch('/search_messages?q=watchdog')
    await eventually(async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => ask(world.ada)))
      const refused = responses.filter(response => response.status === 429)
      expect(refused).to.not.have.length(0)
      expect(refused[0]!.headers.get('Retry-After')).to.equal('1')
      expect(responses.filter(response => response.status === 200).length).to.be.at.least(3)
    })
    expect((await ask(world.bob)).status).to.equal(200)
    await world.backing.settings({ rate_limit_enabled: false, channels: ['general', 'design'] })
    await eventually(async () => {
      const responses = await Promise.all(Array.from({ length: 20 }, () => ask(world.cleo)))
      expect(responses.every(response => response.status === 200)).to.equal(true)
    })
  })

  describe('without a usable index', () => {
    let db: pg.Pool
    before(() => {
      db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 1 })
    })
    after(() => db.end())

    /** Searches as the api does, but scans ten messages instead of two hundred thousand. */
    const found = async (filters: SearchFilters) => {
      const settings = { current: { channels: ['general', 'design'] } }
      const results = await searchThrough({ db, pool: db, settings } as unknown as Stores, 'ada', filters, 10)
      return results.map(({ content }) => content)
    }

    it('scans only the newest messages that match the other filters', async () => {
      await world.bob.send('general', 'qx, said by bob')
      await world.ada.send('design', 'qx, elsewhere')
      for (let i = 0; i < 10; i++) await world.ada.send('general', `newer ${i}`)
      expect(await found({ q: 'qx' })).to.deep.equal([])
      expect(await found({ q: 'qx', channel: 'design' })).to.deep.equal(['qx, elsewhere'])
      expect(await found({ q: 'qx', from: 'BOB' })).to.deep.equal(['qx, said by bob'])
      const [newer] = await search({ q: 'newer 0' })
      const both = ['qx, elsewhere', 'qx, said by bob']
      expect(await found({ q: 'qx', end: newer!.ts })).to.deep.equal(both)
      expect(await found({ q: 'qx', beforeId: newer!.id })).to.deep.equal(both)
      expect(await found({ q: 'r 9' })).to.deep.equal(['newer 9'])
      expect(await found({ q: 'qx, said' }), 'the index has it').to.deep.equal(['qx, said by bob'])
      expect(await contents({ q: 'qx' })).to.deep.equal(both)
    })

    it('scans only the newest messages of a user, including those that the viewer cannot read', async () => {
      await world.cleo.send('general', 'hello from cleo')
      for (let i = 0; i < 10; i++) await world.cleo.send('dm:bob:cleo', `between us ${i}`)
      expect(await found({ from: 'cleo' })).to.deep.equal([])
      expect(await found({ from: 'cleo', channel: 'general' })).to.include('hello from cleo')
      expect(await contents({ from: 'cleo' })).to.include('hello from cleo')
    })

    it('scans for words of which the database’s locale yields no trigram', async () => {
      await world.ada.send('design', 'привет всем')
      for (let i = 0; i < 10; i++) await world.ada.send('design', `even newer ${i}`)
      const { rows } = await db.query<{ hasTrigrams: boolean }>(
        `select show_trgm('привет') <> '{}' as "hasTrigrams"`,
      )
      expect(await found({ q: 'ПРИВЕТ' })).to.deep.equal(rows[0]!.hasTrigrams ? ['привет всем'] : [])
      expect(await contents({ q: 'привет' })).to.deep.equal(['привет всем'])
    })
  })
})
