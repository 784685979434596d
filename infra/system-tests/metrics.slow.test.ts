import { globSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { ROOT } from '#shared/runtime/config.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { Person } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'
import { openTab } from '#shared/test-kit/tab.ts'
import { freePort } from '../processes/free-port.ts'

const SERVICES = ['api', 'events', 'previews', 'previews-pictures', 'janitor', 'stun'] as const

/** Every sample as `name{labels}` with its value. */
const samplesIn = (text: string) =>
  new Map(
    text
      .split('\n')
      .filter(line => line !== '' && !line.startsWith('#'))
      .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ')))]),
  )

describe('metrics', function () {
  this.timeout(180_000)
  let backing: TestBacking
  const services = new Map<string, RunningService>()
  const ports = new Map<string, number>()
  let ada: Person

  before(async () => {
    backing = await testBacking()
    for (const name of SERVICES) {
      ports.set(name, await freePort())
      const disks = JSON.stringify({ database: tmpdir() })
      const env = { ...backing.env, BOTHY_DISKS: disks, METRICS_PORT: String(ports.get(name)) }
      services.set(
        name,
        await startService(name, name === 'stun' ? { ...env, STUN_PORT: String(await freePort()) } : env),
      )
    }
    ada = await new Person('ada', services.get('api')!.url).signUp()
  })
  after(async () => {
    await Promise.all([...services.values()].map(service => service.stop()))
    await backing.drop()
  })

  const read = async (name: string) => (await fetch(`http://127.0.0.1:${ports.get(name)}/metrics`)).text()
  const samples = async (name: string) => samplesIn(await read(name))
  const sumOf = (all: Map<string, number>, start: string) =>
    [...all].filter(([sample]) => sample.startsWith(start)).reduce((sum, [, value]) => sum + value, 0)

  for (const name of SERVICES) {
    it(`of ${name} have the names and the units of Prometheus, a build, and help for each`, async () => {
      const text = await read(name)
      for (const [, metric, kind] of text.matchAll(/^# TYPE (bothy_\w+) (\w+)$/gm)) {
        expect(metric).to.match(/^bothy_[a-z]+(_[a-z]+)+$/)
        expect(text).to.match(new RegExp(`^# HELP ${metric} .+\\.$`, 'm'))
        if (kind === 'counter') expect(metric).to.match(/_total$/)
        if (kind === 'histogram') expect(metric).to.match(/_seconds$/)
      }
      expect(text).to.match(/^bothy_build_info\{version="[\d.]+",commit="\w+"\} 1$/m)
      expect(text).to.include('process_cpu_seconds_total')
    })
  }

  it('of api and gateway count requests by route, streams and bytes, and name no person or channel', async () => {
    const tab = await openTab(services.get('events')!.url, ada.cookie, { channel: 'general' })
    await ada.send('general', 'the word heather')
    await eventually(() => expect(JSON.stringify(tab.frames)).to.include('heather'))
    await ada.send('general', 'once more')
    await fetch(`${services.get('api')!.url}/${'nonsense/'.repeat(3)}`)
    const wrong = new URLSearchParams({ username: 'ada', password: 'wrong' })
    await fetch(`${services.get('api')!.url}/login`, { method: 'POST', body: wrong })
    await eventually(async () => {
      const api = await samples('api')
      expect(
        sumOf(
          api,
          'bothy_http_request_duration_seconds_count{method="POST",route="/send/:channel",status="200"}',
        ),
      ).to.equal(2)
      expect(
        sumOf(api, 'bothy_http_request_duration_seconds_count{method="GET",route="other"'),
      ).to.be.at.least(1)
      expect(sumOf(api, 'bothy_login_failures_total')).to.equal(1)
      expect(sumOf(api, 'bothy_store_up{store="postgres"}')).to.equal(1)
      expect(sumOf(api, 'bothy_pg_pool_connections{state="idle"}')).to.be.at.least(1)
      const events = await samples('events')
      expect(sumOf(events, 'bothy_sse_streams')).to.equal(1)
      expect(sumOf(events, 'bothy_sse_sent_bytes_total{event="messages"}')).to.be.greaterThan(0)
      expect(sumOf(events, 'bothy_frame_delay_seconds_count')).to.be.at.least(1)
      expect(sumOf(events, 'bothy_notice_lag_seconds_count')).to.be.at.least(1)
      expect(sumOf(events, 'bothy_watch_evaluation_seconds_count{event="messages"}')).to.be.at.least(1)
      const janitor = await samples('janitor')
      expect(
        sumOf(janitor, 'bothy_task_last_success_timestamp_seconds{task="finish-deletions"}'),
      ).to.be.greaterThan(0)
      expect(sumOf(api, 'bothy_queue_waiting{queue="previews"}')).to.equal(0)
    })
    for (const name of SERVICES) {
      const text = await read(name)
      for (const word of ['ada', 'general', 'heather', 'nonsense'])
        expect(text).to.not.match(new RegExp(`"[^"]*\\b${word}\\b`))
    }
    tab.close()
  })

  it('that alerts and dashboards name are those of the processes, with these labels', async () => {
    const texts = await Promise.all(SERVICES.map(read))
    const kinds = new Map(
      texts.flatMap(text =>
        [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name, kind]) => [name, kind]),
      ),
    )
    const labels = new Map<string, Set<string>>()
    for (const [, name, list] of texts.join('\n').matchAll(/^(\w+)\{(.*)\} \S+$/gm))
      for (const [, label] of list!.matchAll(/(\w+)="/g))
        labels.set(name!, (labels.get(name!) ?? new Set()).add(label!))
    const named = globSync('infra/observe/{alerts.yml,dashboards/*.json}', { cwd: ROOT }).flatMap(file => [
      ...readFileSync(join(ROOT, file), 'utf8')
        .replaceAll('\\"', '"')
        .matchAll(/\b((?:bothy|process|nodejs)_\w+)(?:\{([^}]*)\})?/g),
    ])
    expect(named.length).to.be.greaterThan(30)
    for (const [, name = '', selector = ''] of named) {
      // Registered only where files are in a bucket.
      if (name === 'bothy_bucket_requests_total') continue
      const [, base = name] = /^(\w+)_(?:bucket|count|sum)$/.exec(name) ?? []
      expect(kinds.get(base), name).to.equal(base === name ? kinds.get(name) : 'histogram')
      expect(kinds.has(base), name).to.equal(true)
      for (const [, label] of selector.matchAll(/(\w+)[=!]/g))
        expect([...labels.get(name)!], `${name}{${selector}}`).to.include(label)
    }
  })

  it('tell the room of what grows, and which limit refused a request', async () => {
    const janitor = await samples('janitor')
    for (const name of ['bothy_disk_free_bytes{place="files"}', 'bothy_disk_size_bytes{place="files"}'])
      expect(janitor.get(name), name).to.be.greaterThan(0)
    expect(janitor.get('bothy_disk_size_bytes{place="database"}')).to.be.greaterThan(0)
    expect(janitor.get('bothy_deliveries_waiting')).to.equal(0)
    expect(janitor.get('bothy_delivery_untried_seconds')).to.equal(0)
    expect(janitor.get('bothy_database_bytes')).to.be.greaterThan(1_000_000)
    expect(janitor.get('bothy_redis_memory_bytes')).to.be.greaterThan(10_000)
    expect(janitor.get('bothy_redis_memory_limit_bytes')).to.be.at.least(0)
    backing.settings({ rate_limit_enabled: true, rate_limits: { send: [1, 60] } })
    await eventually(async () =>
      expect((await ada.postForm('/send/general', { text: 'one more' })).status).to.equal(429),
    )
    expect((await samples('api')).get('bothy_refused_total{limit="send"}')).to.be.greaterThan(0)
  })

  it('are on their own port only', async () => {
    expect((await ada.fetch('/metrics')).status).to.equal(404)
    const other = await fetch(`http://127.0.0.1:${ports.get('api')}/login`)
    expect(other.status).to.equal(404)
  })
})
