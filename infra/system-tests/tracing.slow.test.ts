import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect } from 'chai'
import sharp from 'sharp'
import { ROOT } from '#shared/runtime/config.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { startS3 } from '#shared/test-kit/s3.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openTab } from '#shared/test-kit/tab.ts'

interface Span {
  service: string
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Record<string, string | number>
}

interface Received {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<Span, 'attributes' | 'service'> & { attributes: Attribute[] })[] }[]
  }[]
}

interface Attribute {
  key: string
  value: Record<string, string | number>
}

const WITHIN = 60_000

describe('traces', function () {
  this.timeout(240_000)
  let backing: TestBacking
  let collector: Server
  let ada: Person
  let gateway: RunningService
  let traced: object
  const services: RunningService[] = []
  const bodies: string[] = []
  /** Takes requests and never responds. */
  let isStuck = false

  before(async () => {
    collector = createServer(async (req, res) => {
      let body = ''
      for await (const chunk of req.setEncoding('utf8')) body += chunk
      if (isStuck) return
      bodies.push(`${req.url} ${body}`)
      res.setHeader('Content-Type', 'application/json').end('{}')
    }).listen(0, '127.0.0.1')
    await once(collector, 'listening')
    backing = await testBacking()
    const { port } = collector.address() as AddressInfo
    traced = {
      ...backing.env,
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_BSP_SCHEDULE_DELAY: '200',
      LOG_LEVEL: 'info',
    }
    for (const name of ['api', 'events', 'previews-pictures', 'previews', 'janitor'])
      services.push(await startService(name, traced))
    gateway = services[1]!
    ada = await new Person('ada', services[0]!.url).signUp()
  })
  after(async () => {
    isStuck = false
    await Promise.all(services.map(service => service.stop()))
    collector.closeAllConnections()
    collector.close()
    await backing.drop()
  })

  const spans = (): Span[] =>
    bodies
      .map(body => JSON.parse(body.slice(body.indexOf(' '))) as Received)
      .flatMap(({ resourceSpans }) => resourceSpans)
      .flatMap(({ resource, scopeSpans }) =>
        scopeSpans.flatMap(scope =>
          scope.spans.map(span => ({
            ...span,
            service: String(plain(resource.attributes)['service.name']),
            attributes: plain(span.attributes),
          })),
        ),
      )
  const spanOf = (wanted: Partial<Span>) =>
    eventually(() => {
      const found = spans().find(span =>
        Object.entries(wanted).every(([key, value]) => span[key as keyof Span] === value),
      )
      return found ?? expect.fail(`no span ${JSON.stringify(wanted)} in ${spans().map(({ name }) => name)}`)
    }, WITHIN)

  const spanOfRequest = (response: Response) =>
    eventually(() => {
      const id = response.headers.get('X-Request-Id')
      const found = spans().find(({ attributes }) => attributes['bothy.request_id'] === id)
      return found ?? expect.fail(`no span of ${id}`)
    }, WITHIN)

  it('have a request with its statements, commands and jobs, by route and request id', async () => {
    const picture = await sharp({ create: { width: 900, height: 900, channels: 3, background: 'red' } })
      .png()
      .toBuffer()
    const form = new FormData()
    form.set('text', 'heather heather')
    form.set('files', new Blob([picture], { type: 'image/png' }), 'heather.png')
    const sent = await ada.fetch('/send/general', { method: 'POST', body: form })
    expect(sent.status, await sent.text()).to.be.within(200, 302)
    const send = await spanOf({ service: 'bothy-api', name: 'POST /send/:channel' })
    expect(send.attributes).to.include({
      'http.route': '/send/:channel',
      'bothy.request_id': sent.headers.get('X-Request-Id')!,
    })
    const inTrace = (service: string, name: RegExp) =>
      eventually(() => {
        const found = spans().filter(one => one.traceId === send.traceId && one.service === service)
        expect(found.map(one => one.name).join()).to.match(name)
      }, WITHIN)
    await inTrace('bothy-api', /pg\.query:INSERT/i)
    await inTrace('bothy-api', /eval|xadd/i)
    await inTrace('bothy-previews-pictures', /thumbnails/i)
  })

  it('have the opening of a stream while it goes on', async () => {
    const tab = await openTab(gateway.url, ada.cookie, { channel: 'general' })
    const opened = await spanOf({ service: 'bothy-events', name: 'GET /events' })
    expect(opened.attributes).to.include({ 'http.route': '/events' })
    tab.close()
  })

  it('have the way of a write to the frames that show it', async () => {
    const tab = await openTab(gateway.url, ada.cookie, { channel: 'general' })
    await tab.waitFor(() => tab.rows().length > 0)
    const sent = await ada.postForm('/send/general', { text: 'heather, framed' })
    const send = await spanOfRequest(sent)
    await tab.waitFor(() => tab.rows().some(({ content }) => content === 'heather, framed'))
    const frames = await spanOf({ service: 'bothy-events', name: 'frames messages', traceId: send.traceId })
    expect(frames.attributes).to.include({ 'bothy.event': 'messages', 'bothy.streams': 1 })
    expect(frames.attributes['bothy.waited_ms']).to.be.a('number')
    const ofApi = spans().filter(one => one.traceId === send.traceId && one.service === 'bothy-api')
    expect(ofApi.map(({ spanId }) => spanId)).to.include(frames.parentSpanId)
    await spanOf({ service: 'bothy-events', parentSpanId: frames.spanId })
    tab.close()
  })

  it('have the job of a link card', async () => {
    const asked = await ada.fetch(`/link_preview?url=${encodeURIComponent('https://heather.example.com/')}`)
    const { traceId } = await spanOfRequest(asked)
    await spanOf({ service: 'bothy-previews', traceId })
  })

  it('have the requests to a bucket, without their addresses', async () => {
    const s3 = await startS3()
    const withBucket = await startService('api', { ...traced, ...s3.keys, FILES_URL: s3.urlOf('heather') })
    try {
      const here = new Person('ada', withBucket.url)
      here.cookie = ada.cookie
      const sent = await here.sendFiles('general', [{ name: 'heather.txt', bytes: 'heather' }])
      expect(sent.status, await sent.text()).to.equal(200)
      const { traceId } = await spanOfRequest(sent)
      await spanOf({ name: 'bucket store', traceId })
    } finally {
      await withBucket.stop()
      await s3.stop()
    }
  })

  it('have the tasks of the janitor that change something, and none of those that only look', async () => {
    const tab = await openTab(gateway.url, ada.cookie, { channel: 'general' })
    const response = await ada.postJson('/scheduled', {
      channel: 'general',
      text: 'heather, later',
      send_ts: Date.now() / 1000 + 61,
    })
    expect(response.status, await response.text()).to.be.within(200, 201)
    await backing.admin(`update scheduled set send_ts = extract(epoch from clock_timestamp())`)
    await tab.waitFor(() => tab.rows().some(({ content }) => content === 'heather, later'), WITHIN)
    const task = await spanOf({ service: 'bothy-janitor', name: 'task send-scheduled' })
    expect(task.attributes).to.include({ 'bothy.task': 'send-scheduled', 'bothy.changed': 1 })
    await spanOf({ service: 'bothy-janitor', traceId: task.traceId, parentSpanId: task.spanId })
    await spanOf({ service: 'bothy-events', name: 'frames messages', traceId: task.traceId })
    const quiet = spans().filter(({ attributes }) => attributes['bothy.changed'] === 0)
    expect(quiet).to.deep.equal([])
    tab.close()
  })

  it('have no person, channel, text, query or statement', async () => {
    await ada.fetch('/search?q=heather')
    await ada.fetch('/search_messages?q=heather')
    await ada.fetch('/messages/heather?after=heather', { headers: { 'User-Agent': 'heather' } })
    await ada.fetch('/heather')
    await ada.fetch('/profile/ada')
    await spanOf({ name: 'GET other' })
    await spanOf({ name: 'GET /search' })
    for (const word of ['heather', '"ada', 'general', ' from ', ' into ', '127.0.0.1', 'stack'])
      expect(bodies.join('\n').toLowerCase()).to.not.include(word)
    expect(bodies.every(body => body.startsWith('/v1/traces '))).to.equal(true)
  })

  it('of a request take no id from its sender', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c'
    await ada.fetch('/dms', { headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` } })
    expect((await spanOf({ name: 'GET /dms' })).traceId).to.not.equal(traceId)
  })

  it('hold up no request while the collector is stuck or away, and the log tells it once', async () => {
    isStuck = true
    const all = async () => {
      const answers = await Promise.all(Array.from({ length: 300 }, () => ada.fetch('/channels')))
      return answers.filter(({ status }) => status === 200).length
    }
    for (let i = 0; i < 10; i++) expect(await all()).to.equal(300)
    const lines = () =>
      services[0]!
        .output()
        .split('\n')
        .filter(line => line.includes('traces not sent'))
    await eventually(() => expect(lines()).to.have.length(1), WITHIN)
    collector.closeAllConnections()
    collector.close()
    expect(await all()).to.equal(300)
    expect(lines()).to.have.length(1)
  })

  it('cost nothing without a collector: nothing but tracing.ts loads the packages, and later', () => {
    const files = globSync('{shared,services}/**/*.ts', { cwd: ROOT }).filter(file => {
      const code = readFileSync(join(ROOT, file), 'utf8')
      return /(from|import\() ?'(@opentelemetry\/|bullmq-otel|\.\/tracing-sdk)/.test(code)
    })
    expect(files.sort()).to.deep.equal(['shared/runtime/tracing-sdk.ts', 'shared/runtime/tracing.ts'])
    const small = readFileSync(join(ROOT, 'shared/runtime/tracing.ts'), 'utf8')
    expect(small).to.not.match(/^import (?!type ).*(opentelemetry|bullmq|tracing-sdk)/m)
  })
})

const plain = (attributes: Attribute[]): Record<string, string | number> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]!]))
