import { readFileSync } from 'node:fs'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'

/** A hostile web server, for tests only. Each trick has a path. */
export interface MaliciousServer {
  /** Without a trailing slash. */
  url: string
  port: number
  /** Paths of all tricks, each with a leading slash. */
  paths: readonly string[]
  /** Requests so far. */
  seen: readonly Seen[]
  /** Connections so far, including those without a request. */
  readonly connections: number
  /** Connections that the client keeps open. */
  readonly open: number
  close(): Promise<void>
}

export interface Seen {
  path: string
  /** As received, names in lower case. */
  headers: Readonly<Record<string, string>>
}

interface Request {
  url: URL
  base: string
}

type Trick = (socket: Socket, request: Request) => void

export interface MaliciousServerOptions {
  host?: string
  port?: number
  /** Serves TLS with a self-signed certificate for `malicious.test`. */
  isSecure?: boolean
}

/** Key and certificate of the TLS server. */
export const MALICIOUS_PEM = readFileSync(new URL('./malicious-server.pem', import.meta.url), 'utf8')

export async function startMaliciousServer({
  host = '127.0.0.1',
  port: wanted = 0,
  isSecure = false,
}: MaliciousServerOptions = {}): Promise<MaliciousServer> {
  const seen: Seen[] = []
  const sockets = new Set<Socket>()
  let connections = 0

  const accept = (socket: Socket) => {
    connections++
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    // Expected: clients disconnect in the middle of a response.
    socket.on('error', () => {})
    let text = ''
    socket.on('data', data => {
      text += data.toString('latin1')
      const end = text.indexOf('\r\n\r\n')
      if (end < 0) return
      const [line = '', ...headers] = text.slice(0, end).split('\r\n')
      text = text.slice(end + 4)
      const path = line.split(' ')[1] ?? ''
      seen.push({ path, headers: Object.fromEntries(headers.map(nameAndValue)) })
      const asked = new URL(path, url)
      const trick = TRICKS[asked.pathname] ?? notFound
      trick(socket, { url: asked, base: url })
    })
  }

  const server = isSecure
    ? createTlsServer({ key: MALICIOUS_PEM, cert: MALICIOUS_PEM }, accept)
    : createServer(accept)
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(wanted, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  const url = `${isSecure ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`

  return {
    url,
    port,
    paths: Object.keys(TRICKS),
    seen,
    get connections() {
      return connections
    },
    get open() {
      return sockets.size
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

const nameAndValue = (header: string): [string, string] => {
  const colon = header.indexOf(':')
  return [header.slice(0, colon).toLowerCase(), header.slice(colon + 1).trim()]
}

export const PAGE = `<!doctype html><html><head><title>A page</title>
<meta property="og:title" content="A page"><meta property="og:description" content="From the malicious server.">
</head><body><p>Nothing to see.</p></body></html>`

const HTML = 'Content-Type: text/html; charset=utf-8'
const CHUNKED = 'Transfer-Encoding: chunked'

/** Status line and headers; each trick writes its own body. */
const head = (status: number, ...headers: string[]) =>
  `${[`HTTP/1.1 ${status} So`, ...headers].join('\r\n')}\r\n\r\n`

const whole = (status: number, headers: string[], body: string | Buffer = '') => {
  const bytes = Buffer.from(body)
  return Buffer.concat([
    Buffer.from(head(status, ...headers, `Content-Length: ${bytes.length}`), 'latin1'),
    bytes,
  ])
}

const redirect = (to: string) => whole(302, [`Location: ${to}`])
const notFound: Trick = socket => socket.end(whole(404, [HTML], 'no such trick'))

/** Writes `piece` repeatedly, as fast as the client reads, until it disconnects. */
function flood(socket: Socket, piece: string | Buffer, atMost = Number.POSITIVE_INFINITY) {
  let left = atMost
  const more = () => {
    while (left-- > 0 && !socket.destroyed) {
      if (!socket.write(piece)) return socket.once('drain', more)
    }
    if (!socket.destroyed) socket.end()
  }
  more()
}

/** Writes a piece every `every` ms until the client disconnects. */
function drip(socket: Socket, next: () => string | Buffer, every = 20) {
  const timer = setInterval(() => socket.write(next()), every)
  socket.once('close', () => clearInterval(timer))
}

const BLOCK = Buffer.alloc(65_536, 'a ')
const chunk = (body: string | Buffer) =>
  Buffer.concat([Buffer.from(`${body.length.toString(16)}\r\n`), Buffer.from(body), Buffer.from('\r\n')])

/** 64 MiB of zeros in 64 KiB of gzip; made on first use, since most tests do not need it. */
let bomb: Buffer | undefined
const gzipBomb = () => {
  bomb ??= gzipSync(Buffer.alloc(64 * 1024 * 1024), { level: constants.Z_BEST_COMPRESSION })
  return bomb
}
let brotli: Buffer | undefined
const brotliBomb = () => {
  brotli ??= brotliCompressSync(Buffer.alloc(8 * 1024 * 1024), {
    params: { [constants.BROTLI_PARAM_QUALITY]: 1 },
  })
  return brotli
}

const gzipped = (encoding: string, body: Buffer) => whole(200, [HTML, `Content-Encoding: ${encoding}`], body)

const TRICKS: Record<string, Trick> = {
  // Honest responses, for comparison.
  '/page': socket => socket.end(whole(200, [HTML], PAGE)),
  '/page-chunked': socket => {
    socket.write(head(200, HTML, CHUNKED))
    for (const letter of PAGE) socket.write(chunk(letter))
    socket.end('0\r\n\r\n')
  },
  '/page-until-close': socket => socket.end(head(200, HTML) + PAGE),
  '/page-gzip': socket => socket.end(gzipped('gzip', gzipSync(PAGE))),
  '/page-kept-open': socket => socket.write(whole(200, [HTML, 'Connection: keep-alive'], PAGE)),
  '/early-hints': socket => {
    socket.end(head(103, 'Link: </style.css>; rel=preload') + head(102) + whole(200, [HTML], PAGE))
  },
  '/cookie': socket => {
    socket.end(whole(302, ['Location: /page', 'Set-Cookie: id=7; Path=/', 'WWW-Authenticate: Basic']))
  },

  // Redirects to the URL after `?`, in any spelling.
  '/to': (socket, { url }) => socket.end(redirect(decodeURIComponent(url.search.slice(1)))),
  '/to-raw-bytes': socket =>
    socket.end(Buffer.from(head(302, 'Location: /page?\xc3\xa9', 'Content-Length: 0'), 'latin1')),
  '/to-far-away': socket => socket.end(redirect(`/page?${'x'.repeat(2_048)}`)),
  '/chain': (socket, { url }) => {
    const left = Number(url.search.slice(1))
    socket.end(redirect(left > 1 ? `/chain?${left - 1}` : '/page'))
  },
  '/loop': socket => socket.end(redirect('/loop')),
  '/there': socket => socket.end(redirect('/and-back')),
  '/and-back': socket => socket.end(redirect('/there')),
  '/redirect-nowhere': socket => socket.end(whole(302, [])),
  '/redirect-twice': socket => socket.end(whole(302, ['Location: /page', 'Location: http://10.0.0.1/'])),
  '/redirect-endless': socket => {
    socket.write(head(302, 'Location: /page', CHUNKED))
    flood(socket, chunk(BLOCK))
  },
  '/meta-refresh': socket => {
    socket.end(
      whole(200, [HTML], '<meta http-equiv="refresh" content="0; url=/meta-refresh"><title>Again</title>'),
    )
  },

  // Slow responses.
  '/silence': () => {},
  '/slow-headers': socket => {
    socket.write('HTTP/1.1 200 So\r\n')
    drip(socket, () => 'x')
  },
  '/slow-header-lines': socket => {
    socket.write('HTTP/1.1 200 So\r\n')
    drip(socket, () => 'X-Again: 1\r\n')
  },
  '/slow-body': socket => {
    socket.write(head(200, HTML, CHUNKED))
    drip(socket, () => '1\r\nx\r\n')
  },
  '/headers-only': socket => socket.write(head(200, HTML, CHUNKED)),
  '/headers-unfinished': socket => socket.write(`HTTP/1.1 200 So\r\n${HTML}\r\n`),
  '/slow-interim': socket => drip(socket, () => head(103)),
  '/slow-gzip': socket => {
    socket.write(head(200, HTML, CHUNKED, 'Content-Encoding: gzip'))
    drip(socket, () => chunk(gzipSync('')))
  },

  // Large responses.
  '/endless': socket => {
    socket.write(head(200, HTML, CHUNKED))
    flood(socket, chunk(BLOCK))
  },
  '/endless-until-close': socket => {
    socket.write(head(200, HTML))
    flood(socket, BLOCK)
  },
  '/endless-small-chunks': socket => {
    socket.write(head(200, HTML, CHUNKED))
    flood(socket, '1\r\nx\r\n'.repeat(10_000))
  },
  '/endless-chunk-extension': socket => {
    socket.write(`${head(200, HTML, CHUNKED)}1;x=`)
    flood(socket, 'x'.repeat(65_536))
  },
  '/endless-trailers': socket => {
    socket.write(`${head(200, HTML, CHUNKED)}1\r\nx\r\n0\r\n`)
    flood(socket, 'X-Trailer: 1\r\n'.repeat(1_000))
  },
  '/endless-interim': socket => flood(socket, head(103).repeat(1_000)),
  '/endless-status-line': socket => {
    socket.write('HTTP/1.1 200 ')
    flood(socket, BLOCK)
  },
  '/page-of-50-mb': socket => {
    socket.write(head(200, HTML, `Content-Length: ${800 * BLOCK.length}`))
    flood(socket, BLOCK, 800)
  },
  '/one-huge-header': socket => {
    socket.write(`HTTP/1.1 200 So\r\nX-Huge: `)
    flood(socket, BLOCK)
  },
  '/many-headers': socket => {
    socket.write('HTTP/1.1 200 So\r\n')
    flood(socket, 'X-Many: 1\r\n'.repeat(1_000))
  },
  '/gzip-bomb': socket => socket.end(gzipped('gzip', gzipBomb())),
  '/gzip-bomb-of-bombs': socket => socket.end(gzipped('gzip, gzip', gzipSync(gzipBomb()))),
  '/gzip-of-nothing': socket => {
    socket.write(head(200, HTML, CHUNKED, 'Content-Encoding: gzip'))
    const nothing = gzipSync('')
    flood(socket, chunk(Buffer.concat(Array.from({ length: 1_000 }, () => nothing))))
  },
  '/gzip-five-times': socket => {
    let body = Buffer.from(PAGE)
    for (let i = 0; i < 5; i++) body = gzipSync(body)
    socket.end(gzipped('gzip, gzip, gzip, gzip, gzip', body))
  },
  '/gzip-in-two-headers': socket => {
    socket.end(
      whole(200, [HTML, 'Content-Encoding: gzip', 'Content-Encoding: gzip'], gzipSync(gzipSync(PAGE))),
    )
  },

  // Malformed responses.
  '/gzip-broken': socket => socket.end(gzipped('gzip', Buffer.from('this is no gzip at all'))),
  '/gzip-half': socket => socket.end(gzipped('gzip', gzipSync(PAGE.repeat(100)).subarray(0, 100))),
  '/brotli': socket => socket.end(gzipped('br', brotliCompressSync(PAGE))),
  '/brotli-bomb': socket => socket.end(gzipped('br', brotliBomb())),
  '/brotli-broken': socket => socket.end(gzipped('br', Buffer.from('this is no brotli at all'))),
  '/deflate': socket => socket.end(gzipped('deflate', deflateSync(PAGE))),
  '/deflate-raw': socket => socket.end(gzipped('deflate', deflateRawSync(PAGE))),
  '/deflate-of-nothing': socket => socket.write(head(200, HTML, CHUNKED, 'Content-Encoding: deflate')),
  '/zstd': socket => socket.end(gzipped('zstd', Buffer.from('what nobody reads'))),
  '/longer-than-sent': socket => socket.end(head(200, HTML, `Content-Length: ${PAGE.length + 1000}`) + PAGE),
  '/longer-than-sent-and-open': socket => {
    socket.write(head(200, HTML, `Content-Length: ${PAGE.length + 1000}`) + PAGE)
  },
  '/shorter-than-sent': socket => socket.end(head(200, HTML, 'Content-Length: 15') + PAGE),
  '/length-of-gigabytes': socket => socket.write(head(200, HTML, 'Content-Length: 99999999999')),
  '/length-overflow': socket => socket.write(head(200, HTML, `Content-Length: ${'9'.repeat(40)}`)),
  '/length-negative': socket => socket.end(head(200, HTML, 'Content-Length: -1') + PAGE),
  '/length-twice': socket => socket.end(head(200, HTML, 'Content-Length: 15', 'Content-Length: 20') + PAGE),
  '/length-and-chunks': socket => {
    socket.end(`${head(200, HTML, 'Content-Length: 15', CHUNKED)}1\r\nx\r\n0\r\n\r\n`)
  },
  '/chunk-of-junk': socket => socket.end(`${head(200, HTML, CHUNKED)}zz\r\nx\r\n0\r\n\r\n`),
  '/chunk-too-large': socket => socket.end(`${head(200, HTML, CHUNKED)}ffffffffffffffffff\r\nx\r\n`),
  '/no-last-chunk': socket => socket.end(`${head(200, HTML, CHUNKED)}1\r\nx\r\n`),
  '/two-answers': socket =>
    socket.end(Buffer.concat([whole(200, [HTML], PAGE), whole(200, [HTML], 'smuggled')])),
  '/reset': socket => socket.resetAndDestroy(),
  '/reset-in-body': socket => {
    socket.write(head(200, HTML, 'Content-Length: 1000') + PAGE.slice(0, 20), () => socket.resetAndDestroy())
  },
  '/hang-up': socket => socket.end(),
  '/switch': socket => socket.write(head(101, 'Connection: upgrade', 'Upgrade: websocket')),
  '/ssh': socket => socket.write('SSH-2.0-OpenSSH_9.9\r\n'),
  '/http-0.9': socket => socket.end(PAGE),
  '/http-2': socket => socket.write(Buffer.from('0000000400000000000000080000000000', 'hex')),
  '/header-injection': socket => {
    socket.end(Buffer.from(`HTTP/1.1 200 So\r\nX: a\x00b\r\n${HTML}\r\nContent-Length: 1\r\n\r\nx`, 'latin1'))
  },

  // Wrong or unwanted content types.
  '/no-type': socket => socket.end(whole(200, [], PAGE)),
  '/type-junk': socket => socket.end(whole(200, [`Content-Type: ;;;${'/'.repeat(5_000)}`], PAGE)),
  '/type-upper-case': socket =>
    socket.end(whole(200, ['Content-Type: TEXT/HTML ; Charset="Windows-1252"'], PAGE)),
  '/pdf': socket => socket.end(whole(200, ['Content-Type: application/pdf'], '%PDF-1.7')),
  '/svg': socket => socket.end(whole(200, ['Content-Type: image/svg+xml'], '<svg onload="alert(1)"/>')),
  '/status': (socket, { url }) => socket.end(whole(Number(url.search.slice(1)), [HTML], PAGE)),
  '/no-content': socket => socket.end(head(204)),
  '/partial': socket => socket.end(whole(206, [HTML, 'Content-Range: bytes 0-1/2'], 'xx')),
}
