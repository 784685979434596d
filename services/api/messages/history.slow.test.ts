import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import pg from 'pg'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import type { SearchResultPayload } from '#shared/domain/payloads/search.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const COUNT = 600
const LONG = '長'.repeat(10_000)

describe('a long history of long messages (interface 4.3, GET /messages)', () => {
  let world: World
  let db: pg.Pool
  let channel: ChannelId

  before(async () => {
    world = await newWorld()
    db = new pg.Pool({ connectionString: world.backing.env.DATABASE_URL, max: 1 })
    channel = await world.privateChannel('long', [world.ada, world.bob])
    await db.query(
      `insert into messages (channel, ord, sender, content, ts)
       select $1, place, 'ada', $2 || place, extract(epoch from clock_timestamp()) + place
         from generate_series(1, $3) place`,
      [channel, LONG, COUNT],
    )
  })
  after(async () => {
    await db.end()
    await world.end()
  })

  const allowHistories = (rate_limit_enabled: boolean) => world.backing.settings({ rate_limit_enabled })

  /** A reader that sends a request and reads nothing. */
  async function pausedReader(path: string): Promise<IncomingMessage> {
    const request = get(world.ada.at + path, { agent: false, headers: { Cookie: world.ada.cookie } })
    const [response] = (await once(request, 'response')) as [IncomingMessage]
    response.on('error', () => {})
    return response
  }

  const residentMiB = () => {
    const status = readFileSync(`/proc/${world.api[0]!.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1024
  }

  const openFiles = () => readdirSync(`/proc/${world.api[0]!.pid}/fd`).length

  it('arrives complete and in order, from the beginning, from a cursor and in pages', async () => {
    const all = await world.ada.messages(channel)
    expect(all.map(row => row.content)).to.deep.equal(Array.from({ length: COUNT }, (_, i) => LONG + (i + 1)))
    const since = await world.ada.messages(channel, all[99]!.ts)
    expect(since.map(row => row.id)).to.deep.equal(all.slice(100).map(row => row.id))
    const page = await world.ada.get<MessagePayload[]>(`/messages/${channel}?limit=200`)
    expect(page.map(row => row.id)).to.deep.equal(all.slice(-200).map(row => row.id))
    const middle = await world.ada.get<MessagePayload[]>(
      `/messages/${channel}?around=${all[300]!.id}&limit=100`,
    )
    expect(middle.map(row => row.id)).to.deep.equal(all.slice(250, 350).map(row => row.id))
  })

  it('is not returned for limit=0', async () => {
    for (const limit of ['0', '-1', 'x', '']) {
      const response = await world.ada.fetch(`/messages/${channel}?limit=${limit}`)
      expect([response.status, await response.text()], limit).to.deep.equal([
        400,
        'limit must be a number from 1 to 200',
      ])
    }
  })

  it('costs the api little memory for stalled readers, who are cut off', async function () {
    this.timeout(240_000)
    await allowHistories(false)
    const before = residentMiB()
    const open = openFiles()
    const paths = [`/messages/${channel}`, `/messages/${channel}?limit=200`]
    const readers = await Promise.all(Array.from({ length: 50 }, (_, i) => pausedReader(paths[i % 2]!)))
    let most = 0
    // A stalled client does not notice the cut, so count the sockets of the api.
    await eventually(() => {
      most = Math.max(most, residentMiB() - before)
      expect(openFiles()).to.be.at.most(open + 10)
    }, 60_000)
    for (const reader of readers) reader.destroy()
    // Mostly garbage: the kernel buffers some megabytes per reader. Whole pages of rows took 1,800 MiB.
    expect(most).to.be.lessThan(300)
  })

  /** Opens `count` readers that read nothing, one after the other, until the first `most` of them are not refused. */
  async function expectAtOnce(path: string, count: number, most: number) {
    await eventually(async () => {
      const readers: IncomingMessage[] = []
      for (let i = 0; i < count; i++) readers.push(await pausedReader(path))
      const refused = readers.find(reader => reader.statusCode === 429)
      const statuses = readers.map(reader => reader.statusCode)
      for (const reader of readers) reader.destroy()
      expect(statuses).to.deep.equal([...Array(most).fill(200), ...Array(count - most).fill(429)])
      expect(refused?.headers['retry-after']).to.equal('1')
    })
  }

  it('is sent to four requests per user at once; further ones get 429', async () => {
    await allowHistories(true)
    await expectAtOnce(`/messages/${channel}`, 6, 4)
    expect((await world.bob.fetch(`/messages/${channel}?limit=1`)).status).to.equal(200)
    await eventually(async () => {
      expect((await world.ada.fetch(`/messages/${channel}?after=inf`)).status).to.equal(200)
    })
  })

  it('is sent in pages to sixteen requests per user at once; further ones get 429', async () => {
    await allowHistories(true)
    const { id, ts } = (await world.ada.messages(channel, COUNT))[300]!
    for (const query of ['limit=200', `around=${id}&limit=200`, `around_ts=${ts}&limit=200`]) {
      await expectAtOnce(`/messages/${channel}?${query}`, 20, 16)
    }
    expect((await world.bob.fetch(`/messages/${channel}?limit=1`)).status).to.equal(200)
    await eventually(async () => {
      expect((await world.ada.fetch(`/messages/${channel}?limit=1`)).status).to.equal(200)
    })
  })

  it('is searched by three requests per user at once, until their results are read', async () => {
    await allowHistories(true)
    // Longer than a user can write: fifty results of the usual length fit into the buffers of the kernel.
    await db.query(`update messages set content = repeat(content, 10) where channel = $1 and ord > $2 - 50`, [
      channel,
      COUNT,
    ])
    await expectAtOnce(`/search_messages?channel=${channel}&from=ada`, 5, 3)
    const found = await eventually(() =>
      world.ada.get<SearchResultPayload[]>(`/search_messages?channel=${channel}&from=ada`),
    )
    expect(found).to.have.length(50)
  })
})
