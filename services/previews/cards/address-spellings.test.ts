import { channel } from 'node:diagnostics_channel'
import type { LookupFunction } from 'node:net'
import { expect } from 'chai'
import fc from 'fast-check'
import { isPublicAddress } from '#shared/runtime/public-address.ts'
import { type MaliciousServer, startMaliciousServer } from '#shared/test-kit/malicious-server.ts'
import { FetchError, openGuard, type Wanted } from './guarded-fetch.ts'

/**
 * Tests the whole guard against a canary: a server on 127.0.0.1 and ::1 that must get no connection. In the spellings,
 * `@` stands for its port, so that an unrefused one reaches it.
 */
const REFUSED: Record<string, readonly string[]> = {
  'loopback in plain spelling': [
    'http://127.0.0.1:@/',
    'https://127.0.0.1:@/',
    'http://127.255.255.254:@/',
    'http://127.0.0.1.:@/',
  ],
  'loopback in short forms': [
    'http://127.1:@/',
    'http://127.0.1:@/',
    'http://127.1.:@/',
    'http://0:@/',
    'http://0.0.0.0:@/',
    'http://0.0:@/',
  ],
  'loopback in decimal': [
    'http://2130706433:@/',
    'http://127.65530:@/',
    'http://127.0.257:@/',
    'http://2130706434:@/',
  ],
  'loopback in octal': [
    'http://0177.0.0.1:@/',
    'http://0177.1:@/',
    'http://017700000001:@/',
    'http://127.000.000.001:@/',
    'http://0000177.0.0.01:@/',
    'http://00.0:@/',
  ],
  'loopback in hex': [
    'http://0x7f000001:@/',
    'http://0x7f.1:@/',
    'http://0X7F.0x0.0x0.0x1:@/',
    'http://0x7f.0.1:@/',
    'http://0x0:@/',
    'http://0x00000000000007f000001:@/',
  ],
  'loopback in mixed bases': [
    'http://0x7f.0.0.01:@/',
    'http://127.0x0.00.1:@/',
    'http://0177.0x1:@/',
    'http://127.0.0x1:@/',
  ],
  'loopback too large for its parts': [
    'http://4294967296:@/',
    'http://256.0.0.1:@/',
    'http://127.0.0.256:@/',
    'http://0x17f000001:@/',
    'http://127.16777216:@/',
  ],
  'loopback in other digits and letters': [
    'http://１２７.０.０.１:@/',
    'http://①②⑦.⓪.⓪.①:@/',
    'http://１２７。０。０。１:@/',
    'http://127。0。0。1:@/',
    'http://127｡0｡0｡1:@/',
    'http://127．0．0．1:@/',
    'http://０ｘ７ｆ.１:@/',
    'http://𝟭𝟮𝟳.𝟬.𝟬.𝟭:@/',
    'http://2130706433。:@/',
    'http://⓪ⓧ⑦ⓕ.1:@/',
  ],
  'loopback percent-encoded': [
    'http://%31%32%37.0.0.1:@/',
    'http://127%2e0%2e0%2e1:@/',
    'http://%30x7f.1:@/',
    'http://127.0.0.1%2e:@/',
    'http://%EF%BC%91%EF%BC%92%EF%BC%97.1:@/',
    'http://127.0.0.1%00:@/',
    'http://127.0.0.1%00.example.com:@/',
  ],
  'loopback of IPv6': [
    'http://[::1]:@/',
    'http://[::]:@/',
    'http://[0:0:0:0:0:0:0:1]:@/',
    'http://[0000:0000:0000:0000:0000:0000:0000:0001]:@/',
    'http://[::0001]:@/',
    'http://[0::1]:@/',
    'http://[::0.0.0.1]:@/',
  ],
  mapped: [
    'http://[::ffff:127.0.0.1]:@/',
    'http://[::ffff:7f00:1]:@/',
    'http://[0:0:0:0:0:ffff:127.0.0.1]:@/',
    'http://[::FFFF:7F00:0001]:@/',
    'http://[::ffff:0:0]:@/',
    'http://[::ffff:169.254.169.254]/',
    'http://[::ffff:8.8.8.8]/',
  ],
  'compatible and translated': [
    'http://[::127.0.0.1]:@/',
    'http://[::7f00:1]:@/',
    'http://[::ffff:0:127.0.0.1]:@/',
    'http://[::ffff:0:7f00:1]:@/',
    'http://[::8.8.8.8]/',
  ],
  NAT64: [
    'http://[64:ff9b::127.0.0.1]:@/',
    'http://[64:ff9b::7f00:1]:@/',
    'http://[64:ff9b:1::a9fe:a9fe]/',
    'http://[64:ff9b::a00:1]/',
  ],
  '6to4 and Teredo': [
    'http://[2002:7f00:1::]:@/',
    'http://[2002:7f00:1::1]:@/',
    'http://[2002:a00:1::1]/',
    'http://[2001::1]:@/',
    'http://[2001:0:7f00:1::80ff:fffe]:@/',
  ],
  zones: [
    'http://[fe80::1%25lo]:@/',
    'http://[fe80::1%lo]:@/',
    'http://[::1%25lo]:@/',
    'http://[::1%251]:@/',
    'http://[fe80::1]:@/',
  ],
  'brackets and colons out of place': [
    'http://[127.0.0.1]:@/',
    'http://::1:@/',
    'http://[::1:@/',
    'http://::1]:@/',
    'http://[[::1]]:@/',
    'http://[::1].example.com:@/',
    'http://[]:@/',
    'http://%5B::1%5D:@/',
    'http://127.0.0.1:@:80/',
  ],
  users: [
    'http://user@127.0.0.1:@/',
    'http://example.com@127.0.0.1:@/',
    'http://example.com:80@127.0.0.1:@/',
    'http://:@@127.0.0.1:@/',
    'http://127.0.0.1:@@example.com/',
    'http://example.com%40127.0.0.1:@/',
    'http://user:password@example.com/',
    'http://@127.0.0.1:@/',
    'http://example.com&@127.0.0.1:@#@example.com/',
  ],
  'slashes and spaces': [
    'http:127.0.0.1:@/',
    'http:/127.0.0.1:@/',
    'http:///127.0.0.1:@/',
    'http:\\\\127.0.0.1:@\\',
    'http://127.0.0.1:@\\@example.com/',
    ' \t\nhttp://127.0.0.1:@/ ',
    'ht\ntp://127.0.\t0.1:@/',
    'http://127.0.0.1:@?@example.com/',
    'http://127.0.0.1:@#@example.com/',
    'HTTP://127.0.0.1:@/',
    '\u0000http://127.0.0.1:@/',
    'http:////127.0.0.1:@',
  ],
  'private networks': [
    'http://10.0.0.1/',
    'http://10.255.255.255/',
    'http://167772161/',
    'http://012.0.0.1/',
    'http://172.16.0.1/',
    'http://172.31.255.255/',
    'http://0xac.0x10.1/',
    'http://192.168.0.1/',
    'http://192.168.1/',
    'http://3232235521/',
    'http://[fc00::1]/',
    'http://[fdff::1]/',
    'http://[fec0::1]/',
  ],
  'cloud metadata services': [
    'http://169.254.169.254/latest/meta-data/',
    'http://2852039166/',
    'http://0xa9fea9fe/',
    'http://0251.0376.0251.0376/',
    'http://169.254.43518/',
    'http://[fd00:ec2::254]/',
    'http://100.100.100.200/',
    'http://192.0.0.192/',
    'http://168.63.129.16/',
    'http://[::ffff:a9fe:a9fe]/',
    'http://[fd20:ce::254]/',
  ],
  'other special-purpose addresses': [
    'http://100.64.0.1/',
    'http://192.0.2.1/',
    'http://198.18.0.1/',
    'http://198.51.100.1/',
    'http://203.0.113.1/',
    'http://224.0.0.1/',
    'http://239.255.255.255/',
    'http://240.0.0.1/',
    'http://255.255.255.255/',
    'http://192.88.99.1/',
    'http://[100::1]/',
    'http://[2001:db8::1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://[ff02::1]/',
    'http://[4000::1]/',
  ],
  'names of this machine': [
    'http://localhost:@/',
    'http://LOCALHOST:@/',
    'http://localhost.:@/',
    'http://ｌｏｃａｌｈｏｓｔ:@/',
    'http://ⓛocalhost:@/',
    'http://local%68ost:@/',
    'http://ip6-localhost:@/',
    'http://127.0.0.1.nip.io:@/',
    'http://xn--bcher-kva.example:@/',
    'http://bücher.example:@/',
    'http://redis:@/',
    'http://metadata.google.internal:@/',
    'http://a..b:@/',
    'http://-:@/',
    'http://_:@/',
    'http://127.0.0.1x:@/',
    'http://1.2.3.4.5.example:@/',
    `http://${'a.'.repeat(120)}example:@/`,
  ],
  schemes: [
    'file:///etc/passwd',
    'ftp://127.0.0.1:@/',
    'gopher://127.0.0.1:@/_x',
    'data:text/html,x',
    'javascript:alert(1)',
    'ws://127.0.0.1:@/',
    'blob:http://127.0.0.1:@/x',
    'view-source:http://127.0.0.1:@/',
    'about:blank',
    'unix:///var/run/docker.sock',
    'dict://127.0.0.1:@/',
    '//127.0.0.1:@/',
    '/etc/passwd',
    '',
    ' ',
    'http://',
    'http://:@/',
    'http://?',
    'http',
    '127.0.0.1:@',
  ],
  ports: [
    'http://93.184.216.34:22/',
    'http://93.184.216.34:25/',
    'http://93.184.216.34:0/',
    'http://93.184.216.34:1/',
    'http://93.184.216.34:1023/',
    'http://93.184.216.34:6379/',
    'http://93.184.216.34:11211/',
    'https://93.184.216.34:5432/',
    'http://93.184.216.34:65536/',
    'http://93.184.216.34:-80/',
    'http://93.184.216.34:0x50/',
    'http://93.184.216.34:２２/',
    'http://93.184.216.34:80:80/',
  ],
  'overlong URLs': [
    `http://127.0.0.1:@/${'a'.repeat(2_048)}`,
    `http://93.184.216.34/${'a'.repeat(2_048)}`,
    `http://93.184.216.34/${'é'.repeat(700)}`,
    `http://${'a'.repeat(1_000_000)}`,
  ],
}

const WANTED: Wanted = { accepts: () => true, maxBytes: 1_000_000, longer: 'cut' }

describe('a disguised address', () => {
  let v4: MaliciousServer
  let v6: MaliciousServer | undefined
  let dialled = 0
  const onDial = () => dialled++

  // The worst case: every resolved name is this machine's.
  const everyNameLeadsHome: LookupFunction = (_host, _options, callback) =>
    callback(null, [
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ])
  const guardOf = (...allow: string[]) =>
    openGuard({ allow: () => allow, lookup: everyNameLeadsHome, limits: { connect: 500, whole: 1_000 } })
  const guard = guardOf()
  /** With entries of `hooks_allow`, which open these alone. */
  const hooks = guardOf('deploy.corp.example', '198.51.100.7', 'fd00:20::/32')
  const sent = { method: 'POST', headers: {}, body: Buffer.from('{}'), within: 1_000, maxBytes: 100 } as const
  const ways: Record<string, (url: string) => Promise<unknown>> = {
    fetched: url => guard.fetch(url, WANTED, new AbortController().signal),
    'sent, guard public': url => guard.send(url, sent),
    'sent, guard hooks': url => hooks.send(url, sent),
  }
  const ask = (url: string, way = 'fetched') =>
    ways[way]!(url).then(
      () => expect.fail(`${url} was ${way}`),
      (err: unknown) => err,
    )
  const arrived = () => v4.connections + (v6?.connections ?? 0)

  before(async () => {
    v4 = await startMaliciousServer()
    v6 = await startMaliciousServer({ host: '::1', port: v4.port }).catch(() => undefined)
    channel('net.client.socket').subscribe(onDial)
  })

  after(async () => {
    channel('net.client.socket').unsubscribe(onDial)
    await Promise.all([guard.close(), hooks.close(), v4.close(), v6?.close()])
  })

  it('is tested in at least eighty spellings', () => {
    expect(new Set(Object.values(REFUSED).flat()).size).to.be.at.least(80)
  })

  for (const [kind, spellings] of Object.entries(REFUSED)) {
    it(`is refused, and nothing is connected to: ${kind}`, async () => {
      for (const way of Object.keys(ways))
        for (const spelling of spellings) {
          const url = spelling.replace(/:@/g, `:${v4.port}`)
          const [sockets, about] = [dialled, `${url} ${way}`]
          const err = await ask(url, way)
          expect(err, about).to.be.instanceOf(FetchError)
          expect((err as FetchError).reason, about).to.equal('refused')
          expect((err as FetchError).isTemporary, about).to.equal(false)
          // For a name, a socket resolves but never connects; a literal gets no socket.
          if (kind !== 'names of this machine') expect(dialled, `${about} got a socket`).to.equal(sockets)
        }
      expect(arrived()).to.equal(0)
    })
  }

  it('is refused in any spelling of a private address', async () => {
    await fc.assert(
      fc.asyncProperty(disguised, async host => {
        const sockets = dialled
        for (const way of Object.keys(ways)) {
          const err = await ask(`http://${host}:${v4.port}/`, way)
          expect(err, host).to.be.instanceOf(FetchError).with.property('reason', 'refused')
        }
        expect(dialled, host).to.equal(sockets)
      }),
      { numRuns: 1_000 },
    )
    expect(arrived()).to.equal(0)
  })

  it('is refused or no URL for random texts', async () => {
    await fc.assert(
      fc.asyncProperty(urlText, async text => {
        const url = text.replaceAll('PORT', String(v4.port))
        fc.pre(!isPublicLiteral(url))
        for (const way of Object.keys(ways)) expect(await ask(url, way), url).to.be.instanceOf(FetchError)
      }),
      { numRuns: 2_000 },
    )
    expect(arrived()).to.equal(0)
  })

  it('reaches the canary when it is allowed', async () => {
    const careless = openGuard({ allow: () => ['127.0.0.0/8', '::1'], lookup: everyNameLeadsHome })
    for (const host of ['127.0.0.1', '0x7f.1', '１２７。１', 'any.example']) {
      const { body } = await careless.fetch(
        `http://${host}:${v4.port}/page`,
        WANTED,
        AbortSignal.timeout(5_000),
      )
      expect(body.toString()).to.include('A page')
    }
    expect(v4.connections).to.equal(4)
    await careless.close()
  })
})

/** True for public addresses, which these tests must not connect to. */
function isPublicLiteral(text: string) {
  return URL.canParse(text) && isPublicAddress(new URL(text).hostname.replace(/^\[(.*)\]$/, '$1'))
}

const inDigits = (zero: number) => (text: string) =>
  text.replace(/\d/g, digit => String.fromCodePoint(zero + Number(digit)))

/**
 * 127/8, 10/8, 192.168/16 and 169.254/16 in one to four parts, in mixed bases, with digits and dots of other scripts.
 */
const disguised = fc
  .record({
    address: fc.oneof(
      fc.nat(0xffffff).map(rest => 0x7f000000 + rest),
      fc.nat(0xffffff).map(rest => 0x0a000000 + rest),
      fc.nat(0xffff).map(rest => 0xc0a80000 + rest),
      fc.nat(0xffff).map(rest => 0xa9fe0000 + rest),
    ),
    parts: fc.integer({ min: 1, max: 4 }),
    bases: fc.array(fc.constantFrom(8, 10, 16), { minLength: 4, maxLength: 4 }),
    dot: fc.constantFrom('.', '。', '．', '｡', '%2e', '%E3%80%82'),
    digits: fc.constantFrom((text: string) => text, inDigits(0xff10), inDigits(0x1d7ec), inDigits(0x1d7ce)),
    zeros: fc.nat(3),
    last: fc.constantFrom('', '.', '。'),
  })
  .map(({ address, parts, bases, dot, digits, zeros, last }) => {
    const heads = Array.from({ length: parts - 1 }, (_, index) => (address >>> (24 - 8 * index)) & 0xff)
    const tail = address % 2 ** (32 - 8 * heads.length)
    const written = [...heads, tail].map((part, index) => {
      const base = bases[index]!
      const prefix = base === 16 ? '0x' : base === 8 ? '0' : ''
      return prefix + (base === 10 ? '' : '0'.repeat(zeros)) + part.toString(base)
    })
    return digits(written.join('\u0000')).replaceAll('\u0000', dot) + last
  })

/** Fragments of URLs in any order, and noise. */
const urlText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc
    .array(
      fc.constantFrom(
        'http:',
        'https:',
        'HTTP:',
        'file:',
        '//',
        '/',
        '\\',
        '127.0.0.1',
        '::1',
        '[::1]',
        '[',
        ']',
        '@',
        ':',
        ':PORT',
        ':80',
        '?',
        '#',
        '%',
        '%00',
        '%2f',
        '.',
        '。',
        'localhost',
        'example',
        '0x7f.1',
        '0',
        '\t',
        '\n',
        ' ',
        '\u202e',
        'xn--',
        'é',
        '\ud800',
        '169.254.169.254',
        '%25lo',
        'user',
        '&',
        ';',
        '..',
        '-',
      ),
      { maxLength: 12 },
    )
    .map(pieces => pieces.join('')),
  fc
    .tuple(
      fc.constantFrom('http://', 'https://', 'http:', 'http:/\\'),
      fc.string({ unit: 'grapheme', maxLength: 30 }),
    )
    .map(([scheme, rest]) => `${scheme}${rest}:PORT/`),
)
