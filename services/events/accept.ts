import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http'
import { isPublicChannel } from '#shared/access/public-channels.ts'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import { DELTA_NAMES, EXTRA_EVENTS, type StateHash, WITH_EXTRA } from '#shared/domain/deltas.ts'
import { afterFrom, type Milliseconds, type Seconds, type Username } from '#shared/domain/units.ts'
import { clientAddress } from '#shared/http/client-address.ts'
import { hostCheck } from '#shared/http/hosts.ts'
import { networkOf } from '#shared/http/networks.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { sessions, viewerIn } from '#shared/http/sessions.ts'
import {
  type ActingToken,
  hasBearer,
  readToken,
  streamKeyOf,
  tokenIn,
  unauthorized,
} from '#shared/http/tokens.ts'
import type { GatewayConfig } from '#shared/runtime/config.ts'
import type { Health } from '#shared/runtime/health.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import { keepEarlyResponse } from '#shared/runtime/request-bodies.ts'
import { isUnavailable } from '#shared/stores/postgres-errors.ts'
import { noteStoreFailure } from '#shared/stores/store-failures.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { acceptsGzip } from './frames.ts'
import type { KeepAlive } from './keep-alive.ts'
import { LoggedRequest, ROUTE } from './request-log.ts'
import type { Slots } from './slots.ts'
import { Stream } from './stream.ts'
import type { Watches } from './watches.ts'

/** Streams per gateway at most; further tabs get a 503. */
const MOST_STREAMS = 5_000

export interface Gateway {
  stores: Stores
  watches: Watches
  keepAlive: KeepAlive
  slots: Slots
}

export function gatewayServer(gateway: Gateway, config: GatewayConfig, health: Health): Server {
  const server = createServer(
    { maxHeaderSize: 16 * 1024, keepAlive: true, keepAliveInitialDelay: 30_000 },
    accept(gateway, config, health),
  )
  server.headersTimeout = HEADERS_WITHIN
  // Requests have no body; this does not limit how long a stream lasts.
  server.requestTimeout = HEADERS_WITHIN
  server.maxHeadersCount = 100
  server.maxConnections = 2 * MOST_STREAMS
  // Node's default handler would write a 400 into the middle of a stream.
  server.on('clientError', (_err, socket) => socket.destroy())
  return server
}

const HEADERS_WITHIN: Milliseconds = 15_000

/** GET /events, and nothing else (interface 4.11, 6). */
function accept(gateway: Gateway, config: GatewayConfig, health: Health): RequestListener {
  const session = sessions(gateway.stores, config)
  const isOurs = hostCheck(config)
  /** Connections that have become streams: any later bytes from the client close them. */
  const taken = new WeakSet<object>()

  return (req, res) => {
    if (taken.has(req.socket)) return req.socket.destroy()
    keepEarlyResponse(req, res)
    if (health.answer(req, res)) return
    const asked = new LoggedRequest(req, config.trustProxy)
    res.setHeader('X-Request-Id', asked.id)
    const refuse = (error: HttpError) => answer(res, hasBearer(req) ? inFullForm(error, asked) : error, asked)
    if (!isOurs(req.headers.host)) return refuse(errors.unknownHost())
    const [path, query] = (req.url ?? '').split('?', 2)
    if (path !== ROUTE) return refuse(errors.notFound())
    if (req.method !== 'GET') return refuse(new HttpError(405, 'method not allowed', { Allow: 'GET' }))

    const openNow = (err?: unknown) => {
      const opening = err ? Promise.reject(err) : open(gateway, req, new URLSearchParams(query), taken, asked)
      opening.catch(cause => refuse(httpErrorFor(cause, asked)))
    }
    if (hasBearer(req)) findToken(gateway.stores, req, config).then(() => openNow(), openNow)
    else session(req as never, res as never, openNow)
  }
}

/** Throws 401 for a token that is none, which counts for the address. */
async function findToken(stores: Stores, req: IncomingMessage, { trustProxy }: GatewayConfig) {
  const address = clientAddress(req, trustProxy)
  if (await readToken(stores, req, address)) return
  await rateLimits(stores)(['anonymous', networkOf(address)])
  throw unauthorized()
}

async function open(
  gateway: Gateway,
  req: IncomingMessage,
  query: URLSearchParams,
  taken: WeakSet<object>,
  asked: LoggedRequest,
) {
  const { stores, watches, keepAlive, slots } = gateway
  const viewer = viewerIn(req)
  const token = tokenIn(req)
  if (viewer === undefined) throw new HttpError(302, '', { Location: '/login' })
  // Opening a stream reads all collections.
  await rateLimits(stores)(token ? ['token', String(token.id)] : ['requests', `streams:${viewer}`, 10])
  if (keepAlive.size >= MOST_STREAMS) throw errors.unavailable()

  const { socket } = req
  const stream = new Stream(socket, {
    viewer,
    session: token ? streamKeyOf(token) : (req as unknown as { sessionID: string }).sessionID,
    channel: await openChannel(stores, viewer, query.get('channel'), token),
    isLimited: token !== undefined && token.channels !== null,
    cursor: cursorOf(query.get('after'), req.headers['last-event-id']),
    chunked: req.httpVersionMinor >= 1,
    gzip: acceptsGzip(req.headers['accept-encoding']),
    deltas: deltasFrom(query.get('with')),
    known: knownFrom(query.get('known')),
  })
  if (!(await slots.claim(stream, watches.streamsOf(viewer)))) throw errors.tooManyStreams()
  if (socket.destroyed) {
    asked.left()
    return slots.free(stream)
  }

  taken.add(socket)
  stream.open(new Date(stores.clock.now() * 1000), asked.id)
  asked.answered(200)
  const leave = [keepAlive.add(stream), watches.add(stream), () => slots.free(stream)]
  socket.once('close', () => {
    for (const undo of leave) undo()
    log.debug({ id: asked.id, open: keepAlive.size }, 'stream closed')
  })
}

/**
 * Returns the id of the open channel. Without a channel that the viewer may read, the stream gets no channel events
 * (interface 6, rule 1). A private channel, and a public one of which a guest is no member, is followed all the same:
 * each evaluation checks its readers, so that a viewer who is added later sees it.
 */
async function openChannel(
  stores: Stores,
  viewer: Username,
  text: string | null,
  token: ActingToken | undefined,
) {
  if (!text) return undefined
  const readable = await findReadableChannel(stores, viewer, text)
  if (token?.channels) {
    if (readable && token.channels.includes(readable.id)) return readable.id
    throw errors.coded(404, 'not_found', 'not found')
  }
  if (readable) return readable.id
  const parsed = parseChannelId(text)
  if (parsed?.kind === 'public') return (await isPublicChannel(stores, parsed.id)) ? parsed.id : undefined
  return parsed?.kind === 'private' ? parsed.id : undefined
}

/** The larger of the tab's first cursor and the last one the browser received (interface 6, Connection). */
function cursorOf(after: string | null, lastEventId: string | string[] | undefined): Seconds {
  return Math.max(afterFrom(after), afterFrom(lastEventId))
}

/** Ignores unknown names. */
function deltasFrom(text: string | null): Set<string> {
  const asked = new Set(text?.slice(0, LONGEST_LIST).split(','))
  return new Set([...DELTA_NAMES, ...EXTRA_EVENTS, WITH_EXTRA].filter(name => asked.has(name)))
}

/** Parses `event:hash,…`; ignores malformed entries and those after the sixteenth. */
function knownFrom(text: string | null): Map<string, StateHash> {
  const entries = (text ?? '').slice(0, LONGEST_LIST).split(',', MOST_KNOWN)
  return new Map(
    entries.flatMap(entry => {
      const [, event, hash] = /^([a-z_]{1,32}):([0-9a-f]{16})$/.exec(entry) ?? []
      return event !== undefined && hash !== undefined ? [[event, hash] as const] : []
    }),
  )
}

/** The form of errors for requests with a token (interface 19). */
function inFullForm({ status, sentence, code, headers }: HttpError, { id }: LoggedRequest): HttpError {
  const body = { error: sentence, code: code ?? CODES[status] ?? 'bad_request', request_id: id }
  return new HttpError(status, JSON.stringify(body), { ...headers, 'Content-Type': 'application/json' })
}

const CODES: Record<number, string> = {
  404: 'not_found',
  429: 'rate_limited',
  500: 'internal',
  503: 'unavailable',
}

const MOST_KNOWN = 16
const LONGEST_LIST = 1_024

function httpErrorFor(err: unknown, { id }: LoggedRequest): HttpError {
  if (err instanceof HttpError) return err
  if (noteStoreFailure(err) || isUnavailable(err)) return errors.unavailable()
  log.error({ id, err }, 'stream not opened')
  return new HttpError(500, 'internal error')
}

function answer(res: ServerResponse, { status, body, headers }: HttpError, asked: LoggedRequest) {
  if (res.headersSent || res.destroyed) return asked.left()
  asked.answered(status)
  res.statusCode = status
  res.setHeaders(
    new Map(
      Object.entries({
        'Content-Type': 'text/plain; charset=utf-8',
        'Cache-Control': 'no-store',
        'X-Content-Type-Options': 'nosniff',
        ...headers,
      }),
    ),
  )
  res.end(body)
}
