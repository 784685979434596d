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
import { BODY_LIMITS, discardBody, hasBody, limitBodyTime } from '#shared/runtime/request-bodies.ts'
import { closeStalled } from '#shared/runtime/stalled-connections.ts'
import { Pool, type Upstreams } from './upstreams.ts'

export interface FrontDoorOptions {
  api: Upstreams
  events: Upstreams
  port?: number
  /** Address to listen on; default all addresses. */
  host?: string
  /** Number of trusted proxies in front: if not 0, their X-Forwarded-* headers are kept and extended. */
  trustProxy?: number
  /** Time in which a client takes nothing, after which its connection is closed; default: `closeStalled`. */
  stalled?: number | undefined
}

export interface FrontDoor {
  url: string
  port: number
  close(): Promise<void>
}

/** Time limit for connecting to a local process, ms. */
const CONNECTS_WITHIN = 1_000
/** From the end of a request to the first byte of the response, ms, while the process is alive. */
const ANSWERS_WITHIN = 30_000
/** Connections that the kernel queues until they are accepted: all tabs reconnect at once after a restart. */
const BACKLOG = 4_096

/** Headers for a single hop; all others are forwarded unchanged. */
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
/** Dropped unless a trusted proxy sent it. */
const REQUEST_ID = 'x-request-id'

/** Listens on a single port: `/events` goes to the gateways, the rest to the api processes, round robin. */
export async function openFrontDoor({
  api,
  events,
  port = 0,
  host,
  trustProxy = 0,
  stalled,
}: FrontDoorOptions): Promise<FrontDoor> {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
  const pools = { api: new Pool(api), events: new Pool(events) }
  const server = createServer((req, res) =>
    new Passage(req, res, isEvents(req) ? pools.events : pools.api, agent, trustProxy).next(),
  )
  server.headersTimeout = 15_000
  server.requestTimeout = BODY_LIMITS.uploadsWithin
  server.keepAliveTimeout = 65_000
  server.maxConnections = 10_000
  closeStalled(server, stalled)
  await listen(server, port, host)
  const { port: taken } = server.address() as AddressInfo
  return {
    url: `http://localhost:${taken}`,
    port: taken,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
        pools.api.close()
        pools.events.close()
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
    server.listen({ port, host, backlog: BACKLOG }, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** A request being proxied, with the upstreams left to try. */
class Passage {
  readonly #req: IncomingMessage
  readonly #res: ServerResponse
  readonly #pool: Pool
  readonly #agent: Agent
  readonly #headers: string[]
  readonly #left: string[]
  #out: ClientRequest | undefined
  #unwatch = () => {}

  constructor(req: IncomingMessage, res: ServerResponse, pool: Pool, agent: Agent, trustProxy: number) {
    this.#req = req
    this.#res = res
    this.#pool = pool
    this.#agent = agent
    this.#headers = requestHeaders(req, trustProxy)
    this.#left = pool.candidates()
    res.once('close', () => {
      this.#unwatch()
      this.#out?.destroy()
    })
    limitBodyTime(req, () => {
      this.#drop()
      refuse(this.#req, this.#res, 408, 'The request arrived too slowly.')
    })
  }

  next() {
    const upstream = this.#left.shift()
    if (upstream === undefined) return refuse(this.#req, this.#res, 503, UNREACHABLE)
    const { hostname, port } = new URL(upstream)
    const { method = 'GET', url = '/' } = this.#req
    const safe = (method === 'GET' || method === 'HEAD') && !WRITES_BY_GET.test(url)
    // A kept-alive connection may close under a request, which leaves open whether it arrived. Writes therefore get a
    // new connection: if it is refused, nothing has happened.
    const agent = safe ? this.#agent : false
    const out = request({ hostname, port, method, path: url, headers: this.#headers, agent, setHost: false })
    this.#out = out
    let connected = false
    const repeatable = () => !connected || (safe && !hasBody(this.#req))

    out.once('socket', socket => {
      const send = () => {
        connected = true
        this.#req.pipe(out)
        this.#watch(upstream, repeatable)
      }
      if (!socket.connecting) return send()
      const late = setTimeout(() => out.destroy(new Error('not accepted in time')), CONNECTS_WITHIN)
      out.once('close', () => clearTimeout(late))
      socket.once('connect', () => {
        clearTimeout(late)
        send()
      })
    })
    out.once('response', response => {
      if (this.#out === out) this.#answer(out, response)
    })
    out.on('error', () => {
      if (this.#out !== out || this.#res.headersSent || this.#res.destroyed) return
      this.#drop()
      if (!connected) this.#pool.shun(upstream)
      if (repeatable()) return this.next()
      refuse(this.#req, this.#res, 503, UNREACHABLE)
    })
  }

  /**
   * Enforces the time limits. A request that may have reached a process is repeated only if it is a read; a write gets
   * 504: clients that send a `client_id` repeat it, for others the outcome is unknown.
   */
  #watch(upstream: string, repeatable: () => boolean) {
    let endsAt = performance.now() + ANSWERS_WITHIN
    const giveUp = () => {
      this.#drop()
      if (repeatable() && this.#left.length > 0) return this.next()
      refuse(this.#req, this.#res, 504, 'bothy did not answer in time.')
    }
    const onFrozen = () => {
      if (this.#pool.hasOther(upstream)) giveUp()
    }
    this.#unwatch = this.#pool.watch(upstream, onFrozen, () => {
      if (!this.#req.complete) endsAt = performance.now() + ANSWERS_WITHIN
      else if (performance.now() > endsAt) giveUp()
    })
  }

  /** Ends the current attempt. */
  #drop() {
    const out = this.#out
    this.#out = undefined
    this.#unwatch()
    if (!out) return
    this.#req.unpipe(out)
    out.destroy()
  }

  #answer(out: ClientRequest, response: IncomingMessage) {
    this.#unwatch()
    const { statusCode = 502, statusMessage } = response
    const headers = responseHeaders(response)
    // A response before the end of the request (too large, say) reaches the client only if the connection stays open.
    if (!this.#req.complete) headers.push('Connection', 'keep-alive')
    this.#res.writeHead(statusCode, statusMessage, headers)
    // The headers of an event stream come long before its first byte.
    this.#res.flushHeaders()
    response.pipe(this.#res)
    // The upstream closed early: the client must see a broken response, not a short one.
    response.once('error', () => this.#res.destroy())
    response.once('aborted', () => this.#res.destroy())
    response.once('end', () => {
      if (this.#req.complete) return
      this.#req.unpipe(out)
      out.destroy()
      discardBody(this.#req)
    })
  }
}

/** Methods of Slack's API, which write by GET as well. */
const WRITES_BY_GET = /^(?:https?:\/\/[^/]*)?\/api\//i

const UNREACHABLE = 'bothy is not reachable at the moment.'

function refuse(req: IncomingMessage, res: ServerResponse, status: number, why: string) {
  if (res.headersSent) return void res.destroy()
  const isPage = req.method === 'GET' && /\btext\/html\b/.test(req.headers.accept ?? '')
  res.writeHead(status, {
    'Content-Type': `text/${isPage ? 'html' : 'plain'}; charset=utf-8`,
    'Retry-After': '1',
    'Cache-Control': 'no-store',
    ...(req.complete ? {} : { Connection: 'keep-alive' }),
  })
  res.end(isPage ? AWAY : `${why} Try again in a second.\n`)
  discardBody(req)
}

/** For browsers during an upgrade. */
const AWAY = `<!doctype html>
<meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="5">
<title>bothy</title>
<body style="font: 1rem/1.5 sans-serif; margin: 20vh auto; max-width: 24rem; padding: 0 1rem">
<p>bothy is not reachable at the moment. This page tries again every five seconds.</p>
<p lang="de">bothy ist gerade nicht erreichbar. Diese Seite versucht es alle fünf Sekunden erneut.</p>
`

/** Forwarded headers: without hop-by-hop ones, and with the client's address. Untrusted X-Forwarded-* are dropped. */
function requestHeaders(req: IncomingMessage, trustProxy: number): string[] {
  const peer = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const before = trustProxy > 0 ? req.headers : {}
  const kept = pairs(req.rawHeaders).filter(
    ([name]) =>
      !isHopByHop(name, req) &&
      !FORWARDED.has(name.toLowerCase()) &&
      (trustProxy > 0 || name.toLowerCase() !== REQUEST_ID),
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

/** `Connection` may name further hop-by-hop headers, but never those that delimit the message. */
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
