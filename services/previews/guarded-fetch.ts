import { lookup as systemLookup } from 'node:dns'
import type { LookupFunction, Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { type buildConnector, Client, type Dispatcher } from 'undici'
import { type AllowList, allowListOf } from './allow-list.ts'
import { dial } from './dial.ts'
import { asNotFetched, NotFetched } from './not-fetched.ts'
import { isNeighbour, isPublicAddress } from './public-address.ts'
import { openNameResolver } from './resolve-name.ts'
import { isWebPort } from './service-ports.ts'

export { NotFetched } from './not-fetched.ts'

/** What a caller has use for. */
export interface Wanted {
  /** Of the media type, lower case, without parameters; empty when the answer names none. */
  accepts(type: string): boolean
  maxBytes: number
  /** What is longer: its beginning (pages), or nothing (pictures). */
  longer: 'cut' | 'refuse'
}

export interface Fetched {
  /** Where it was found in the end. */
  url: URL
  type: string
  charset: string | undefined
  body: Buffer
  cut: boolean
}

export interface Guard {
  /** Fetches, or throws `NotFetched`. */
  fetch(url: URL | string, wanted: Wanted, signal: AbortSignal): Promise<Fetched>
  /** Gives up what is under way. */
  close(): Promise<void>
}

/** Decisions, "Files and previews": five seconds in all, three redirects. */
export const LIMITS = {
  whole: 5_000,
  connect: 3_000,
  /** From the request to the last header. */
  headers: 4_000,
  /** Between two pieces of the body. */
  body: 4_000,
  redirects: 3,
  headerBytes: 16_384,
  urlLength: 2_048,
  /** What may come in on a connection for each byte that is wanted: a byte in a chunk of its own takes six. */
  wireBytesPerByte: 8,
  /** Interim answers (1xx) before the real one: a server needs one or two. */
  interim: 8,
}

export interface GuardOptions {
  /** The setting `preview_allow`, asked at each fetch. */
  allow(): readonly string[]
  /** In the form of Node's `dns.lookup`, for all names; tests bring their own. */
  lookup?: LookupFunction
  limits?: Partial<typeof LIMITS>
}

/**
 * The one way by which this system fetches what a user pointed at (design/security.md, section 3). Whatever is fetched,
 * page, picture or raw file, found in a message or in a page, comes through here, and each redirect starts anew.
 */
export function openGuard({ allow, lookup, limits }: GuardOptions): Guard {
  const names = openNameResolver()
  const within = { ...LIMITS, ...limits }
  const open = new Map<AbortController, Promise<unknown>>()

  return {
    async fetch(url, wanted, signal) {
      const ending = new AbortController()
      const giveUp = () => ending.abort(signal.reason)
      if (signal.aborted) giveUp()
      signal.addEventListener('abort', giveUp, { once: true })
      const timer = setTimeout(() => ending.abort(tooSlow()), within.whole)
      const fetching = follow(url, wanted, {
        allow: allowListOf(allow()),
        lookup: lookup ?? names.lookup,
        localLookup: lookup ?? systemLookup,
        limits: within,
        signal: ending.signal,
      })
      open.set(ending, fetching)
      try {
        return await fetching
      } catch (err) {
        throw asNotFetched(err, ending.signal)
      } finally {
        open.delete(ending)
        clearTimeout(timer)
        signal.removeEventListener('abort', giveUp)
      }
    },

    async close() {
      for (const ending of open.keys())
        ending.abort(new NotFetched('failed', 'closing', { isTemporary: true }))
      names.close()
      await Promise.allSettled(open.values())
    },
  }
}

interface Rules {
  allow: AllowList
  lookup: LookupFunction
  /** For names that only this machine may know: from its hosts file, by its search domains, in the local network. */
  localLookup: LookupFunction
  limits: typeof LIMITS
  signal: AbortSignal
}

/** From the first URL to the answer, redirect by redirect; each target is checked as if it were the first. */
async function follow(first: URL | string, wanted: Wanted, rules: Rules): Promise<Fetched> {
  let url = readTarget(String(first), undefined, rules)
  for (let redirects = 0; ; redirects++) {
    const answer = await ask(url, wanted, rules)
    if (!('location' in answer)) return answer
    if (redirects === rules.limits.redirects) throw new NotFetched('redirects', 'too many')
    const next = readTarget(answer.location, url, rules)
    if (url.protocol === 'https:' && next.protocol === 'http:') throw refused('redirect from https to http')
    url = next
  }
}

/**
 * The URL that we may ask for. From here on only the parsed one counts: parsing has turned every spelling of a host
 * (decimal, octal, hex, full-width) into the one that is connected to.
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
  // The one encoding that we undo, below, and only once.
  'accept-encoding': 'gzip',
}

const REDIRECTS = new Set([301, 302, 303, 307, 308])

/** One request over one connection, which is gone afterwards however it went: nothing is kept for the next. */
async function ask(url: URL, wanted: Wanted, rules: Rules): Promise<Fetched | { location: string }> {
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
  // The parser counts headers and body; a status line, or what goes with a chunk, may be endless for all it cares.
  const most = 16 * limits.headerBytes + limits.wireBytesPerByte * wanted.maxBytes
  socket.on('readable', () => {
    if (socket.bytesRead > most) socket.destroy(tooLong())
  })
  try {
    let interim = 0
    const answer = await client.request({
      method: 'GET',
      path: url.pathname + url.search,
      headers: HEADERS,
      reset: true,
      signal,
      onInfo: () => {
        if (++interim > limits.interim)
          socket.destroy(new NotFetched('failed', 'interim answers without end'))
      },
    })
    // Ours to read or not: an end in between is told to whoever reads.
    answer.body.on('error', () => {})
    return await readAnswer(url, answer, wanted)
  } finally {
    socket.destroy()
    await client.destroy()
  }
}

/** The operator's own names, and those without a dot: whoever answers for them is on our side. */
const isLocalName = (url: URL, allow: AllowList) =>
  allow.hasHost(hostOf(url), portOf(url)) || !hostOf(url).includes('.')

/** Is this address one for the host of this URL? Public and not beside us, or opened by the operator. */
function gateTo(url: URL, allow: AllowList): (address: string) => boolean {
  const port = portOf(url)
  const isAllowedHost = allow.hasHost(hostOf(url), port)
  return address =>
    (isPublicAddress(address) && !isNeighbour(address)) ||
    allow.hasAddress(address, port) ||
    // A zone names an interface of this machine; no host is allowed so far.
    (isAllowedHost && !address.includes('%'))
}

/** undici connects anew when a connection ends before the answer: not here, where each connection is a checked one. */
function once(socket: Socket): buildConnector.connector {
  let isGiven = false
  return (_options, callback) => {
    if (isGiven || socket.destroyed) {
      callback(
        new NotFetched('failed', 'the connection ended before the answer', { isTemporary: true }),
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
  if (!wanted.accepts(type)) throw new NotFetched('type', type || 'none')
  if (wanted.longer === 'refuse' && Number(headers['content-length']) > wanted.maxBytes) throw tooLong()

  const plain = decoded(body, headers['content-encoding'])
  return { url, type, charset, ...(await readBody(plain, wanted)) }
}

/** Bytes of a header that are UTF-8, as browsers take them; HTTP itself says Latin-1. */
const utf8 = (text: string) => Buffer.from(text, 'latin1').toString()

function wrongStatus(status: number) {
  const isTemporary = status >= 500 || status === 408 || status === 425 || status === 429
  return new NotFetched('status', String(status), { status, isTemporary })
}

export function readType(header: string | string[] | undefined): Pick<Fetched, 'type' | 'charset'> {
  const text = (Array.isArray(header) ? header.at(-1) : header) ?? ''
  const [type = ''] = text.split(';', 1)
  const charset = /;\s*charset\s*=\s*"?([\w.:+-]{1,40})/i.exec(text)?.[1]?.toLowerCase()
  return { type: type.trim().toLowerCase(), charset }
}

/** The body as it was before gzip, if gzip it was. Never two encodings on each other: each multiplies the last. */
function decoded(body: Readable, encoding: string | string[] | undefined): Readable {
  const name = String(encoding ?? '')
    .trim()
    .toLowerCase()
  if (name === '' || name === 'identity') return body
  if (name !== 'gzip' && name !== 'x-gzip') throw new NotFetched('type', 'an encoding that was not asked for')
  // What went wrong is told to whoever reads the far end.
  return pipeline(body, createGunzip(), () => {})
}

async function readBody(
  stream: Readable,
  { maxBytes, longer }: Wanted,
): Promise<Pick<Fetched, 'body' | 'cut'>> {
  // Copied together at once: half a million pieces of one byte each would take a hundred times their size.
  let body = Buffer.alloc(Math.min(maxBytes, 65_536))
  let length = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const end = Math.min(length + chunk.length, maxBytes)
    if (end > body.length) body = Buffer.concat([body.subarray(0, length)], Math.min(maxBytes, end * 2))
    chunk.copy(body, length, 0, end - length)
    const isTooLong = length + chunk.length > maxBytes
    if (isTooLong && longer === 'refuse') throw tooLong()
    length = end
    if (isTooLong) return { body, cut: true }
  }
  return { body: body.subarray(0, length), cut: false }
}

const refused = (why: string) => new NotFetched('refused', why)
const tooLong = () => new NotFetched('size', 'too long')
const tooSlow = () => new NotFetched('timeout', 'too slow', { isTemporary: true })
