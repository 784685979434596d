import { expect } from 'chai'
import { Redis } from 'ioredis'
import sharp from 'sharp'
import type {
  CodePreviewPayload,
  LinkPreviewPayload,
  OgPreviewPayload,
} from '#shared/domain/payloads/previews.ts'
import { type Keys, keysWith } from '#shared/stores/keys.ts'
import { eventually } from '#shared/test-kit/eventually.ts'
import { NetworkLink } from '#shared/test-kit/network-link.ts'
import { Person, somebody } from '#shared/test-kit/person.ts'
import { type RunningService, startService } from '#shared/test-kit/processes.ts'
import { openSite, type Site } from '#shared/test-kit/site.ts'
import { newWorld, type World } from '#shared/test-kit/world.ts'

/** Longest wait of a request for a worker, ms. "At once" is less. */
const WAIT = 5_000

const titled = (title: string, more = '') => ({ body: `<title>${title}</title>${more}` })

describe('link cards (interface 2.9, 4.4, 8)', () => {
  let world: World
  let site: Site
  let redis: Redis
  let keys: Keys
  let workers: RunningService[] = []

  before(async () => {
    const background = { r: 20, g: 90, b: 80 }
    const photo = sharp({ create: { width: 1200, height: 630, channels: 3, background } })
    site = await openSite({
      '/mill': titled('The mill', '<meta property=og:image content=/mill.jpg>'),
      '/mill.jpg': {
        type: 'image/jpeg',
        body: await photo
          .withExif({ IFD0: { Copyright: 'somebody in the hills' } })
          .jpeg()
          .toBuffer(),
      },
      '/no-picture': titled('No picture', '<meta property=og:image content=/broken.jpg>'),
      '/broken.jpg': { type: 'image/jpeg', body: 'this is no picture' },
      '/pump.py': { type: 'text/x-python', body: 'one()\ntwo()\nthree()\n' },
      '/empty': { body: '' },
      '/crowded': titled('A crowd looks at it'),
      '/late': titled('Late'),
    })
    world = await newWorld({ apis: 2, settings: { preview_allow: [site.host] } })
    redis = new Redis(world.backing.env.REDIS_URL)
    keys = keysWith(world.backing.env.REDIS_PREFIX)
  })
  after(async () => {
    await stopWorkers()
    redis?.disconnect()
    await world?.end()
    site?.close()
  })

  const startWorkers = async (count: number) => {
    const started = Array.from({ length: count }, () => startService('previews', world.backing.env))
    workers = await Promise.all(started)
  }
  const stopWorkers = async () => {
    await Promise.all(workers.map(worker => worker.stop()))
    workers = []
  }
  /** Simulates a worker's heartbeat. */
  const pretendWorker = () => redis.set(keys.cardWorker(), 1)

  const cardOf = <T = LinkPreviewPayload>(url: string, who = world.ada) =>
    who.get<T>(`/link_preview?url=${encodeURIComponent(url)}`)
  const og = (url: string, who?: Person) => cardOf<OgPreviewPayload>(url, who)

  /** The Retry-After of a card. */
  const laterOf = async (url: string) =>
    (await world.ada.fetch(`/link_preview?url=${encodeURIComponent(url)}`)).headers.get('Retry-After')

  /** The result and its duration, ms. */
  async function timed<T>(work: () => Promise<T>) {
    const began = performance.now()
    const answer = await work()
    return { answer, ms: performance.now() - began }
  }
  const waiting = () => redis.llen(`${keys.queuePrefix()}:previews:wait`)

  it('require a session', async () => {
    for (const path of ['/link_preview?url=http://a.example/', '/file_preview/x', '/card_picture/x']) {
      const response = await fetch(world.ada.at + path, { redirect: 'manual' })
      expect([response.status, response.headers.get('Location')], path).to.deep.equal([302, '/login'])
    }
  })

  describe('without a worker', () => {
    it('are {} for anything but a web address, without a job', async () => {
      await pretendWorker()
      const addresses = [
        '',
        '   ',
        'no address',
        '/mill',
        'ftp://a.example/',
        'javascript:alert(1)',
        'data:text/html,<title>x</title>',
        'file:///etc/passwd',
        'http://',
        'http://ada:secret@a.example/',
        `http://a.example/${'x'.repeat(2_048)}`,
      ]
      for (const address of addresses) expect(await cardOf(address), address).to.deep.equal({})
      expect(await world.ada.get('/link_preview')).to.deep.equal({})
      expect(await world.ada.get('/link_preview?url=http://a.example&url=http://b.example')).to.deep.equal({})
      expect(await waiting()).to.equal(0)
      await redis.del(keys.cardWorker())
    })

    it('are {} at once, and no jobs pile up', async () => {
      const { answer, ms } = await timed(() => cardOf(`${site.url}/mill`))
      expect(answer).to.deep.equal({})
      expect(await laterOf(`${site.url}/mill`)).to.equal('15')
      expect(await laterOf('no address'), 'what is known to have none').to.equal(null)
      expect(ms).to.be.below(WAIT)
      expect(await waiting()).to.equal(0)
    })

    it('are {} at once while two hundred links wait', async () => {
      await pretendWorker()
      const wait = `${keys.queuePrefix()}:previews:wait`
      await redis.lpush(wait, ...Array.from({ length: 200 }, (_, i) => `link-${i}`))
      const { answer, ms } = await timed(() => cardOf(`${site.url}/mill`))
      expect(answer).to.deep.equal({})
      expect(ms).to.be.below(WAIT)
      await redis.del(wait, keys.cardWorker())
    })

    it('are {} and no error while Redis is unavailable, also for a reader who is waiting', async () => {
      const link = await NetworkLink.to(world.backing.env.REDIS_URL)
      const api = await startService('api', { ...world.backing.env, REDIS_URL: link.url })
      const ada = await somebody(api.url).signUp()
      await pretendWorker()
      const waits = cardOf(`${site.url}/nobody-comes`, ada)
      await eventually(async () => expect(await waiting()).to.equal(1))
      await link.cut()
      const { answer, ms } = await timed(() => Promise.all([waits, cardOf(`${site.url}/mill`, ada)]))
      expect(answer).to.deep.equal([{}, {}])
      expect(ms).to.be.below(WAIT)
      expect((await ada.fetch(`/card_picture/${'a'.repeat(32)}`)).status).to.equal(404)
      await link.mend()
      await api.stop()
      await link.cut()
      await redis.del(keys.cardWorker())
    })

    it('are waited for in bounded time; a late one is there for the next reader', async () => {
      await pretendWorker()
      const { answer, ms } = await timed(() => cardOf(`${site.url}/late`))
      expect(answer).to.deep.equal({})
      expect(ms).to.be.within(WAIT, 3 * WAIT)
      expect(site.asked('/late')).to.equal(0)

      await startWorkers(1)
      await eventually(async () => expect(await redis.exists(keys.cards())).to.equal(1))
      await eventually(() => expect(site.asked('/late')).to.equal(1))
      expect((await og(`${site.url}/late`)).title).to.equal('Late')
      expect(site.asked('/late')).to.equal(1)
      await stopWorkers()
    })

    it('are requested three at a time per user, so that no user occupies the worker', async () => {
      await pretendWorker()
      const ofOne = Array.from({ length: 12 }, (_, i) => cardOf(`${site.url}/silent-${i}`, world.mallory))
      await eventually(async () => expect(await waiting()).to.equal(3))
      const leaving = new AbortController()
      // Another user at the same process.
      const other = new Person(world.bob.name, world.mallory.at)
      other.cookie = world.bob.cookie
      const path = `/link_preview?url=${site.url}/of-another`
      const waits = other.fetch(path, { signal: leaving.signal }).catch(() => {})
      await eventually(async () => expect(await waiting()).to.equal(4))
      leaving.abort()
      // The remaining jobs are dropped after their time-out: no reader waits for them.
      const { answer, ms } = await timed(() => Promise.all(ofOne))
      expect(answer).to.deep.equal(ofOne.map(() => ({})))
      expect(ms).to.be.below(3 * WAIT)
      await waits
      expect(await waiting()).to.equal(4)
      await redis.del(keys.cardWorker(), ...(await redis.keys(`${keys.queuePrefix()}:previews:*`)))
    })

    it('without a waiting reader are not made when a worker is back', async () => {
      await pretendWorker()
      const leaving = new AbortController()
      const path = `/link_preview?url=${site.url}/forgotten`
      const waits = world.ada.fetch(path, { signal: leaving.signal }).catch(() => {})
      await eventually(async () => expect(await waiting()).to.equal(1))
      // Simulates half a minute.
      const wanted = await redis.keys(`${keys.cardWanted('')}*`)
      await redis.del(...wanted)
      await startWorkers(1)
      await eventually(async () => expect(await waiting()).to.equal(0))
      leaving.abort()
      await waits
      expect(site.asked('/forgotten')).to.equal(0)
      await stopWorkers()
    })
  })

  describe('with two workers', () => {
    before(() => startWorkers(2))
    after(() => stopWorkers())

    it('are made once for many readers over several processes', async () => {
      let open = () => {}
      const after = new Promise<void>(resolve => {
        open = resolve
      })
      site.pages['/crowded']!.after = after
      const crowd = Array.from({ length: 50 }, (_, i) => {
        const reader = new Person(world.ada.name, world.api[i % 2]!.url)
        reader.cookie = world.ada.cookie
        return og(`${site.url}/crowded`, reader)
      })
      await eventually(() => expect(site.asked('/crowded')).to.equal(1))
      open()
      const titles = new Set((await Promise.all(crowd)).map(card => card.title))
      expect([...titles]).to.deep.equal(['A crowd looks at it'])
      expect(site.asked('/crowded')).to.equal(1)
      // And nothing of it stays in the queue.
      await eventually(async () => {
        const left = await redis.keys(`${keys.queuePrefix()}:previews:*`)
        expect(left.filter(key => /[0-9a-f]{64}/.test(key))).to.deep.equal([])
      })
    })

    it('have the fields of the interface', async () => {
      const card = await og(`${site.url}/mill`)
      expect(card).to.deep.equal({
        type: 'og',
        title: 'The mill',
        description: '',
        image: card.image,
        domain: '127.0.0.1',
        url: `${site.url}/mill`,
      })
      expect(await cardOf<CodePreviewPayload>(`${site.url}/pump.py`)).to.deep.equal({
        type: 'code',
        filename: 'pump.py',
        filepath: 'pump.py',
        language: 'py',
        first_line_num: 1,
        highlight_start: null,
        highlight_end: null,
        code: 'one()\ntwo()\nthree()',
        total_lines: 3,
        url: `${site.url}/pump.py`,
      })
    })

    it('are cached, for every spelling of the address', async () => {
      const { port } = new URL(site.url)
      for (const spelling of [
        `  ${site.url}/mill `,
        `HTTP://127.0.0.1:${port}/./mill`,
        `http://0x7f.1:${port}/mill`,
      ]) {
        expect((await og(spelling, world.bob)).title, spelling).to.equal('The mill')
      }
      expect(site.asked('/mill')).to.equal(1)
    })

    it('are shared by all fragments except line numbers, and link to the requested one', async () => {
      const [mill, wheel] = [await og(`${site.url}/mill`), await og(`${site.url}/mill#the-wheel`)]
      expect(wheel).to.deep.equal({ ...mill, url: `${site.url}/mill#the-wheel` })
      expect(site.asked('/mill')).to.equal(1)

      const line = await cardOf<CodePreviewPayload>(`${site.url}/pump.py#L2`)
      expect([line.highlight_start, line.url]).to.deep.equal([2, `${site.url}/pump.py#L2`])
    })

    it('have pictures served by us, re-encoded without metadata', async () => {
      const { image } = await og(`${site.url}/mill`)
      expect(image).to.match(/^\/card_picture\/[0-9a-f]{32}$/)
      const response = await world.bob.fetch(image)
      const bytes = Buffer.from(await response.arrayBuffer())
      const { format, width, height, exif } = await sharp(bytes).metadata()
      expect({ format, width, height, exif }).to.deep.equal({
        format: 'webp',
        width: 480,
        height: 252,
        exif: undefined,
      })
      expect(bytes.includes('somebody in the hills')).to.equal(false)

      expect(response.headers.get('Content-Type')).to.equal('image/webp')
      expect(response.headers.get('X-Content-Type-Options')).to.equal('nosniff')
      expect(response.headers.get('Content-Security-Policy')).to.equal("default-src 'none'; sandbox")
      expect(response.headers.get('Cache-Control')).to.match(/^private, max-age=31536000, immutable$/)
      const etag = response.headers.get('ETag')!
      expect((await world.bob.fetch(image, { headers: { 'If-None-Match': etag } })).status).to.equal(304)
      expect((await world.bob.fetch(`/card_picture/${'a'.repeat(32)}`)).status).to.equal(404)
    })

    it('have no picture if the page has none', async () => {
      expect((await og(`${site.url}/no-picture`)).image).to.equal('')
    })

    it('are cached as missing for ten minutes', async () => {
      for (let i = 0; i < 3; i++) expect(await cardOf(`${site.url}/empty`)).to.deep.equal({})
      expect(site.asked('/empty')).to.equal(1)
    })

    it('of an unreachable site are retried sooner', async () => {
      const gone = await openSite()
      gone.close()
      world.backing.settings({ rate_limit_enabled: false, preview_allow: [site.host, gone.host] })
      // Until the workers read the settings, a refusal is final: each try needs another address.
      let tries = 0
      await eventually(async () => {
        expect(await cardOf(`${gone.url}/${tries++}`)).to.deep.equal({})
        const cards = await redis.lrange(keys.cards(), 0, -1)
        expect(await redis.ttl(keys.card(cards.at(-1)!))).to.be.within(1, 60)
      })
    })

    it('follow the settings: internal addresses are fetched if an operator allows it', async () => {
      const inside = await openSite({ '/wiki': titled('Wiki') })
      world.backing.settings({ rate_limit_enabled: false, preview_allow: [site.host] })
      await eventually(async () => expect(await cardOf(`${inside.url}/${Math.random()}`)).to.deep.equal({}))
      expect(await cardOf(`${inside.url}/wiki`)).to.deep.equal({})
      expect(inside.asked('/wiki')).to.equal(0)
      world.backing.settings({ rate_limit_enabled: false, preview_allow: [site.host, inside.host] })
      let tries = 0
      await eventually(async () => {
        const path = `/wiki?${tries++}`
        inside.pages[path] = titled('Wiki')
        expect((await og(inside.url + path)).title).to.equal('Wiki')
      })
      inside.close()
    })
  })

  describe('when a worker ends while making one', () => {
    after(() => stopWorkers())

    /** A page that responds on demand. */
    function heldPage(path: string) {
      let open = () => {}
      const after = new Promise<void>(resolve => {
        open = resolve
      })
      site.pages[path] = { ...titled(path), after }
      return open
    }

    it('are finished before it stops', async () => {
      await startWorkers(1)
      const open = heldPage('/while-stopping')
      const waits = og(`${site.url}/while-stopping`)
      await eventually(() => expect(site.asked('/while-stopping')).to.equal(1))
      const stopped = workers[0]!.stop()
      await eventually(async () => {
        const response = await fetch(`${workers[0]!.url}/readyz?stores`).catch(() => ({ ok: false }))
        expect(response.ok).to.equal(false)
      })
      open()
      expect((await waits).title).to.equal('/while-stopping')
      expect(await stopped).to.equal(0)
      expect(site.asked('/while-stopping')).to.equal(1)
    })

    it('are taken over by another worker when it is killed', async () => {
      await startWorkers(2)
      const open = heldPage('/while-killed')
      const waits = cardOf(`${site.url}/while-killed`)
      await eventually(() => expect(site.asked('/while-killed')).to.equal(1))
      // Either worker may have it.
      await Promise.all(workers.map(worker => worker.kill()))
      open()
      await startWorkers(1)
      await eventually(() => expect(site.asked('/while-killed')).to.equal(2), 60_000)
      await waits
      await eventually(async () =>
        expect((await og(`${site.url}/while-killed`)).title).to.equal('/while-killed'),
      )
      expect(site.asked('/while-killed')).to.equal(2)
    })
  })
})
