import { randomBytes, randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import pg from 'pg'
import { Webhook } from 'standardwebhooks'
import { eventually } from '#shared/test-kit/eventually.ts'
import { killableRedis } from '#shared/test-kit/killable-redis.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type Program, programOf } from '#shared/test-kit/program.ts'
import { type KillableStore, startKillablePostgres } from '../../dev-stores/postgres.ts'
import type { startKillableRedis } from '../../dev-stores/redis.ts'
import { temporaryFolder } from '../../processes/children.ts'

const CHANNELS = ['general', 'office'] as const
const HOOKS_OF_CHANNEL = 5
/** ms between two messages: with the hooks of a channel, 50 deliveries a second. */
const EVERY = 100
/** Deliveries that arrive between two faults. */
const BETWEEN = 60

interface Try {
  id: string
  timestamp: number
  isSigned: boolean
}

/**
 * Interface 19.5, 4: each delivery arrives at least once, with one `webhook-id` on every try. Uses its own stores, because
 * it kills them.
 */
describe('outgoing hooks, when processes and stores are killed under 50 deliveries a second', function () {
  this.timeout(240_000)
  let postgres: KillableStore
  let redis: Awaited<ReturnType<typeof startKillableRedis>>
  let receiver: Awaited<ReturnType<typeof openReceiver>>
  let env: Record<string, string>
  let apis: [RunningService, RunningService]
  let janitor: RunningService
  let previews: RunningService
  let bob: Program
  const { path: folder, remove } = temporaryFolder('bothy-deliveries-')

  before(async function () {
    redis = await killableRedis(this)
    postgres = await startKillablePostgres()
    receiver = await openReceiver()
    const settings = join(folder, 'settings.json')
    writeFileSync(
      settings,
      '{"rate_limit_enabled": false, "hooks_allow": ["127.0.0.0/8"], "channels": ["general", "office"]}',
    )
    env = {
      DATABASE_URL: postgres.url,
      REDIS_URL: redis.url,
      REDIS_PREFIX: 'bothy:',
      SESSION_SECRET: randomBytes(32).toString('hex'),
      FILES_URL: pathToFileURL(join(folder, 'files')).href,
      SETTINGS_FILE: settings,
      PASSWORD_ITERATIONS: '1000',
      LOG_LEVEL: 'fatal',
    }
    const first = await startService('api', env)
    apis = [first, await startService('api', env)]
    ;[janitor, previews] = await Promise.all([startService('janitor', env), startService('previews', env)])
    // Each has a maker of its own: one maker has few deliveries on their way.
    for (const [i, path] of CHANNELS.flatMap(pathsOf).entries()) {
      const maker = await new Person(`maker-${i}`, first.url).signUp()
      const channels = [path.split('/')[1]]
      const hook = { name: path, url: receiver.url + path, events: ['message.created'], channels }
      const made = await maker.postJson('/hooks_out', hook)
      expect(made.status).to.equal(201)
      receiver.secrets.set(path, ((await made.json()) as { secret: string }).secret)
    }
    // Sessions end with the keys of Redis, tokens do not.
    bob = await programOf(await new Person('bob', first.url).signUp(), { scopes: ['write'] })
  })
  after(async () => {
    await Promise.all([...(apis ?? []), janitor, previews].map(service => service?.stop()))
    await receiver?.close()
    await Promise.all([postgres?.stop(), redis?.stop()])
    remove()
  })

  async function restartApi(i: 0 | 1) {
    await apis[i].kill()
    apis[i] = await startService('api', env)
  }
  async function restartJanitor() {
    await janitor.kill()
    janitor = await startService('janitor', env)
  }
  async function restartPreviews() {
    await previews.kill()
    previews = await startService('previews', env)
  }
  async function restartRedis({ forget = false } = {}) {
    await redis.kill()
    if (forget) redis.forget()
    await redis.start()
  }
  async function restartPostgres() {
    await postgres.kill()
    await postgres.start()
  }
  async function flushRedis() {
    const client = new Redis(redis.url)
    await client.flushall()
    client.disconnect()
  }
  /** PostgreSQL ends all its connections then. */
  async function killBackend() {
    const [{ pid }] = (await rows<{ pid: number }>(
      `select pid from pg_stat_activity
        where backend_type = 'client backend' and pid <> pg_backend_pid() limit 1`,
    )) as [{ pid: number }]
    process.kill(pid, 'SIGKILL')
  }

  it('A5: lose nothing, and send each delivery under one id', async () => {
    const load = sendAll(bob, () => apis)
    const faults: (() => Promise<unknown>)[] = [
      () => restartApi(0),
      restartJanitor,
      flushRedis,
      restartPreviews,
      restartRedis,
      killBackend,
      restartPostgres,
      () => Promise.all([restartJanitor(), restartPreviews(), restartRedis({ forget: true })]),
      () => Promise.all([restartApi(1), restartPostgres(), flushRedis()]),
    ]
    for (const fault of faults) {
      await receiver.waitForMore(BETWEEN)
      await load.waitForSends()
      await fault()
    }
    const { acknowledged, repeated } = await load.stop()
    expect(repeated, 'acknowledged after a repetition').to.be.greaterThan(0)

    const stored = await eventually(settled, 90_000)
    expect(stored).to.include.members([...acknowledged])
    expect(new Set(stored).size, 'messages stored twice').to.equal(stored.length)
    const ids = new Set<string>()
    for (const text of stored) {
      for (const path of pathsOf(channelOf(text))) {
        const key = `${path} ${text}`
        const tries = receiver.tries.get(key) ?? []
        expect(receiver.accepted, 'accepted').to.include(key)
        expect(new Set(tries.map(({ id }) => id)).size, `ids of ${key}`).to.equal(1)
        expect(
          tries.every(({ isSigned }) => isSigned),
          `signatures of ${key}`,
        ).to.equal(true)
        const times = tries.map(({ timestamp }) => timestamp)
        expect(times, `times of ${key}`).to.deep.equal(times.toSorted((a, b) => a - b))
        ids.add(tries[0]!.id)
      }
    }
    expect(ids.size, 'ids of all').to.equal(stored.length * HOOKS_OF_CHANNEL)
    expect(receiver.tries.size, 'deliveries that arrived').to.equal(stored.length * HOOKS_OF_CHANNEL)
  })

  /** The texts of all messages, once nothing waits. Shortens the pauses after failed tries, which grow to hours. */
  async function settled() {
    await rows(
      `update deliveries set next_try_ts = extract(epoch from now())
        where state = 'waiting' and leased_until is null and next_try_ts > extract(epoch from now())`,
    )
    const texts = (await rows<{ content: string }>(`select content from messages where sender = 'bob'`)).map(
      ({ content }) => content,
    )
    const left = await rows(
      `select (select count(*)::integer from outgoing_events) as events,
              (select count(*)::integer from deliveries where state = 'sent') as sent`,
    )
    expect(left).to.deep.equal([{ events: 0, sent: texts.length * HOOKS_OF_CHANNEL }])
    return texts
  }

  async function rows<Row extends pg.QueryResultRow>(statement: string) {
    const client = new pg.Client(postgres.url)
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Row>(statement)).rows
    } finally {
      await client.end()
    }
  }
})

const pathsOf = (channel: string) => Array.from({ length: HOOKS_OF_CHANNEL }, (_, i) => `/${channel}/${i}`)
const numberOf = (text: string) => Number(text.split(' ')[1])
const channelOf = (text: string) => CHANNELS[numberOf(text) % 2]!

/**
 * Sends a text each EVERY through the api processes in turn until stopped. Half of them have a `client_id` and are
 * repeated until they are acknowledged; the others are sent once.
 */
function sendAll({ token }: Program, apis: () => RunningService[]) {
  const acknowledged = new Set<string>()
  const underway = new Set<Promise<void>>()
  let repeated = 0
  let isGoing = true

  const send = async (i: number) => {
    const id = i % 4 < 2 ? randomUUID() : undefined
    for (let times = 0; times === 0 || id !== undefined; times++) {
      if (
        await isAcknowledged(apis()[(i + times) % 2]!.url, token, {
          text: `message ${i}`,
          id,
        })
      ) {
        acknowledged.add(`message ${i}`)
        if (times > 0) repeated++
        return
      }
      await pause(EVERY)
    }
  }
  const sending = (async () => {
    for (let i = 0; isGoing; i++) {
      const one = send(i).finally(() => underway.delete(one))
      underway.add(one)
      await pause(EVERY)
    }
  })()
  return {
    async waitForSends() {
      const before = acknowledged.size
      await eventually(() => expect(acknowledged.size).to.be.greaterThan(before), 60_000)
    },
    async stop() {
      isGoing = false
      await sending
      await Promise.all(underway)
      return { acknowledged, repeated }
    },
  }
}

async function isAcknowledged(
  url: string,
  token: string,
  { text, id }: { text: string; id?: string | undefined },
) {
  try {
    const response = await fetch(`${url}/send/${channelOf(text)}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: new URLSearchParams({ text, ...(id && { client_id: id }) }),
      signal: AbortSignal.timeout(20_000),
    })
    await response.text()
    return response.ok
  } catch {
    return false
  }
}

/** A receiver that fails the first try of some deliveries: 500, or a broken connection after the body. */
async function openReceiver() {
  const tries = new Map<string, Try[]>()
  const accepted = new Set<string>()
  const secrets = new Map<string, string>()
  let arrived = 0
  const server: Server = createServer(async (req, res) => {
    let body = ''
    for await (const chunk of req) body += chunk
    arrived++
    const { content } = (JSON.parse(body) as { data: { content: string } }).data
    const key = `${req.url} ${content}`
    const before = tries.get(key) ?? []
    tries.set(key, [...before, tryOf(req.headers, body, secrets.get(req.url!)!)])
    const kind = (numberOf(content) + 7 * Number(req.url!.slice(-1))) % 20
    if (before.length === 0 && kind === 0) return res.destroy()
    if (before.length === 0 && kind < 3) return res.writeHead(500).end()
    accepted.add(key)
    res.writeHead(200).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    tries,
    accepted,
    /** By path. */
    secrets,
    async waitForMore(count: number) {
      const before = arrived
      await eventually(() => expect(arrived).to.be.at.least(before + count), 60_000)
    },
    async close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function tryOf(headers: IncomingHttpHeaders, body: string, secret: string): Try {
  let isSigned = true
  try {
    new Webhook(secret).verify(body, headers as Record<string, string>)
  } catch {
    isSigned = false
  }
  return { id: String(headers['webhook-id']), timestamp: Number(headers['webhook-timestamp']), isSigned }
}
