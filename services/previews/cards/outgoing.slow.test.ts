import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import {
  MOST_ANSWERED,
  MOST_SENT,
  OUTGOING_QUEUE,
  type OutgoingAnswer,
  type OutgoingKind,
  type OutgoingRequest,
  sendOutgoing,
} from '#shared/jobs/outgoing-job.ts'
import { findCard } from '#shared/jobs/preview-cache.ts'
import { askForCard, readLink } from '#shared/jobs/preview-job.ts'
import { type Keys, keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openSite, type Site } from '#shared/test-kit/site.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

interface Arrived {
  path: string
  method: string
  headers: IncomingHttpHeaders
  body: string
}

/** A receiver of hooks: answers 200 with `ok`, or as `answers` says. */
async function openReceiver(listen = '0.0.0.0') {
  const arrived: Arrived[] = []
  const answers: Record<
    string,
    { status?: number; headers?: Record<string, string>; body?: string; after?: Promise<void> }
  > = {}
  const server: Server = createServer(async (req, res) => {
    const chunks: Buffer[] = []
    for await (const chunk of req) chunks.push(chunk as Buffer)
    arrived.push({
      path: req.url!,
      method: req.method!,
      headers: req.headers,
      body: Buffer.concat(chunks).toString(),
    })
    const { status = 200, headers = {}, body = 'ok', after } = answers[req.url!] ?? {}
    await after
    res.writeHead(status, headers).end(body)
  })
  await new Promise<void>(resolve => server.listen(0, listen, resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    arrived,
    answers,
    at: (path: string) => arrived.filter(one => one.path === path),
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

describe('the worker of what leaves the server', function () {
  this.timeout(120_000)
  let backing: TestBacking
  let redis: Redis
  let keys: Keys
  let worker: RunningService
  let site: Site
  let receiver: Awaited<ReturnType<typeof openReceiver>>

  before(async () => {
    backing = await testBacking()
    redis = new Redis(backing.env.REDIS_URL)
    keys = keysWith(backing.env.REDIS_PREFIX)
    receiver = await openReceiver()
    site = await openSite({ '/page': { body: '<title>A page</title>' } })
    backing.settings({ hooks_allow: ['127.0.0.0/8'], preview_allow: [site.host] })
    worker = await startService('previews', backing.env)
  })
  after(async () => {
    await worker?.stop()
    receiver?.close()
    site?.close()
    redis?.disconnect()
    await backing?.drop()
  })

  const request = (url: string, more: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', 'webhook-id': 'm1' },
    body: Buffer.from('{"text": "ä"}').toString('base64'),
    timeout_ms: 5_000,
    guard: 'hooks',
    ...more,
  })
  const send = (url: string, more: Partial<OutgoingRequest> = {}, kind: OutgoingKind = 'delivery') =>
    sendOutgoing({ redis, keys }, kind, request(url, more))
  const left = async () =>
    (await redis.keys(`${backing.env.REDIS_PREFIX}*`)).filter(
      key =>
        /outgoing/.test(key) &&
        !/:outgoing:(?:id|meta|events|stalled-check|marker)$|outgoing-worker$/.test(key),
    )

  it('sends headers and body, returns status, headers and body, and leaves nothing in Redis', async () => {
    receiver.answers['/one'] = {
      status: 503,
      headers: { 'Retry-After': '7', 'Content-Type': 'text/plain; charset=utf-8', 'X-Other': 'x' },
      body: 'später',
    }
    const answer = (await send(`${receiver.url}/one`)) as Extract<OutgoingAnswer, { status: number }>
    expect(answer.ms).to.be.within(0, 5_000)
    expect({ ...answer, ms: 0 }).to.deep.equal({
      status: 503,
      headers: { 'retry-after': '7', 'content-type': 'text/plain; charset=utf-8' },
      body: 'später',
      cut: false,
      ms: 0,
    })
    const [arrived, ...more] = receiver.at('/one')
    expect(more).to.deep.equal([])
    expect(arrived).to.include({ method: 'POST', body: '{"text": "ä"}' })
    expect(arrived!.headers).to.deep.equal({
      host: `127.0.0.1:${receiver.port}`,
      connection: 'close',
      accept: '*/*',
      'accept-encoding': 'identity',
      'content-type': 'application/json',
      'webhook-id': 'm1',
      'content-length': '14',
    })
    await eventually(async () => expect(await left()).to.deep.equal([]))
  })

  it('A5: follows no redirect, and cuts a long answer', async () => {
    receiver.answers['/moved'] = { status: 307, headers: { Location: '/never' } }
    receiver.answers['/long'] = { body: 'x'.repeat(1_000_000) }
    expect(await send(`${receiver.url}/moved`)).to.include({ status: 307 })
    expect(receiver.at('/never')).to.deep.equal([])
    const long = await send(`${receiver.url}/long`)
    expect(long).to.include({ status: 200, cut: true })
    expect('body' in long && long.body.length).to.equal(MOST_ANSWERED)
    const most = 'x'.repeat(MOST_SENT)
    await send(`${receiver.url}/most`, { body: Buffer.from(most).toString('base64') })
    expect(receiver.at('/most')[0]!.body).to.equal(most)
  })

  it('A5: says in a word why there is no answer', async () => {
    const silent = createNetServer(socket => socket.on('error', () => {}))
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const free = createNetServer()
    await new Promise<void>(resolve => free.listen(0, '127.0.0.1', resolve))
    const closed = (free.address() as AddressInfo).port
    await new Promise(resolve => free.close(resolve))
    const rude = createNetServer(socket => socket.on('error', () => {}).end('220 mail\r\n'))
    await new Promise<void>(resolve => rude.listen(0, '127.0.0.1', resolve))
    const portOf = (server: typeof silent) => (server.address() as AddressInfo).port
    const cases: [string, string, Partial<OutgoingRequest>?][] = [
      ['http://10.1.2.3/', 'refused_address'],
      ['http://127.0.0.1:22/', 'refused_address'],
      ['ftp://127.0.0.1/', 'refused_address'],
      ['nothing', 'refused_address'],
      [`${receiver.url}/public`, 'refused_address', { guard: 'public' }],
      [`${site.url}/page`, 'refused_address', { guard: 'public' }],
      [`http://127.0.0.1:${closed}/`, 'no_connection'],
      [`http://127.0.0.1:${portOf(silent)}/`, 'no_answer', { timeout_ms: 400 }],
      [`http://127.0.0.1:${portOf(rude)}/`, 'bad_answer'],
      [`https://127.0.0.1:${receiver.port}/`, 'tls'],
    ]
    for (const [url, error, more] of cases) expect(await send(url, more), url).to.deep.equal({ error })
    expect(receiver.at('/public')).to.deep.equal([])
    for (const server of [silent, rude]) server.close()
  })

  it('refuses requests out of bounds before they reach Redis', async () => {
    for (const more of [
      { body: Buffer.alloc(MOST_SENT + 3).toString('base64') },
      { body: 'no base64' },
      { headers: { Host: 'inside.example' } },
      { headers: { 'Transfer-Encoding': 'chunked' } },
      { headers: { cookie: 'a=b' } },
      { headers: { 'x-a': 'b\r\nx-c: d' } },
      { headers: { 'x a': 'b' } },
      { headers: { 'x-a': 'x'.repeat(9_000) } },
      { headers: Object.fromEntries(Array.from({ length: 33 }, (_, i) => [`x-${i}`, 'x'])) },
      { timeout_ms: 15_001 },
      { timeout_ms: 0 },
      { url: `http://127.0.0.1/${'x'.repeat(2_048)}` },
    ]) {
      const outcome = await send(`${receiver.url}/bounds`, more).catch((err: Error) => err.name)
      expect(outcome, JSON.stringify(more).slice(0, 100)).to.equal('ValiError')
    }
    expect(await left()).to.deep.equal([])
    expect(receiver.at('/bounds')).to.deep.equal([])
  })

  it('sends commands and makes cards while silent receivers hold all places of deliveries', async () => {
    let speak = () => {}
    const after = new Promise<void>(resolve => {
      speak = resolve
    })
    const waiting: Promise<OutgoingAnswer>[] = []
    for (let i = 0; i < 60; i++) {
      receiver.answers[`/silent${i}`] = { after }
      waiting.push(send(`http://127.0.0.${1 + (i % 6)}:${receiver.port}/silent${i}`, { timeout_ms: 15_000 }))
    }
    const silent = () => receiver.arrived.filter(({ path }) => path.startsWith('/silent')).length
    await eventually(() => expect(silent()).to.equal(24))
    expect(await send(`${receiver.url}/command`, { timeout_ms: 3_000 }, 'command')).to.include({
      status: 200,
    })
    const link = readLink(`${site.url}/page`)!
    await askForCard({ redis, keys }, link, 'ada')
    await eventually(async () =>
      expect(await findCard({ redis, keys }, link.id)).to.include({ title: 'A page' }),
    )
    expect(silent()).to.equal(24)
    speak()
    for (const answer of await Promise.all(waiting)) expect(answer).to.include({ status: 200 })
    await eventually(async () => expect(await left()).to.deep.equal([]))
  })

  it('sends a request once, also if its worker is killed meanwhile', async () => {
    receiver.answers['/killed'] = { after: new Promise<never>(() => {}) }
    const answer = send(`${receiver.url}/killed`, { timeout_ms: 3_000 })
    await eventually(() => expect(receiver.at('/killed')).to.have.length(1))
    await worker.kill()
    expect(await answer).to.deep.equal({ error: 'no_answer' })
    const queue = `${keys.queuePrefix()}:${OUTGOING_QUEUE}`
    const [id] = await redis.lrange(`${queue}:active`, 0, -1)
    // Replaces six to nine seconds: the lock expires, and a worker checks for lost jobs.
    await redis.del(`${queue}:${id}:lock`, `${queue}:stalled-check`)
    await redis.sadd(`${queue}:stalled`, id!)
    worker = await startService('previews', backing.env)
    await eventually(async () => expect(await left()).to.deep.equal([]), 30_000)
    expect(receiver.at('/killed')).to.have.length(1)
    expect(await send(`${receiver.url}/afterwards`)).to.include({ status: 200 })
  })

  it('sends nothing without a worker, and nothing later that its caller gave up', async () => {
    await worker.stop()
    // As if the worker had ended a moment ago.
    await redis.set(keys.outgoingWorker(), 1)
    expect(await send(`${receiver.url}/given-up`, { timeout_ms: 200 })).to.deep.equal({ error: 'unsent' })
    await redis.del(keys.outgoingWorker())
    expect(await send(`${receiver.url}/given-up`)).to.deep.equal({ error: 'unsent' })
    worker = await startService('previews', backing.env)
    expect(await send(`${receiver.url}/next`)).to.include({ status: 200 })
    await eventually(async () => expect(await left()).to.deep.equal([]))
    expect(receiver.at('/given-up')).to.deep.equal([])
  })

  it('is not the fault of a receiver whose request Redis lost, or did not take', async () => {
    await worker.stop()
    await redis.set(keys.outgoingWorker(), 1)
    const answer = send(`${receiver.url}/lost`, { timeout_ms: 1_000 })
    const requests = () => redis.keys(keys.outgoing('*'))
    await eventually(async () => expect(await requests()).to.have.length(1))
    // As if Redis had been emptied.
    await redis.del(await requests())
    expect(await answer).to.deep.equal({ error: 'lost' })

    const away = new Redis(backing.env.REDIS_URL)
    away.disconnect()
    expect(
      await sendOutgoing({ redis: away, keys }, 'delivery', request(`${receiver.url}/lost`)),
    ).to.deep.equal({ error: 'unsent' })
    worker = await startService('previews', backing.env)
    await eventually(async () => expect(await left()).to.deep.equal([]))
    expect(receiver.at('/lost')).to.deep.equal([])
  })

  it('logs the host alone', async () => {
    await worker.stop()
    worker = await startService('previews', { ...backing.env, LOG_LEVEL: 'info' })
    receiver.answers['/secret-path'] = { body: 'secret-answer' }
    await send(`${receiver.url}/secret-path?secret-key`, { headers: { authorization: 'Token secret-token' } })
    await eventually(() => expect(worker.output()).to.include('request sent'))
    expect(worker.output())
      .to.include(`127.0.0.1:${receiver.port}`)
      .and.not.match(/secret-/)
  })

  it('was refused no Redis command during these tests', async () => {
    const { username } = new URL(backing.env.PREVIEWS_REDIS_URL)
    const refusals = (await redis.call('ACL', 'LOG')) as unknown[][]
    expect(refusals.filter(entry => entry.includes(username))).to.deep.equal([])
  })
})
