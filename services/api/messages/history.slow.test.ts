import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { expect } from 'chai'
import pg from 'pg'
import type { MessagePayload } from '#shared/domain/payloads.ts'
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
    this.timeout(90_000)
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
    }, 45_000)
    for (const reader of readers) reader.destroy()
    // Mostly garbage: the kernel buffers some megabytes per reader. Whole pages of rows took 1,800 MiB.
    expect(most).to.be.lessThan(300)
  })

  it('is sent to four requests per user at once; further ones get 429', async () => {
    await allowHistories(true)
    await eventually(async () => {
      const readers = await Promise.all(Array.from({ length: 6 }, () => pausedReader(`/messages/${channel}`)))
      const statuses = readers.map(reader => reader.statusCode)
      const refused = readers.find(reader => reader.statusCode === 429)
      for (const reader of readers) reader.destroy()
      expect(statuses.filter(status => status === 200)).to.have.length(4)
      expect(refused?.headers['retry-after']).to.equal('1')
    })
    expect((await world.bob.fetch(`/messages/${channel}?limit=1`)).status).to.equal(200)
    await eventually(async () => {
      expect((await world.ada.fetch(`/messages/${channel}?after=inf`)).status).to.equal(200)
    })
  })
})
