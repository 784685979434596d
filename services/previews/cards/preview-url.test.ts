import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect } from 'chai'
import { FetchError, type Guard, openGuard } from './guarded-fetch.ts'
import { previewUrl } from './preview-url.ts'

interface Answer {
  status?: number
  type?: string
  headers?: IncomingHttpHeaders
  body: string | Buffer
}

const PYTHON = Array.from({ length: 100 }, (_, index) => `step(${index + 1})\n`).join('')
const html = (body: string): Answer => ({ type: 'text/html; charset=utf-8', body })
const text = (body: string | Buffer): Answer => ({ type: 'text/plain', body })

/** Pages of the test site, by path. */
const WEB: Record<string, Answer> = {
  '/page': html(
    '<title>The mill</title><meta name=description content=d><meta property=og:image content=/lamp.png>',
  ),
  '/og-url': html('<title>t</title><meta property=og:url content=https://evil.example/>'),
  '/pictures': html(
    '<title>t</title><meta property=og:image content=/no.png><meta name=twitter:image content=/lamp.png>',
  ),
  '/many': html(
    `<title>t</title><meta property=og:image content=/1><meta property=og:image:url content=/2>
     <meta name=twitter:image content=/3><link rel=image_src href=/lamp.png>`,
  ),
  '/moved': { status: 302, headers: { location: '/below/page' }, body: '' },
  '/below/page': html('<title>Below</title><meta property=og:image content=lamp.png>'),
  '/cyrillic': {
    type: 'text/html; charset=windows-1251',
    body: Buffer.from([60, 116, 105, 116, 108, 101, 62, 0xcf]),
  },
  '/xhtml': {
    type: 'application/xhtml+xml',
    body: '<?xml version="1.0"?><html><head><title>x</title></head></html>',
  },
  '/untitled': html('<meta name=description content=d>'),
  '/picture': { type: 'image/png', body: 'PNG' },
  '/nameless': { body: '<title>t</title>' },
  '/gone': { ...html('<title>t</title>'), status: 404 },
  '/busy': { ...html('<title>t</title>'), status: 503 },
  '/endless': html(`<title>t</title>${'x'.repeat(2_000_000)}`),
  '/late': html(`${' '.repeat(1_025 * 1_024)}<title>t</title>`),
  '/much-style': html(`<style>${'x'.repeat(700_000)}</style><title>late</title>`),
  '/untyped-text': { body: 'a text <title>t</title>' },

  '/ada/mill/blob/main/src/pump.py': html('<title>pump.py at main</title>'),
  '/ada/mill/raw/main/src/pump.py': text(PYTHON),
  '/ada/mill/blob/main/lamp.png': html('<title>lamp.png at main</title>'),
  '/ada/mill/raw/main/lamp.png': { type: 'image/png', body: 'PNG' },
  '/ada/mill/blob/main/lamp.bin': html('<title>lamp.bin at main</title>'),
  '/ada/mill/raw/main/lamp.bin': text('a\0b'),
  '/ada/mill/blob/main/latin.txt': html('<title>latin.txt at main</title>'),
  '/ada/mill/raw/main/latin.txt': text(Buffer.from([0x67, 0x72, 0xf6, 0xdf])),
  '/ada/mill/blob/main/empty.py': html('<title>empty.py at main</title>'),
  '/ada/mill/raw/main/empty.py': text(''),
  '/ada/den/blob/main/secret.py': html('<title>Sign in</title>'),
  '/ada/den/raw/main/secret.py': { status: 302, headers: { location: '/sign-in' }, body: '' },
  '/sign-in': html('<title>Sign in</title>'),
  '/ada/busy/blob/main/pump.py': html('<title>pump.py at main</title>'),
  '/ada/busy/raw/main/pump.py': { ...text(''), status: 503 },
  '/ada/mill/blob/main/unknown.newlang': html('<title>t</title>'),
  '/ada/mill/raw/main/unknown.newlang': text('a'),
  '/ada/mill/blob/main/big.sql': html('<title>t</title>'),
  '/ada/mill/raw/main/big.sql': text('insert into mill\n'.repeat(100_000)),

  '/files/pump.py': { type: 'text/x-python', body: PYTHON },
  '/files/data.json': { type: 'application/json', body: '{}' },
  '/files/page.html': html('<title>a page</title>'),
  '/files/about.py': html('<title>about pump.py</title>'),
  '/files/text': text('a'),
  '/files/tool.sh': { type: 'application/octet-stream', body: 'echo' },
}

describe('the card of an address (interface 2.9, 4.4)', () => {
  let web: Server
  let base: string
  let host: string
  let guard: Guard
  let asked: string[]

  before(done => {
    web = createServer((request, response) => {
      asked.push(request.url!)
      const { status = 200, type, headers, body } = WEB[request.url!] ?? { status: 404, body: '' }
      response.writeHead(status, { ...(type && { 'content-type': type }), ...headers }).end(body)
    }).listen(0, '127.0.0.1', () => {
      host = `127.0.0.1:${(web.address() as AddressInfo).port}`
      base = `http://${host}`
      guard = openGuard({ allow: () => [host] })
      done()
    })
  })
  beforeEach(() => {
    asked = []
  })
  after(async () => {
    await guard.close()
    web.close()
    web.closeAllConnections()
  })

  const keepPicture = async ({ pathname }: URL) => {
    if (pathname === '/no.png') throw new FetchError('status', '404')
    return pathname.endsWith('/lamp.png') ? '/preview_image/lamp' : undefined
  }
  const preview = (path: string, signal = new AbortController().signal) =>
    previewUrl(path.startsWith('/') ? base + path : path, { guard, keepPicture, signal })

  it('has all fields of the interface for a page', async () => {
    expect(await preview('/page')).to.deep.equal({
      type: 'og',
      title: 'The mill',
      description: 'd',
      image: '/preview_image/lamp',
      domain: '127.0.0.1',
      url: `${base}/page`,
    })
  })

  it('names the requested address, despite og:url and redirects', async () => {
    expect(await preview('/og-url')).to.include({ url: `${base}/og-url` })
    expect(await preview('/moved')).to.include({
      url: `${base}/moved`,
      title: 'Below',
      image: '/preview_image/lamp',
    })
    expect(await preview(`  ${base.toUpperCase()}/page#top `)).to.include({ url: `${base}/page#top` })
  })

  it('tries the next picture when one fails, and goes without after three', async () => {
    expect(await preview('/pictures')).to.include({ image: '/preview_image/lamp' })
    expect(await preview('/many')).to.include({ title: 't', image: '' })
  })

  it('reads other encodings, and XHTML', async () => {
    expect(await preview('/cyrillic')).to.include({ title: 'П' })
    expect(await preview('/xhtml')).to.include({ title: 'x' })
  })

  it('uses the first mebibyte', async () => {
    expect(await preview('/endless')).to.include({ title: 't' })
    expect(await preview('/late')).to.deep.equal({})
  })

  it('reads tags behind 700 KB of styles, and a page without a type', async () => {
    expect(await preview('/much-style')).to.include({ type: 'og', title: 'late' })
    expect(await preview('/nameless')).to.include({ type: 'og', title: 't' })
  })

  const NONE = [
    ...['/untitled', '/picture', '/untyped-text', '/gone', '/not-there', '/files/tool.sh', '/files/text'],
    ...['', ' ', 'mill', 'ftp://mill.example/a.py', 'javascript:alert(1)', 'http://', 'http://10.0.0.1/'],
    ...['http://127.0.0.1:1/page', `http://mill.example/${'x'.repeat(2_048)}`],
    ...[`http://mill.example/${'ä'.repeat(1_000)}`, 'file:///etc/passwd', 'data:text/html,<title>t</title>'],
  ]
  for (const path of NONE) {
    it(`is empty for ${JSON.stringify(path.slice(0, 50))}`, async () => {
      expect(await preview(path)).to.deep.equal({})
    })
  }

  it('throws on temporary failures', async () => {
    const err = await preview('/busy').catch((err: unknown) => err)
    expect(err).to.be.instanceOf(FetchError).and.include({ reason: 'status', isTemporary: true })
  })

  it('throws when time runs out before the page, and has no picture when it runs out later', async () => {
    const early = await preview('/page', AbortSignal.abort()).catch((err: unknown) => err)
    expect(early).to.be.instanceOf(FetchError)

    const ending = new AbortController()
    const keeping = async () => {
      ending.abort()
      throw new FetchError('timeout', 'too slow', { isTemporary: true })
    }
    const card = await previewUrl(`${base}/pictures`, { guard, keepPicture: keeping, signal: ending.signal })
    expect(card).to.include({ title: 't', image: '' })
  })

  it('throws on programming errors', async () => {
    const broken = async () => {
      throw new TypeError('a bug')
    }
    const signal = new AbortController().signal
    const err = await previewUrl(`${base}/page`, { guard, keepPicture: broken, signal }).catch(
      (err: unknown) => err,
    )
    expect(err).to.be.instanceOf(TypeError)
  })

  describe('of a file on a code host', () => {
    it('is its lines, through its raw form alone', async () => {
      expect(await preview('/ada/mill/blob/main/src/pump.py#L50-L51')).to.deep.equal({
        type: 'code',
        filename: 'pump.py',
        filepath: 'src/pump.py',
        language: 'py',
        first_line_num: 47,
        highlight_start: 50,
        highlight_end: 51,
        code: [47, 48, 49, 50, 51, 52, 53, 54].map(line => `step(${line})`).join('\n'),
        total_lines: 100,
        url: `${base}/ada/mill/blob/main/src/pump.py#L50-L51`,
      })
      expect(asked).to.deep.equal(['/ada/mill/raw/main/src/pump.py'])
    })

    it('is the first forty lines when none are named', async () => {
      const card = await preview('/ada/mill/blob/main/src/pump.py')
      expect(card).to.include({ first_line_num: 1, highlight_start: null, highlight_end: null })
      expect((card as { code: string }).code.split('\n')).to.have.length(40)
    })

    it('is code if only the content type says that it is text', async () => {
      expect(await preview('/ada/mill/blob/main/unknown.newlang')).to.include({
        type: 'code',
        language: 'newlang',
      })
    })

    it('counts the lines of the part read of a large file', async () => {
      const wholeLines = Math.floor((512 * 1_024) / 'insert into mill\n'.length)
      expect(await preview('/ada/mill/blob/main/big.sql#L99999')).to.include({
        total_lines: wholeLines,
        highlight_start: null,
        first_line_num: 1,
      })
    })

    for (const [why, path, title] of [
      ['a picture', '/ada/mill/blob/main/lamp.png', 'lamp.png at main'],
      ['binary', '/ada/mill/blob/main/lamp.bin', 'lamp.bin at main'],
      ['another encoding', '/ada/mill/blob/main/latin.txt', 'latin.txt at main'],
      ['empty', '/ada/mill/blob/main/empty.py', 'empty.py at main'],
      ['behind a sign-in page', '/ada/den/blob/main/secret.py', 'Sign in'],
      ['temporarily unavailable', '/ada/busy/blob/main/pump.py', 'pump.py at main'],
    ] as const) {
      it(`is that of the page when the file is ${why}`, async () => {
        expect(await preview(path)).to.include({ type: 'og', title })
      })
    }
  })

  describe('of a file anywhere', () => {
    it('is code if file name and content type say text', async () => {
      expect(await preview('/files/pump.py#L2')).to.include({
        type: 'code',
        filename: 'pump.py',
        filepath: 'files/pump.py',
        highlight_start: 2,
      })
      expect(await preview('/files/data.json')).to.include({ type: 'code', code: '{}', language: 'json' })
    })

    it('is the card of a page if the response is one', async () => {
      expect(await preview('/files/page.html')).to.include({ type: 'og', title: 'a page' })
      expect(await preview('/files/about.py')).to.include({ type: 'og', title: 'about pump.py' })
    })
  })
})
