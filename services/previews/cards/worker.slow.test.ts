import { readFileSync } from 'node:fs'
import { Queue } from 'bullmq'
import { expect } from 'chai'
import { Redis } from 'ioredis'
import sharp from 'sharp'
import type { LinkPreviewPayload } from '#shared/domain/payloads/previews.ts'
import { findCard } from '#shared/jobs/preview-cache.ts'
import { askForCard, PREVIEW_QUEUE, readLink } from '#shared/jobs/preview-job.ts'
import { type Keys, keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { type MaliciousServer, startMaliciousServer } from '#shared/test-kit/malicious-server.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openSite, type Site } from '#shared/test-kit/site.ts'
import { type TestBacking, testBacking } from '#shared/test-kit/stores.ts'

/** Resident memory of the process under the worst known load, about 120 when idle. Documented in docs/operations.md. */
const MOST_MEMORY_MB = 512
/** The worker runs eight at a time, each up to five seconds. */
const ALL_WITHIN = 180_000
/** Nine names of this machine, since the worker fetches only two links of a host at once. */
const HOSTS = Array.from({ length: 9 }, (_, i) => `127.0.0.${i + 1}`)
function onHost(url: string, host: string) {
  const { protocol, port } = new URL(url)
  return `${protocol}//${host}:${port}`
}

describe('the worker of link cards (interface 4.4)', function () {
  this.timeout(ALL_WITHIN)
  let backing: TestBacking
  let redis: Redis
  let keys: Keys
  let malicious: MaliciousServer
  let site: Site
  let worker: RunningService

  before(async () => {
    backing = await testBacking()
    redis = new Redis(backing.env.REDIS_URL)
    keys = keysWith(backing.env.REDIS_PREFIX)
    malicious = await startMaliciousServer({ host: '0.0.0.0' })
    const good = { body: '<title>Good</title>' }
    site = await openSite(
      { '/good': good, '/good?after-all': good, '/still-good': good, '/good-again': good, '/back': good },
      { listen: '0.0.0.0' },
    )
    const all = [malicious.url, site.url].flatMap(url => HOSTS.map(host => new URL(onHost(url, host)).host))
    backing.settings({ preview_allow: all })
    worker = await startService('previews', backing.env)
  })
  after(async () => {
    await worker?.stop()
    await malicious?.close()
    site?.close()
    redis?.disconnect()
    await backing?.drop()
  })

  /** A new asker for each link, so that only the places limit the worker. */
  let people = 0
  const ask = (url: string, who = `reader${people++}`) => askForCard({ redis, keys }, readLink(url)!, who)
  const find = (url: string) => findCard({ redis, keys }, readLink(url)!.id)
  async function card(url: string, within = 15_000): Promise<LinkPreviewPayload> {
    await ask(url)
    return eventually(async () => {
      const found = await find(url)
      if (!found) throw new Error(`no card of ${url}`)
      return found
    }, within)
  }

  /** Repeats the request for a link that found no place in time. */
  async function insist(url: string) {
    await eventually(() => card(url, 8_000), 60_000)
  }

  const memoryMb = () => {
    const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${worker.pid}/status`, 'utf8')) ?? []
    return Number(kb) / 1024
  }
  /** The peak memory of the process during `work`, in MB. */
  async function peakDuring(work: () => Promise<unknown>) {
    let peak = memoryMb()
    const sampling = setInterval(() => {
      peak = Math.max(peak, memoryMb())
    }, 20)
    try {
      await work()
    } finally {
      clearInterval(sampling)
    }
    return peak
  }

  it('bounds its memory for any response, and keeps working', async function () {
    if (process.platform !== 'linux') this.skip()
    await card(`${site.url}/good`)
    const worst = malicious.paths.filter(path =>
      /endless|bomb|50-mb|huge|many|gzip|length|silence/.test(path),
    )
    const pages = worst.map((path, i) => onHost(malicious.url, HOSTS[i % HOSTS.length]!) + path)
    const peak = await peakDuring(() => Promise.all(pages.map(page => insist(page))))
    expect(peak).to.be.below(MOST_MEMORY_MB)
    expect(await card(`${site.url}/still-good`)).to.include({ type: 'og' })
    await eventually(() => expect(malicious.open, 'connections that were left open').to.equal(0))
  })

  it('bounds its memory for oversized pictures', async function () {
    if (process.platform !== 'linux') this.skip()
    const side = 4_000
    const large = sharp({ create: { width: side, height: side, channels: 4, background: '#12345678' } })
    const kinds: [string, Buffer][] = [
      ['png', await large.clone().png({ compressionLevel: 9, progressive: true }).toBuffer()],
      ['webp', await large.clone().webp({ lossless: true, effort: 0 }).toBuffer()],
      ['jpeg', await large.clone().jpeg({ progressive: true }).withMetadata({ orientation: 6 }).toBuffer()],
    ]
    for (const [kind, body] of kinds) {
      site.pages[`/${kind}`] = { type: `image/${kind}`, body }
    }
    const pages = kinds.flatMap(([kind]) =>
      [1, 2, 3, 4].map(i => {
        site.pages[`/with-${kind}?${i}`] = {
          body: `<title>x</title><meta property=og:image content=/${kind}>`,
        }
        return `${onHost(site.url, HOSTS[i]!)}/with-${kind}?${i}`
      }),
    )
    const peak = await peakDuring(() => Promise.all(pages.map(page => insist(page))))
    // They are accepted: only the work on them is bounded.
    const cards = await Promise.all(pages.map(find))
    expect(cards.filter(card => card && 'image' in card && card.image !== '')).to.not.deep.equal([])
    expect(peak).to.be.below(MOST_MEMORY_MB)
    expect(await card(`${site.url}/good-again`)).to.include({ type: 'og' })
  })

  /** Pages of a site that send nothing until `speak` is called. */
  function silentPages(count: number) {
    let speak = () => {}
    const after = new Promise<void>(resolve => {
      speak = resolve
    })
    const paths = Array.from({ length: count }, (_, i) => `/silent-${Math.random()}-${i}`)
    for (const path of paths) site.pages[path] = { body: '', after }
    site.pages['/meanwhile'] = { body: '<title>Meanwhile</title>' }
    return { paths, asked: () => paths.filter(path => site.asked(path) > 0).length, speak }
  }
  const jobs = (kind: 'wait' | 'active') => redis.llen(`${keys.queuePrefix()}:${PREVIEW_QUEUE}:${kind}`)
  const isIdle = () =>
    eventually(async () => expect([await jobs('wait'), await jobs('active')]).to.deep.equal([0, 0]), 60_000)
  /** Less than the time-out of nearly 5 s for a silent page. */
  const MADE_MEANWHILE = 3_000

  it('makes cards of other links while fifty people ask for links of a silent site', async () => {
    const { paths, asked, speak } = silentPages(50)
    for (const path of paths) await ask(site.url + path)
    await eventually(() => expect(asked()).to.equal(2))
    const found = await card(`${onHost(site.url, HOSTS[1]!)}/meanwhile`, MADE_MEANWHILE)
    expect(found).to.include({ title: 'Meanwhile' })
    expect(asked()).to.equal(2)
    speak()
    await isIdle()
  })

  it('makes cards for others while a person asks for links of many silent sites', async () => {
    const { paths, asked, speak } = silentPages(14)
    for (const [i, path] of paths.entries()) await ask(onHost(site.url, HOSTS[i % 7]!) + path, 'mallory')
    await eventually(() => expect(asked()).to.equal(3))
    const found = await card(`${onHost(site.url, HOSTS[7]!)}/meanwhile`, MADE_MEANWHILE)
    expect(found).to.include({ title: 'Meanwhile' })
    expect(asked()).to.equal(3)
    speak()
    await isIdle()
  })

  it('delays others by a single time-out when silent sites hold all places', async () => {
    const { paths, asked, speak } = silentPages(8)
    for (const [i, path] of paths.entries()) await ask(onHost(site.url, HOSTS[i]!) + path)
    await eventually(() => expect(asked()).to.equal(8))
    const found = await card(`${onHost(site.url, HOSTS[8]!)}/meanwhile`, 5_000 + MADE_MEANWHILE)
    expect(found).to.include({ title: 'Meanwhile' })
    speak()
    await isIdle()
  })

  it('returns jobs without a place to the queue when it stops', async () => {
    const { paths, asked, speak } = silentPages(6)
    for (const path of paths) await ask(site.url + path)
    await eventually(() => expect(asked()).to.equal(2))
    const stopped = worker.stop()
    await eventually(async () => expect(await jobs('wait')).to.equal(4))
    speak()
    expect(await stopped).to.equal(0)
    worker = await startService('previews', backing.env)
    await eventually(() => expect(asked()).to.equal(6), 60_000)
    await isIdle()
  })

  it('gives up a link that crashed two workers, and makes the cards of others', async () => {
    const deadly = `${site.url}/deadly`
    const { id } = readLink(deadly)!
    let deaths = 0
    site.pages['/deadly'] = {
      body: '',
      // As if the response had crashed the process.
      get after() {
        deaths++
        process.kill(worker.pid, 'SIGKILL')
        return new Promise<never>(() => {})
      },
    }
    await ask(deadly)
    for (const death of [1, 2]) {
      await eventually(() => expect(deaths).to.equal(death), 60_000)
      await worker.kill()
      expect(await jobs('active')).to.equal(1)
      // Replaces six to nine seconds: the lock expires, and a worker checks for lost jobs.
      const queue = `${keys.queuePrefix()}:${PREVIEW_QUEUE}`
      await redis.del(`${queue}:${id}:lock`, `${queue}:stalled-check`)
      await redis.sadd(`${queue}:stalled`, id)
      worker = await startService('previews', backing.env)
    }
    expect(
      await eventually(async () => (await find(deadly)) ?? expect.fail('not given up'), 60_000),
    ).to.deep.equal({})
    expect(await redis.ttl(keys.card(id))).to.be.within(500, 600)
    expect(await card(`${site.url}/good?after-all`)).to.include({ type: 'og' })
    await isIdle()
    expect(deaths).to.equal(2)
  })

  it('logs only the host of a link', async () => {
    await worker.stop()
    worker = await startService('previews', { ...backing.env, LOG_LEVEL: 'info' })
    await card(`${site.url}/good?token=heather`)
    await eventually(() => expect(worker.output()).to.include('"msg":"link read"'))
    expect(worker.output()).to.include(`"host":"${site.host}"`)
    expect(worker.output()).to.not.include('heather')
  })

  it('gives up a link for a while when its job fails with a bug', async () => {
    const id = 'f'.repeat(64)
    const queue = new Queue(PREVIEW_QUEUE, {
      connection: redis,
      prefix: keys.queuePrefix(),
      skipMetasUpdate: true,
    })
    await redis.set(keys.cardWanted(id), 1)
    await queue.add('card', { neither: 'url' }, { jobId: id, removeOnFail: true })
    await eventually(async () => expect(await findCard({ redis, keys }, id)).to.deep.equal({}))
    expect(await redis.ttl(keys.card(id))).to.be.within(500, 600)
    await eventually(async () => expect(worker.output()).to.include('card not made'))
  })

  it('logs a warning for malformed entries of preview_allow', async () => {
    backing.settings({ preview_allow: ['10.0.0.0/99'] })
    await eventually(() => expect(worker.output()).to.include('preview_allow not usable'))
  })

  it('is alive but not ready while Redis is down, and continues afterwards', async () => {
    backing.settings({ preview_allow: [site.host] })
    const link = await NetworkLink.to(backing.env.PREVIEWS_REDIS_URL)
    await worker.stop()
    worker = await startService('previews', { ...backing.env, PREVIEWS_REDIS_URL: link.url })
    const status = async (path: string) => (await fetch(worker.url + path)).status
    await link.cut()
    await eventually(async () => expect(await status('/readyz?stores')).to.equal(503))
    expect(await status('/healthz')).to.equal(200)
    await link.mend()
    await eventually(async () => expect(await status('/readyz?stores')).to.equal(200))
    expect(await card(`${site.url}/back`)).to.include({ title: 'Good' })
    await link.cut()
    await eventually(async () => expect(await status('/readyz?stores')).to.equal(503))
    expect(await worker.stop(), 'it ends without Redis, too').to.equal(0)
  })

  it('was refused no Redis command during these tests', async () => {
    const { username } = new URL(backing.env.PREVIEWS_REDIS_URL)
    const refusals = (await redis.call('ACL', 'LOG')) as unknown[][]
    expect(refusals.filter(entry => entry.includes(username))).to.deep.equal([])
  })
})
