import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { programOf } from '#shared/test-kit/program.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

const MANY = 60

describe('outgoing hooks, when Redis is emptied and processes are killed', function () {
  this.timeout(240_000)
  let world: World
  let db: pg.Client
  let redis: Redis
  let server: Server
  let janitor: RunningService
  let previews: RunningService
  /** Tries of each text, by `webhook-id`. */
  const tries = new Map<string, string[]>()
  const accepted = new Set<string>()

  before(async () => {
    world = await newWorld({ settings: { channels: ['general'], hooks_allow: ['127.0.0.0/8'] } })
    const { env } = world.backing
    db = new pg.Client(env.DATABASE_URL)
    await db.connect()
    redis = new Redis(env.REDIS_URL)
    server = createServer(async (req, res) => {
      let body = ''
      for await (const chunk of req) body += chunk
      const { content } = (JSON.parse(body) as { data: { content: string } }).data
      const ids = [...(tries.get(content) ?? []), String(req.headers['webhook-id'])]
      tries.set(content, ids)
      // The first try of each text fails.
      if (ids.length > 1) accepted.add(content)
      res.writeHead(ids.length > 1 ? 200 : 500).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    ;[janitor, previews] = await Promise.all([startService('janitor', env), startService('previews', env)])
  })
  after(async () => {
    await Promise.all([janitor?.stop(), previews?.stop()])
    server?.close()
    server?.closeAllConnections()
    redis?.disconnect()
    await db?.end()
    await world?.end()
  })

  /** All keys of this workspace. */
  async function emptyRedis() {
    const keys = await redis.keys(`${world.backing.env.REDIS_PREFIX}*`)
    expect(keys).to.not.have.length(0)
    await redis.del(...keys)
  }

  async function restartJanitor() {
    await janitor.kill()
    janitor = await startService('janitor', world.backing.env)
  }

  async function restartPreviews() {
    await previews.kill()
    previews = await startService('previews', world.backing.env)
  }

  it('lose nothing, and keep the id of a delivery over all tries', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const hook = { name: 'Faults', url, events: ['message.created'] }
    expect((await world.bob.postJson('/hooks_out', hook)).status).to.equal(201)
    // Sessions end with the keys of Redis, tokens do not.
    const bob = await programOf(world.bob, { scopes: ['write'] })
    const faults: Record<number, () => Promise<unknown>> = {
      10: emptyRedis,
      20: restartJanitor,
      30: restartPreviews,
      40: emptyRedis,
      50: () => Promise.all([restartJanitor(), restartPreviews(), emptyRedis()]),
    }
    const texts = Array.from({ length: MANY }, (_, i) => `under fire ${i}`)
    for (const [i, text] of texts.entries()) {
      await bob.send('general', text)
      await faults[i]?.()
    }
    await eventually(async () => {
      // Pauses after failed tries, which grow to hours.
      await db.query(`update deliveries set next_try_ts = 0 where state = 'waiting' and leased_until is null`)
      const { rows } = await db.query(`select count(*)::integer as sent from deliveries where state = 'sent'`)
      expect(rows).to.deep.equal([{ sent: MANY }])
    }, 150_000)
    expect([...accepted]).to.have.members(texts)
    for (const [text, ids] of tries) {
      expect(ids.length, text).to.be.at.least(2)
      expect(new Set(ids).size, text).to.equal(1)
    }
  })
})
