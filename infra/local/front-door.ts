import {
  Agent,
  type ClientRequest,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'

/** The addresses (`http://host:port`) of the processes of one kind; asked anew for every request. */
export type Upstreams = () => readonly string[]

export interface FrontDoorOptions {
  api: Upstreams
  events: Upstreams
  port?: number
  /** Where to listen: every address of the machine, if nothing is said. */
  host?: string
  /** How many proxies stand in front of this one: with any, what they forwarded is kept and added to. */
  trustProxy?: number
}

export interface FrontDoor {
  url: string
  port: number
  close(): Promise<void>
}

/** An upstream that refused a connection is passed over for so long, while there is another. */
const SHUNNED_FOR = 1_000
/** How long a client may go on sending after it was answered, before the connection is cut. */
const LINGER = 2_000

/** Between two neighbours; the rest of a message goes through as it came. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
  'expect',
])
const FRAMING = new Set(['host', 'content-length', 'transfer-encoding'])
const FORWARDED = new Set([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
])

/** One port for everything: `/events` goes to the gateways, the rest to the api processes, each kind in turn. */
export async function openFrontDoor({
  api,
  events,
  port = 0,
  host,
  trustProxy = 0,
}: FrontDoorOptions): Promise<FrontDoor> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const pools = { api: new Pool(api), events: new Pool(events) }
  const server = createServer((req, res) => {
    new Passage(req, res, isEvents(req) ? pools.events : pools.api, agent, trustProxy).next()
  })
  server.headersTimeout = 15_000
  server.requestTimeout = 60_000
  server.keepAliveTimeout = 65_000
  server.maxConnections = 10_000
  await listen(server, port, host)
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://localhost:${taken}`,
    port: taken,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
        agent.destroy()
      }),
  }
}

function isEvents({ url = '' }: IncomingMessage) {
  return /^\/events(?:[/?]|$)/.test(url)
}

function listen(server: Server, port: number, host: string | undefined) {
  return new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** Whose turn it is; those that lately refused come last. */
class Pool {
  #turn = 0
  readonly #upstreams: Upstreams
  readonly #shunned = new Map<string, number>()

  constructor(upstreams: Upstreams) {
    this.#upstreams = upstreams
  }

  candidates(): string[] {
    const all = this.#upstreams()
    const start = all.length > 0 ? this.#turn++ % all.length : 0
    const inTurn = [...all.slice(start), ...all.slice(0, start)]
    return inTurn.sort((a, b) => Number(this.#isShunned(a)) - Number(this.#isShunned(b)))
  }

  shun(upstream: string) {
    this.#shunned.set(upstream, Date.now() + SHUNNED_FOR)
  }

  #isShunned(upstream: string) {
    return (this.#shunned.get(upstream) ?? 0) > Date.now()
  }
}

/** One request on its way, with the upstreams that are left to try. */
class Passage {
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #pool: Pool
  readonly #agent: Agent
  readonly #headers: string[]
  readonly #left: string[]
  #out: ClientRequest | undefined

  constructor(req: IncomingMessage, res: ServerResponse, pool: Pool, agent: Agent, trustProxy: number) {
    this.#req = req
    this.#res = res
    this.#pool = pool
    this.#agent = agent
    this.#headers = requestHeaders(req, trustProxy)
    this.#left = pool.candidates()
    res.once('close', () => this.#out?.destroy())
  }

  next() {
    const upstream = this.#left.shift()
    if (upstream === undefined) return this.#refuse()
    const { hostname, port } = new URL(upstream)
    const { method = 'GET', url = '/' } = this.#req
    const safe = method === 'GET' || method === 'HEAD'
    // A connection that was kept may close under a request, and nobody can tell whether it arrived. What must not
    // happen twice therefore gets a connection of its own: if that one is refused, nothing has happened.
    const agent = safe ? this.#agent : false
    const out = request({ hostname, port, method, path: url, headers: this.#headers, agent, setHost: false })
    this.#out = out
    let connected = false

    out.once('socket', socket => {
      const send = () => {
        connected = true
        this.#req.pipe(out)
      }
      if (socket.connecting) socket.once('connect', send)
      else send()
    })
    out.once('response', response => this.#answer(out, response))
    out.on('error', () => {
      if (this.#res.headersSent || this.#res.destroyed) return
      this.#req.unpipe(out)
      if (!connected) this.#pool.shun(upstream)
      if (!connected || (safe && !hasBody(this.#req))) return this.next()
      this.#refuse()
    })
  }

  #answer(out: ClientRequest, response: IncomingMessage) {
    const { statusCode = 502, statusMessage } = response
    this.#res.writeHead(statusCode, statusMessage, responseHeaders(response))
    // An event stream says hello long before its first byte.
    this.#res.flushHeaders()
    response.pipe(this.#res)
    // The upstream went away in the middle: the client must see a broken answer, not a short one.
    response.once('error', () => this.#res.destroy())
    response.once('aborted', () => this.#res.destroy())
    response.once('end', () => this.#afterwards(out))
  }

  /** Answered before the request was read to its end (too large, say): let the client finish its sentence, briefly. */
  #afterwards(out: ClientRequest) {
    if (this.#req.complete) return
    this.#req.unpipe(out)
    out.destroy()
    this.#req.resume()
    setTimeout(() => this.#req.complete || this.#req.destroy(), LINGER).unref()
  }

  #refuse() {
    this.#req.resume()
    this.#res.writeHead(503, {
      'Content-Type': 'text/plain; charset=utf-8',
      'Retry-After': '1',
      'Cache-Control': 'no-store',
    })
    this.#res.end('bothy is not reachable at the moment. Try again in a second.\n')
  }
}

function hasBody({ headers }: IncomingMessage) {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** As they came, without what concerned only the last hop, and with who asked: an outsider's word on that is dropped. */
function requestHeaders(req: IncomingMessage, trustProxy: number): string[] {
  const peer = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const before = trustProxy > 0 ? req.headers : {}
  const kept = pairs(req.rawHeaders).filter(
    ([name]) => !isHopByHop(name, req) && !FORWARDED.has(name.toLowerCase()),
  )
  return [
    ...kept,
    ['X-Forwarded-For', [before['x-forwarded-for'], peer].filter(Boolean).join(', ')],
    ['X-Forwarded-Proto', String(before['x-forwarded-proto'] ?? 'http')],
    ['X-Forwarded-Host', String(before['x-forwarded-host'] ?? req.headers.host ?? '')],
  ].flat()
}

function responseHeaders(response: IncomingMessage): string[] {
  const drop = (name: string) => isHopByHop(name, response) || name.toLowerCase() === 'transfer-encoding'
  return pairs(response.rawHeaders)
    .filter(([name]) => !drop(name))
    .flat()
}

/** `Connection` may name further headers that are for this hop only, but never those that say where a message ends. */
function isHopByHop(name: string, { headers }: IncomingMessage) {
  const lower = name.toLowerCase()
  if (FRAMING.has(lower)) return false
  return (
    HOP_BY_HOP.has(lower) ||
    (headers.connection ?? '')
      .toLowerCase()
      .split(/\s*,\s*/)
      .includes(lower)
  )
}

function pairs(raw: string[]): [string, string][] {
  return raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as [string, string]] : []))
}
