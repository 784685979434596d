import type { LookupAddress } from 'node:dns'
import { syncBuiltinESMExports } from 'node:module'
import { createServer, type LookupFunction } from 'node:net'
import os from 'node:os'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect } from 'chai'
import { eventually } from '#shared/test-kit/eventually.ts'
import {
  MALICIOUS_PEM,
  type MaliciousServer,
  PAGE,
  startMaliciousServer,
} from '#shared/test-kit/malicious-server.ts'
import { dial } from './dial.ts'
import type { Reason } from './fetch-error.ts'
import {
  FetchError,
  type Guard,
  type GuardOptions,
  openGuard,
  readType,
  type Wanted,
} from './guarded-fetch.ts'

const PAGES: Wanted = { accepts: type => type === 'text/html', maxBytes: 524_288, longer: 'cut' }
const PICTURES: Wanted = { accepts: type => type === 'text/html', maxBytes: 2_097_152, longer: 'refuse' }
const MiB = 1_048_576

/** Short enough to wait for, long enough for a busy machine. */
const SHORT = { connect: 1_000, headers: 1_000, body: 1_000, whole: 1_500 }

describe('the guarded fetch', function () {
  this.timeout(30_000)
  let malicious: MaliciousServer
  let guard: Guard

  before(async () => {
    malicious = await startMaliciousServer()
    guard = openGuard({ allow: () => ['127.0.0.1'], limits: SHORT })
  })

  afterEach(async () => {
    // Every test must have closed its connections.
    await eventually(() => expect(malicious.open).to.equal(0))
  })

  after(() => Promise.all([guard.close(), malicious.close()]))

  const get = (path: string, wanted = PAGES, by = guard) =>
    by.fetch(malicious.url + path, wanted, new AbortController().signal)

  async function failure(path: string, wanted = PAGES, by = guard) {
    const err = await get(path, wanted, by).then(
      ({ body }) => expect.fail(`${path} was fetched: ${body.subarray(0, 200)}`),
      (err: unknown) => err,
    )
    expect(err, path).to.be.instanceOf(FetchError)
    return err as FetchError
  }

  describe('from an honest server', () => {
    it('returns page, type, charset and final URL', async () => {
      const { url, type, charset, body, cut } = await get('/page#part')
      expect(body.toString()).to.equal(PAGE)
      expect([url.href, type, charset, cut]).to.deep.equal([
        `${malicious.url}/page#part`,
        'text/html',
        'utf-8',
        false,
      ])
    })

    it('accepts chunks, gzip, early hints, and pages that end with the connection', async () => {
      for (const path of [
        '/page-chunked',
        '/page-gzip',
        '/early-hints',
        '/page-until-close',
        '/page-kept-open',
      ])
        expect((await get(path)).body.toString(), path).to.equal(PAGE)
    })

    it('finds an allowed host that only this machine knows', async () => {
      const local = openGuard({ allow: () => ['localhost'] })
      const page = local.fetch(`http://localhost:${malicious.port}/page`, PAGES, new AbortController().signal)
      expect((await page).body.toString()).to.equal(PAGE)
      await local.close()
    })

    it('cuts longer bodies, or refuses them', async () => {
      const short = { ...PAGES, maxBytes: 20 }
      expect(await get('/page', short)).to.deep.include({ body: Buffer.from(PAGE.slice(0, 20)), cut: true })
      expect(await get('/page-gzip', { ...short, maxBytes: 150 })).to.deep.include({
        body: Buffer.from(PAGE.slice(0, 150)),
        cut: true,
      })
      expect(await get('/page', { ...short, maxBytes: PAGE.length })).to.include({ cut: false })
      for (const path of ['/page', '/page-chunked', '/page-until-close', '/page-gzip'])
        expect(await failure(path, { ...short, longer: 'refuse' }), path).to.include({ reason: 'size' })
    })

    it('sends a user agent, but no cookie, referrer or credentials', async () => {
      await get('/cookie')
      const { path, headers } = malicious.seen.at(-1)!
      expect(path).to.equal('/page')
      expect(headers).to.deep.equal({
        host: `127.0.0.1:${malicious.port}`,
        connection: 'close',
        'user-agent': 'bothy (link preview)',
        accept: '*/*',
        'accept-encoding': 'gzip',
        'accept-language': 'en, de;q=0.8',
      })
    })

    it('refuses responses of the wrong type', async () => {
      const asked: string[] = []
      const accepts = (type: string) => asked.push(type) === 0
      for (const path of ['/pdf', '/svg', '/no-type', '/type-junk', '/type-upper-case'])
        expect(await failure(path, { ...PAGES, accepts })).to.include({ reason: 'type', isTemporary: false })
      expect(asked).to.deep.equal(['application/pdf', 'image/svg+xml', '', '', 'text/html'])
    })

    it('accepts status 200 only, and marks temporary failures', async () => {
      const isTemporary = {
        404: false,
        403: false,
        201: false,
        300: false,
        304: false,
        429: true,
        500: true,
        503: true,
      }
      for (const [status, temporary] of Object.entries(isTemporary)) {
        const expected = { reason: 'status', status: Number(status), isTemporary: temporary }
        expect(await failure(`/status?${status}`), status).to.include(expected)
      }
      for (const path of ['/no-content', '/partial', '/redirect-nowhere', '/redirect-twice'])
        expect(await failure(path), path).to.include({ reason: 'status' })
    })
  })

  describe('with redirects', () => {
    it('follows three, not a fourth', async () => {
      expect((await get('/chain?3')).url.pathname).to.equal('/page')
      expect(await failure('/chain?4')).to.include({ reason: 'redirects' })
    })

    it('stops in a loop', async () => {
      for (const path of ['/loop', '/there']) {
        const before = malicious.connections
        expect(await failure(path)).to.include({ reason: 'redirects', isTemporary: false })
        expect(malicious.connections - before).to.equal(4)
      }
    })

    it('parses targets as browsers do', async () => {
      for (const target of [
        'page',
        '/page',
        './x/../page',
        `//127.0.0.1:${malicious.port}/page`,
        '/page?a b',
        '\\page',
      ])
        expect((await get(to(target))).url.pathname, target).to.equal('/page')
      expect((await get('/to-raw-bytes')).url.search).to.equal('?%C3%A9')
    })

    it('checks each target like the first', async () => {
      const port = malicious.port
      const hostile = [
        'http://10.0.0.1/',
        'http://169.254.169.254/latest/meta-data/',
        '//169.254.169.254/',
        '\\\\10.0.0.1\\x',
        `http://[::1]:${port}/`,
        `http://[::ffff:7f00:1]:${port}/page`,
        `http://127.0.0.2:${port}/page`,
        'http:///10.0.0.1',
        `http://u:p@127.0.0.1:${port}/page`,
        `http://@10.0.0.1`,
        'file:///etc/passwd',
        'javascript:alert(1)',
        'data:text/html,x',
        'ftp://127.0.0.1/',
        'http://93.184.216.34:22/',
        'http://',
        'http://%',
        'http://0x0a.1/',
        'http://localhost:6379/',
      ]
      for (const target of hostile) {
        const before = malicious.connections
        expect(await failure(to(target)), target).to.include({ reason: 'refused', isTemporary: false })
        expect(malicious.connections - before, target).to.equal(1)
      }
      expect(await failure('/to-far-away')).to.include({ reason: 'refused' })
    })

    it('checks the end of a chain, by address and by name', async () => {
      const { lookup } = resolver({ 'home.test': [['10.0.0.1']] })
      const named = openGuard({ allow: () => ['127.0.0.1'], lookup, limits: SHORT })
      for (const last of ['http://10.0.0.1/', 'http://home.test/'])
        expect(await failure(to(malicious.url + to(to(last))), PAGES, named), last).to.include({
          reason: 'refused',
        })
    })

    it('does not read the body of a redirect', async () => {
      expect((await get('/redirect-endless')).body.toString()).to.equal(PAGE)
    })

    it('does not follow redirects in HTML', async () => {
      const before = malicious.seen.length
      expect((await get('/meta-refresh')).body.toString()).to.include('Again')
      expect(malicious.seen.length - before).to.equal(1)
    })
  })

  describe('with names', () => {
    const url = (name: string) => `http://${name}:${malicious.port}/page`
    const ask = (lookup: LookupFunction, name: string, allow: string[] = ['127.0.0.1'], path = url(name)) => {
      const named = openGuard({ allow: () => allow, lookup, limits: SHORT })
      return named.fetch(path, PAGES, new AbortController().signal).then(
        ({ body }) => body.toString(),
        (err: unknown) => (err instanceof FetchError ? err.reason : err),
      )
    }
    let elsewhere: MaliciousServer | undefined

    // The checked address is 127.0.0.1; a server also listens where a second look-up would lead.
    before(async () => {
      elsewhere = await startMaliciousServer({ host: '::1', port: malicious.port }).catch(() => undefined)
    })

    after(() => elsewhere?.close())

    afterEach(() => expect(elsewhere?.connections ?? 0).to.equal(0))

    it('connects to the checked address, even if the name changes (rebinding)', async () => {
      const { lookup, asked } = resolver({ 'rebind.test': [['127.0.0.1'], ['::1'], ['::1']] })
      expect(await ask(lookup, 'rebind.test')).to.equal(PAGE)
      expect(asked).to.deep.equal(['rebind.test'])
      expect(await ask(lookup, 'rebind.test')).to.equal('refused')
    })

    it('checks again when a redirect leads to the same name', async () => {
      const { lookup, asked } = resolver({ 'rebind.test': [['127.0.0.1'], ['::1']] })
      const path = `http://rebind.test:${malicious.port}${to(url('rebind.test'))}`
      expect(await ask(lookup, 'rebind.test', ['127.0.0.1'], path)).to.equal('refused')
      expect(asked).to.have.length(2)
    })

    it('refuses a name if any of its addresses is refused', async () => {
      const before = malicious.connections
      for (const addresses of [
        ['127.0.0.1', '::1'],
        ['93.184.216.34', '10.0.0.1'],
        ['2606:4700::1', '::ffff:127.0.0.1'],
      ])
        expect(
          await ask(resolver({ 'many.test': [addresses] }).lookup, 'many.test'),
          String(addresses),
        ).to.equal('refused')
      expect(malicious.connections).to.equal(before)
    })

    it('refuses a name with no address or malformed ones', async () => {
      for (const answer of [[], [''], ['localhost'], ['127.1'], ['127.0.0.1%lo'], ['fe80::1%lo']])
        expect(await ask(resolver({ 'odd.test': [answer] }).lookup, 'odd.test')).to.equal('refused')
      // An interface of this machine is refused for an allowed host too.
      expect(await ask(resolver({}, ['fe80::1%lo']).lookup, 'odd.test', ['odd.test'])).to.equal('refused')
      const nothing = ((_host, _options, callback) =>
        callback(null, undefined as never)) satisfies LookupFunction
      expect(await ask(nothing, 'odd.test')).to.equal('refused')
    })

    it('connects to an allowed host at any address, but to no other host there', async () => {
      const { lookup } = resolver({ 'wiki.corp.test': [['127.0.0.1']], 'evil.test': [['127.0.0.1']] })
      expect(await ask(lookup, 'wiki.corp.test', ['*.corp.test'])).to.equal(PAGE)
      expect(await ask(lookup, 'wiki.corp.test', [`wiki.corp.test:${malicious.port}`])).to.equal(PAGE)
      expect(await ask(lookup, 'wiki.corp.test', ['wiki.corp.test:80'])).to.equal('refused')
      expect(await ask(lookup, 'evil.test', ['*.corp.test'])).to.equal('refused')
      expect(await ask(lookup, 'evil.test', [])).to.equal('refused')
    })

    it('reads the setting at each fetch', async () => {
      const { lookup } = resolver({ 'wiki.corp.test': [['127.0.0.1'], ['127.0.0.1']] })
      let allow: string[] = []
      const named = openGuard({ allow: () => allow, lookup, limits: SHORT })
      const asked = () => named.fetch(url('wiki.corp.test'), PAGES, new AbortController().signal)
      expect(await asked().catch((err: FetchError) => err.reason)).to.equal('refused')
      allow = ['wiki.corp.test']
      expect((await asked()).body.toString()).to.equal(PAGE)
    })

    it('distinguishes an unknown name from a failing resolver', async () => {
      for (const [code, isTemporary] of [
        ['ENOTFOUND', false],
        ['EAI_AGAIN', true],
      ] as const) {
        const lookup: LookupFunction = (_host, _options, callback) =>
          callback(Object.assign(new Error(code), { code }), [])
        const named = openGuard({ allow: () => [], lookup })
        const err = await named
          .fetch(url('x.test'), PAGES, new AbortController().signal)
          .catch((err: unknown) => err)
        expect(err).to.include({ reason: 'failed', isTemporary })
      }
    })

    it('refuses public addresses on a link of this machine', async () => {
      const { networkInterfaces } = os
      os.networkInterfaces = () => ({ eth0: [{ cidr: '93.184.216.34/24' } as never] })
      syncBuiltinESMExports()
      try {
        expect(await ask(resolver({}, ['93.184.216.99']).lookup, 'desk.test')).to.equal('refused')
        expect(await ask(resolver({}).lookup, '', [], 'http://93.184.216.34/')).to.equal('refused')
      } finally {
        os.networkInterfaces = networkInterfaces
        syncBuiltinESMExports()
      }
    })

    it('checks the open connection again, and sends nothing on a refused one', async () => {
      const before = { connections: malicious.connections, seen: malicious.seen.length }
      let checks = 0
      const err = await dial(new URL(url('127.0.0.1')), {
        lookup: resolver({}).lookup,
        mayConnect: () => checks++ === 0,
        within: 1_000,
        signal: new AbortController().signal,
      }).catch((err: unknown) => err)
      expect(err).to.include({ reason: 'refused' })
      await eventually(() => expect(malicious.connections).to.equal(before.connections + 1))
      expect(malicious.seen.length).to.equal(before.seen)
    })

    it('does not connect when the resolver answers too late', async () => {
      const before = malicious.connections
      const start = Date.now()
      let answer = () => {}
      const late: LookupFunction = (_host, _options, callback) => {
        answer = () => callback(null, [{ address: '127.0.0.1', family: 4 }])
      }
      const named = openGuard({
        allow: () => ['127.0.0.1'],
        lookup: late,
        limits: { ...SHORT, connect: 100, whole: 20_000 },
      })
      const err = await named
        .fetch(url('late.test'), PAGES, new AbortController().signal)
        .catch((err: unknown) => err)
      expect(err).to.include({ reason: 'timeout', isTemporary: true })
      expect(Date.now() - start).to.be.below(5_000)
      answer()
      await get('/page')
      expect(malicious.connections).to.equal(before + 1)
    })
  })

  describe('from slow servers', () => {
    const quick = { connect: 300, headers: 300, body: 300, whole: 600 }
    let hasty: Guard

    const slow = [
      '/silence',
      '/slow-headers',
      '/slow-header-lines',
      '/slow-body',
      '/headers-only',
      '/headers-unfinished',
      '/slow-interim',
      '/slow-gzip',
      '/longer-than-sent-and-open',
      '/length-of-gigabytes',
      '/ssh',
    ]
    const givenUp = new Map<string, Promise<{ reason: Reason; ms: number }>>()
    // In parallel: each takes its whole time-out.
    before(() => {
      hasty = openGuard({ allow: () => ['127.0.0.1'], limits: quick })
      for (const path of slow) {
        const start = Date.now()
        const giving = failure(path, PAGES, hasty).then(({ reason }) => ({ reason, ms: Date.now() - start }))
        giving.catch(() => {})
        givenUp.set(path, giving)
      }
    })
    for (const path of slow) {
      it(`times out on ${path}`, async () => {
        const { reason, ms } = await givenUp.get(path)!
        expect(reason).to.be.oneOf(
          path === '/slow-interim' || path === '/ssh' ? ['timeout', 'failed'] : ['timeout'],
        )
        expect(ms).to.be.below(quick.whole + 1_000)
      })
    }

    it('has time-outs for headers and for each chunk, besides the one for all', async () => {
      const patient = openGuard({
        allow: () => ['127.0.0.1'],
        limits: { headers: 300, body: 300, whole: 20_000 },
      })
      const start = Date.now()
      const waits = ['/silence', '/slow-headers', '/headers-only', '/longer-than-sent-and-open']
      for (const { reason } of await Promise.all(waits.map(path => failure(path, PAGES, patient))))
        expect(reason).to.equal('timeout')
      expect(Date.now() - start).to.be.below(5_000)
    })

    it('stops at any stage when the caller aborts', async () => {
      for (const path of [
        '/silence',
        '/headers-only',
        '/slow-body',
        '/slow-gzip',
        '/endless-interim',
        '/loop',
      ]) {
        const signal = AbortSignal.timeout(100)
        const err = await guard.fetch(malicious.url + path, PAGES, signal).catch((err: unknown) => err)
        if (path !== '/loop' && path !== '/endless-interim')
          expect(err, path).to.include({ reason: 'timeout', isTemporary: true })
      }
      const stopping = new AbortController()
      const asked = guard
        .fetch(`${malicious.url}/silence`, PAGES, stopping.signal)
        .catch((err: unknown) => err)
      stopping.abort()
      expect(await asked).to.include({ reason: 'failed', isTemporary: true })
    })

    it('does not begin after the caller aborted', async () => {
      const before = malicious.connections
      const err = await guard
        .fetch(`${malicious.url}/page`, PAGES, AbortSignal.abort())
        .catch((err: unknown) => err)
      expect(err).to.be.instanceOf(FetchError)
      expect(malicious.connections).to.equal(before)
    })

    it('times out on a server that accepts the connection without a TLS handshake', async () => {
      const mute = createServer(socket => socket.on('error', () => {}).resume())
      await new Promise<void>(resolve => mute.listen(0, '127.0.0.1', resolve))
      const { port } = mute.address() as { port: number }
      const err = await hasty
        .fetch(`https://127.0.0.1:${port}/`, PAGES, new AbortController().signal)
        .catch((err: unknown) => err)
      expect(err).to.include({ reason: 'timeout' })
      const slow = openGuard({ allow: () => ['127.0.0.1'], limits: { connect: 20_000, whole: 20_000 } })
      const start = Date.now()
      const given = await slow
        .fetch(`https://127.0.0.1:${port}/`, PAGES, AbortSignal.timeout(100))
        .catch((err: unknown) => err)
      expect(given).to.include({ reason: 'timeout' })
      expect(Date.now() - start).to.be.below(5_000)
      await new Promise(resolve => mute.close(resolve))
    })

    it('ends when the guard closes', async () => {
      const closing = openGuard({ allow: () => ['127.0.0.1'] })
      const failures = ['/silence', '/slow-body', '/headers-only'].map(path => failure(path, PAGES, closing))
      await eventually(() => expect(malicious.open).to.equal(3))
      await closing.close()
      for (const { reason } of await Promise.all(failures)) expect(reason).to.equal('failed')
    })
  })

  describe('of large responses', () => {
    // Default limits: the size limits must take effect before the time-outs.
    const patient = openGuard({ allow: () => ['127.0.0.1'] })
    const outcomes: Record<string, { page: Reason | 'cut'; picture: Reason }> = {
      '/endless': { page: 'cut', picture: 'size' },
      '/endless-until-close': { page: 'cut', picture: 'size' },
      '/page-of-50-mb': { page: 'cut', picture: 'size' },
      '/endless-small-chunks': { page: 'cut', picture: 'size' },
      '/gzip-bomb': { page: 'cut', picture: 'size' },
      '/gzip-of-nothing': { page: 'size', picture: 'size' },
      '/gzip-bomb-of-bombs': { page: 'type', picture: 'type' },
      '/gzip-five-times': { page: 'type', picture: 'type' },
      '/gzip-in-two-headers': { page: 'type', picture: 'type' },
      '/one-huge-header': { page: 'size', picture: 'size' },
      '/many-headers': { page: 'size', picture: 'size' },
      '/endless-interim': { page: 'failed', picture: 'failed' },
    }

    for (const [path, { page, picture }] of Object.entries(outcomes)) {
      it(`bounds bytes and memory for ${path}`, async () => {
        const peak = watchMemory()
        const asPage = await get(path, PAGES, patient).catch((err: unknown) => err as FetchError)
        if (page === 'cut')
          expect(asPage).to.include({ cut: true }).with.property('body').with.length(PAGES.maxBytes)
        else expect(asPage).to.include({ reason: page })
        expect(await failure(path, PICTURES, patient)).to.include({ reason: picture })
        expect(peak.stop()).to.be.below(64 * MiB)
      })
    }

    it('reads nothing of a picture whose announced length is too large', async () => {
      expect(await failure('/length-of-gigabytes', PICTURES)).to.include({
        reason: 'size',
        isTemporary: false,
      })
    })

    for (const path of ['/endless-chunk-extension', '/endless-trailers', '/endless-status-line']) {
      it(`ends for ${path}, which never does`, async () => {
        const peak = watchMemory()
        expect(await failure(path, PAGES, patient)).to.include({ reason: 'size' })
        expect(peak.stop()).to.be.below(64 * MiB)
      })
    }

    it('bounds memory with many in parallel', async () => {
      await get('/gzip-bomb')
      const peak = watchMemory()
      const paths = ['/gzip-bomb', '/endless', '/page-of-50-mb', '/endless-small-chunks']
      await Promise.allSettled([
        ...Array.from({ length: 32 }, (_, index) => get(paths[index % paths.length]!, PAGES, patient)),
        // Held open until its time-out, which may be a short one.
        ...Array.from({ length: 8 }, () => get('/slow-body')),
      ])
      // Without bounds the bodies alone are 8 times 50 MB, and endless. Collection is late on a busy machine.
      expect(peak.stop()).to.be.below(256 * MiB)
    })
  })

  describe('from broken servers', () => {
    const failing = [
      '/gzip-broken',
      '/gzip-half',
      '/longer-than-sent',
      '/length-negative',
      '/length-twice',
      '/length-and-chunks',
      '/length-overflow',
      '/chunk-of-junk',
      '/chunk-too-large',
      '/no-last-chunk',
      '/reset',
      '/reset-in-body',
      '/hang-up',
      '/switch',
      '/http-0.9',
      '/http-2',
      '/header-injection',
      '/ssh',
    ]
    for (const path of failing) {
      it(`fails for ${path} after one request`, async () => {
        const before = malicious.connections
        expect(await failure(path)).to.include({ reason: 'failed' })
        expect(malicious.connections - before).to.equal(1)
      })
    }

    it('reads encodings that it did not request, within the same bounds, and refuses unknown ones', async () => {
      const patient = openGuard({ allow: () => ['127.0.0.1'], limits: { whole: 20_000 } })
      for (const path of ['/brotli', '/deflate', '/deflate-raw'])
        expect((await get(path)).body.toString(), path).to.equal(PAGE)
      expect((await get('/brotli-bomb', PAGES, patient)).body.length).to.equal(PAGES.maxBytes)
      expect(await failure('/brotli-bomb', PICTURES, patient)).to.include({ reason: 'size' })
      await patient.close()
      expect(await failure('/zstd')).to.include({ reason: 'type' })
    })

    it('cuts a page that goes on at the time that is enough, but not before its first byte', async () => {
      const patient = openGuard({ allow: () => ['127.0.0.1'], limits: { whole: 10_000 } })
      const { body, cut } = await get('/slow-body', { ...PAGES, enough: 500 }, patient)
      expect([body.length > 0, cut]).to.deep.equal([true, true])
      expect(await failure('/headers-only', { ...PAGES, enough: 100 })).to.include({ reason: 'timeout' })
      await patient.close()
    })

    it('reads the announced length, and one response', async () => {
      expect((await get('/shorter-than-sent')).body.toString()).to.equal(PAGE.slice(0, 15))
      expect((await get('/two-answers')).body.toString()).to.equal(PAGE)
    })

    it('fails when nothing listens', async () => {
      const gone = await startMaliciousServer()
      await gone.close()
      const err = await guard
        .fetch(gone.url, PAGES, new AbortController().signal)
        .catch((err: unknown) => err)
      expect(err).to.include({ reason: 'failed', isTemporary: true })
    })

    it('ends for every trick of the hostile server', async () => {
      const hasty = openGuard({ allow: () => ['127.0.0.1'], limits: { ...SHORT, whole: 500 } })
      const start = Date.now()
      await Promise.all(
        malicious.paths.map(path =>
          get(path, PAGES, hasty).catch((err: unknown) => expect(err, path).to.be.instanceOf(FetchError)),
        ),
      )
      expect(Date.now() - start).to.be.below(10_000)
    })
  })

  describe('over TLS', () => {
    let secure: MaliciousServer
    const { lookup } = resolver({}, ['127.0.0.1'])
    const trusted = getCACertificates()

    before(async () => {
      secure = await startMaliciousServer({ isSecure: true })
    })

    after(async () => {
      setDefaultCACertificates(trusted)
      await secure.close()
    })

    const ask = (host: string, path: string, options: Partial<GuardOptions> = {}) =>
      openGuard({ allow: () => ['127.0.0.1'], lookup, limits: SHORT, ...options })
        .fetch(`https://${host}:${secure.port}${path}`, PAGES, new AbortController().signal)
        .then(
          ({ body }) => body.toString(),
          (err: unknown) => err as FetchError,
        )

    it('refuses a self-signed certificate', async () => {
      for (const host of ['malicious.test', 'other.test', '127.0.0.1'])
        expect(await ask(host, '/page')).to.include({ reason: 'failed', isTemporary: false })
      expect(secure.seen).to.have.length(0)
    })

    it('accepts a certificate that the operator trusts, for its own name only', async () => {
      setDefaultCACertificates([...trusted, MALICIOUS_PEM.slice(MALICIOUS_PEM.indexOf('-----BEGIN CERT'))])
      expect(await ask('malicious.test', '/page')).to.equal(PAGE)
      expect(await ask('malicious.test.', '/page')).to.equal(PAGE)
      expect(await ask('other.test', '/page')).to.include({ reason: 'failed', isTemporary: false })
      expect(await ask('127.0.0.1', '/page')).to.include({ reason: 'failed', isTemporary: false })
    })

    it('checks the address before the handshake', async () => {
      const before = secure.connections
      expect(await ask('malicious.test', '/page', { allow: () => [] })).to.include({ reason: 'refused' })
      expect(secure.connections).to.equal(before)
    })

    it('does not follow a redirect from https to http', async () => {
      const before = malicious.connections
      expect(await ask('malicious.test', to(`${malicious.url}/page`))).to.include({ reason: 'refused' })
      expect(malicious.connections).to.equal(before)
      expect(await ask('malicious.test', to('/page'))).to.equal(PAGE)
    })
  })
})

describe('a content type', () => {
  it('is read without its parameters, in lower case', () => {
    expect(readType('text/html')).to.deep.equal({ type: 'text/html', charset: undefined })
    expect(readType(' Text/HTML ; Charset=UTF-8')).to.deep.equal({ type: 'text/html', charset: 'utf-8' })
    expect(readType('text/html;x=1;charset="windows-1252"')).to.deep.equal({
      type: 'text/html',
      charset: 'windows-1252',
    })
    expect(readType('text/html; charset=')).to.deep.equal({ type: 'text/html', charset: undefined })
    expect(readType(['text/plain', 'text/html'])).to.deep.equal({ type: 'text/html', charset: undefined })
    expect(readType(undefined)).to.deep.equal({ type: '', charset: undefined })
  })
})

const to = (target: string) => `/to?${encodeURIComponent(target)}`

/** A resolver with prepared answers per name: one per query, the last one repeated. */
function resolver(answers: Record<string, string[][]>, otherwise?: string[]) {
  const asked: string[] = []
  const lookup: LookupFunction = (host, options, callback) => {
    asked.push(host)
    expect(options.all, 'asked for all addresses').to.equal(true)
    const ready = answers[host.replace(/\.$/, '')] ?? (otherwise ? [otherwise] : [])
    const addresses = ready.length > 1 ? ready.shift() : ready[0]
    if (!addresses) return callback(Object.assign(new Error(host), { code: 'ENOTFOUND' }), [])
    callback(
      null,
      addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }
  return { lookup, asked }
}

/** The peak increase of memory in use, mostly buffers. */
function watchMemory() {
  const used = () => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const start = used()
  let peak = start
  const timer = setInterval(() => {
    peak = Math.max(peak, used())
  }, 5).unref()
  return {
    stop: () => {
      clearInterval(timer)
      return Math.max(peak, used()) - start
    },
  }
}
