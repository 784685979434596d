import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction, Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import type { Milliseconds } from '#shared/domain/units.ts'
import { type AllowList, allowListOf } from '#shared/runtime/allow-list.ts'
import { isNeighbour, isPublicAddress } from '#shared/runtime/public-address.ts'
import { dial } from './dial.ts'
import { asFetchError, FetchError } from './fetch-error.ts'
import { openNameResolver } from './resolve-name.ts'
import { isWebPort } from './service-ports.ts'

export { FetchError } from './fetch-error.ts'

/** Types and sizes that a caller accepts. */
export interface Wanted {
  /** Gets the media type, lower case, without parameters; empty if the response has none. */
  accepts(type: string): boolean
  maxBytes: number
  /** Longer bodies: keep the beginning (pages), or fail (pictures). */
  longer: 'cut' | 'refuse'
  /** Milliseconds after the headers at which a body that goes on is cut, for pages that never end. */
  enough?: number
}

export interface Fetched {
  /** After redirects. */
  url: URL
  type: string
  charset: string | undefined
  body: Buffer
  cut: boolean
}

/** A request with a body, of the queue `outgoing`. */
export interface Sent {
  method: 'POST'
  headers: Record<string, string>
  body: Buffer
  /** For all of it, in place of the limits of time but that of the connection. */
  within: Milliseconds
  /** Bytes of the answer's body that are read; the rest is cut. */
  maxBytes: number
}

export interface Answered {
  status: number
  headers: Record<string, string | string[] | undefined>
  body: Buffer
  cut: boolean
}

export interface Guard {
  /** Fetches, or throws `FetchError`. */
  fetch(url: URL | string, wanted: Wanted, signal: AbortSignal): Promise<Fetched>
  /** Sends once, follows no redirect, and returns the answer whatever its status; or throws `FetchError`. */
  send(url: string, sent: Sent): Promise<Answered>
  /** Aborts running fetches. */
  close(): Promise<void>
}

/** Interface 4.4: five seconds in all, three redirects. */
export const LIMITS = {
  whole: 5_000,
  connect: 3_000,
  /** From the request to the last header. */
  headers: 4_000,
  /** Between two chunks of the body. */
  body: 4_000,
  redirects: 3,
  headerBytes: 16_384,
  urlLength: 2_048,
  /** Wire bytes allowed per wanted byte: a byte in its own chunk takes six. */
  wireBytesPerByte: 8,
  /** Interim responses (1xx) before the final one: servers need one or two. */
  interim: 8,
}

export interface GuardOptions {
  /** The setting `preview_allow` or `hooks_allow`, read at each request. */
  allow(): readonly string[]
  /** Resolver for all names, with the signature of `dns.lookup`; for tests. */
  lookup?: LookupFunction
  limits?: Partial<typeof LIMITS>
}

/**
 * The only way to an address that a user chose (security 3): pages, pictures and raw files from a message or a page, and
 * what hooks and commands send. Each redirect is checked like a first address.
 */
export function openGuard({ allow, lookup, limits }: GuardOptions): Guard {
  const names = openNameResolver()
  const within = { ...LIMITS, ...limits }
  const open = new Map<AbortController, Promise<unknown>>()

  async function bounded<T>(limits: typeof LIMITS, work: (rules: Rules) => Promise<T>, signal?: AbortSignal) {
    const ending = new AbortController()
    const giveUp = () => ending.abort(signal?.reason)
    if (signal?.aborted) giveUp()
    signal?.addEventListener('abort', giveUp, { once: true })
    const timer = setTimeout(() => ending.abort(tooSlow()), limits.whole)
    const working = work({
      allow: allowListOf(allow()),
      lookup: lookup ?? names.lookup,
      localLookup: lookup ?? systemLookup,
      limits,
      signal: ending.signal,
    })
    open.set(ending, working)
    try {
      return await working
    } catch (err) {
      throw asFetchError(err, ending.signal)
    } finally {
      open.delete(ending)
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    }
  }

  return {
    fetch: (url, wanted, signal) => bounded(within, rules => follow(url, wanted, rules), signal),

    send(url, sent) {
      const limits = { ...within, whole: sent.within, headers: sent.within, body: sent.within }
      return bounded(limits, rules => sendOnce(url, sent, rules))
    },

    async close() {
      for (const ending of open.keys())
        ending.abort(new FetchError('failed', 'closing', { isTemporary: true }))
      names.close()
      await Promise.allSettled(open.values())
    },
  }
}

interface Rules {
  allow: AllowList
  lookup: LookupFunction
  /** For names known only to this machine: hosts file, search domains, local network. */
  localLookup: LookupFunction
  limits: typeof LIMITS
  signal: AbortSignal
}

/** Follows redirects; checks each target like the first URL. */
async function follow(first: URL | string, wanted: Wanted, rules: Rules): Promise<Fetched> {
  let url = readTarget(String(first), undefined, rules)
  for (let redirects = 0; ; redirects++) {
    const answer = await ask(url, wanted, rules)
    if (!('location' in answer)) return answer
    if (redirects === rules.limits.redirects) throw new FetchError('redirects', 'too many')
    const next = readTarget(answer.location, url, rules)
    if (url.protocol === 'https:' && next.protocol === 'http:') throw refused('redirect from https to http')
    url = next
  }
}

/**
 * Parses and checks a URL. Only the parsed form is used afterwards: parsing turns every spelling of a host (decimal,
 * octal, hex, full-width) into the one that is connected to.
 */
function readTarget(text: string, base: URL | undefined, { allow, limits }: Rules): URL {
  if (text.length > limits.urlLength || !URL.canParse(text.trim(), base?.href)) throw refused('no URL')
  const url = new URL(text.trim(), base?.href)
  if (url.href.length > limits.urlLength) throw refused('too long')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refused('neither http nor https')
  if (url.username !== '' || url.password !== '') throw refused('names a user')
  if (url.hostname === '') throw refused('no host')
  const port = portOf(url)
  if (!isWebPort(port) && !allow.opensPort(hostOf(url), port)) throw refused('no port of the web')
  return url
}

const portOf = (url: URL) => Number(url.port || (url.protocol === 'https:' ? 443 : 80))
const hostOf = (url: URL) => url.hostname.replace(/^\[(.*)\]$/, '$1')

const HEADERS = {
  'user-agent': 'bothy (link preview)',
  accept: '*/*',
  'accept-encoding': 'gzip',
  // Headers of the client: without them a site guesses by the address of the server.
  'accept-language': 'en, de;q=0.8',
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

const ask = (url: URL, wanted: Wanted, rules: Rules): Promise<Fetched | { location: string }> =>
  exchange(url, { method: 'GET', headers: HEADERS, maxBytes: wanted.maxBytes }, rules, answer =>
    readAnswer(url, answer, wanted),
  )

async function sendOnce(text: string, sent: Sent, rules: Rules): Promise<Answered> {
  const headers = { accept: '*/*', 'accept-encoding': 'identity', ...sent.headers }
  return exchange(readTarget(text, undefined, rules), { ...sent, headers }, rules, async answer => {
    const { statusCode: status, headers } = answer
    // The status tells that the request arrived, also if the rest breaks off.
    const broken = { body: Buffer.alloc(0), cut: true }
    const read = await decoded(answer.body, headers['content-encoding'])
      .then(plain => readBody(plain, { accepts: () => true, maxBytes: sent.maxBytes, longer: 'cut' }))
      .catch(() => broken)
    return { status, headers, ...read }
  })
}

interface Exchanged {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: Buffer
  /** Bytes of the answer's body that its reader wants. */
  maxBytes: number
}

/** Sends a request over its own connection, which is always closed afterwards. */
async function exchange<T>(
  url: URL,
  { method, headers, body, maxBytes }: Exchanged,
  rules: Rules,
  read: (answer: Dispatcher.ResponseData) => Promise<T>,
): Promise<T> {
  const { limits, signal } = rules
  const socket = await dial(url, {
    lookup: isLocalName(url, rules.allow) ? rules.localLookup : rules.lookup,
    mayConnect: gateTo(url, rules.allow),
    within: limits.connect,
    signal,
  })
  const client = new Client(url.origin, {
    connect: once(socket),
    allowH2: false,
    headersTimeout: limits.headers,
    bodyTimeout: limits.body,
    maxHeaderSize: limits.headerBytes,
  })
  // The parser counts headers and body; it does not bound status lines and chunk extensions.
  const most = 16 * limits.headerBytes + limits.wireBytesPerByte * maxBytes
  socket.on('readable', () => {
    if (socket.bytesRead > most) socket.destroy(tooLong())
  })
  try {
    let interim = 0
    const answer = await client.request({
      method,
      path: url.pathname + url.search,
      headers,
      body: body ?? null,
      reset: true,
      signal,
      onInfo: () => {
        if (++interim > limits.interim)
          socket.destroy(new FetchError('failed', 'interim answers without end'))
      },
    })
    // The reader gets the error; an unread body must not throw.
    answer.body.on('error', () => {})
    return await read(answer)
  } finally {
    socket.destroy()
    await client.destroy()
  }
}

/** Allowed hosts and names without a dot: the operator's own resolvers answer for them. */
const isLocalName = (url: URL, allow: AllowList) =>
  allow.hasHost(hostOf(url), portOf(url)) || !hostOf(url).includes('.')

/** Returns the address check for a URL's host: public and not a neighbour, or opened by the operator. */
function gateTo(url: URL, allow: AllowList): (address: string) => boolean {
  const port = portOf(url)
  const isAllowedHost = allow.hasHost(hostOf(url), port)
  return address =>
    (isPublicAddress(address) && !isNeighbour(address)) ||
    allow.hasAddress(address, port) ||
    // A zone names an interface of this machine, even for an allowed host.
    (isAllowedHost && !address.includes('%'))
}

/** Prevents undici's reconnect after an early end: each connection must be a checked one. */
function once(socket: Socket): buildConnector.connector {
  let isGiven = false
  return (_options, callback) => {
    if (isGiven || socket.destroyed) {
      callback(
        new FetchError('failed', 'the connection ended before the answer', { isTemporary: true }),
        null,
      )
      return
    }
    isGiven = true
    queueMicrotask(() => callback(null, socket))
  }
}

async function readAnswer(
  url: URL,
  { statusCode, headers, body }: Dispatcher.ResponseData,
  wanted: Wanted,
): Promise<Fetched | { location: string }> {
  const location = headers['location']
  if (REDIRECTS.has(statusCode) && typeof location === 'string') return { location: utf8(location) }
  if (statusCode !== 200) throw wrongStatus(statusCode)

  const { type, charset } = readType(headers['content-type'])
  if (!wanted.accepts(type)) throw new FetchError('type', type || 'none')
  if (wanted.longer === 'refuse' && Number(headers['content-length']) > wanted.maxBytes) throw tooLong()

  const plain = await decoded(body, headers['content-encoding'])
  return { url, type, charset, ...(await readBody(plain, wanted)) }
}

/** Decodes header bytes as UTF-8, as browsers do; HTTP itself says Latin-1. */
const utf8 = (text: string) => Buffer.from(text, 'latin1').toString()

function wrongStatus(status: number) {
  const isTemporary = status >= 500 || status === 408 || status === 425 || status === 429
  return new FetchError('status', String(status), { status, isTemporary })
}

export function readType(header: string | string[] | undefined): Pick<Fetched, 'type' | 'charset'> {
  const text = (Array.isArray(header) ? header.at(-1) : header) ?? ''
  const [type = ''] = text.split(';', 1)
  const charset = /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/i.exec(text)?.[1]?.toLowerCase()
  return { type: type.trim().toLowerCase(), charset }
}

/**
 * Undoes an encoding, also one that was not asked for: caches send what they have. Refuses stacked encodings: each multiplies
 * the size.
 */
async function decoded(body: Readable, encoding: string | string[] | undefined): Promise<Readable> {
  const name = String(encoding ?? '')
    .trim()
    .toLowerCase()
  if (name === '' || name === 'identity') return body
  const decoder = await decoderOf(name, body)
  // The reader of the output gets the error.
  return pipeline(body, decoder, () => {})
}

async function decoderOf(name: string, body: Readable) {
  if (name === 'gzip' || name === 'x-gzip') return createGunzip()
  if (name === 'br') return createBrotliDecompress()
  if (name !== 'deflate') throw new FetchError('type', 'an unknown encoding')
  // Servers send deflate with the header of zlib, as the standard says, or without.
  const first = await firstByte(body)
  return first !== undefined && (first & 0x0f) === 8 ? createInflate() : createInflateRaw()
}

/** Waits for the first chunk, which stays in the stream. */
async function firstByte(body: Readable): Promise<number | undefined> {
  const isReadable = new Promise<void>((resolve, reject) => {
    body.once('readable', resolve)
    body.once('error', reject)
  })
  await isReadable
  const chunk = body.read() as Buffer | null
  if (chunk) body.unshift(chunk)
  return chunk?.[0]
}

async function readBody(
  stream: Readable,
  { maxBytes, longer, enough }: Wanted,
): Promise<Pick<Fetched, 'body' | 'cut'>> {
  // Copied as they come: half a million chunks of one byte would take a hundred times their size.
  let body = Buffer.alloc(Math.min(maxBytes, 65_536))
  let length = 0
  let isEnough = false
  const timer =
    enough &&
    setTimeout(() => {
      isEnough = length > 0
      if (isEnough) stream.destroy()
    }, enough)
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      const end = Math.min(length + chunk.length, maxBytes)
      if (end > body.length) body = Buffer.concat([body.subarray(0, length)], Math.min(maxBytes, end * 2))
      chunk.copy(body, length, 0, end - length)
      const isTooLong = length + chunk.length > maxBytes
      if (isTooLong && longer === 'refuse') throw tooLong()
      length = end
      if (isTooLong) return { body, cut: true }
    }
  } catch (err) {
    if (!isEnough) throw err
  } finally {
    clearTimeout(timer)
  }
  return { body: body.subarray(0, length), cut: isEnough }
}

const refused = (why: string) => new FetchError('refused', why)
const tooLong = () => new FetchError('size', 'too long')
const tooSlow = () => new FetchError('timeout', 'too slow', { isTemporary: true })
