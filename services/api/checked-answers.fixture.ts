import { type IncomingMessage, ServerResponse } from 'node:http'
import { isMainThread } from 'node:worker_threads'

/**
 * Preloaded by the test kit into an api process: compares each response with the entry of its endpoint, and reports a
 * mismatch to the process that started it (shared/test-kit/checked-answers.ts).
 */

/** Bytes. Longer bodies are not parsed: that takes memory, which other tests measure. */
const LONGEST = 256 * 1024

/** Statuses that any request may get: too slow, another host, a fault of the server. */
const OF_SERVER = new Set([408, 421, 500])

// Threads preload this too: it imports nothing for them.
if (isMainThread && process.send) {
  const [{ BEFORE_SESSIONS, ENDPOINTS }, { mismatchOf }, { hasBearer }, { pathPattern }] = await Promise.all([
    import('./endpoints.ts'),
    import('./api-document/mismatch.fixture.ts'),
    import('#shared/http/tokens.ts'),
    import('./middleware/path-pattern.ts'),
  ])
  // Express' rules: any case, and a slash at the end.
  const patterns = ENDPOINTS.map(endpoint => ({
    endpoint,
    pattern: RegExp(`^${pathPattern(endpoint.path)}/?$`, 'i'),
  }))
  const bySegment = Map.groupBy(patterns, ({ endpoint: { method, path } }) => segmentOf(method, path))
  const endpointOf = (method: string, path: string) =>
    bySegment.get(segmentOf(method, path))?.find(({ pattern }) => pattern.test(path))?.endpoint

  const check = (res: ServerResponse, body: Buffer) => {
    const { req, statusCode: status } = res
    // The metrics have a server of their own.
    if (req.socket.localPort === Number(process.env['METRICS_PORT'])) return
    const isHead = req.method === 'HEAD'
    const endpoint = endpointOf(isHead ? 'get' : req.method!.toLowerCase(), pathOf(req))
    if (!endpoint || OF_SERVER.has(status)) return
    // No store can look up the token: Slack's methods are not reached.
    if (endpoint.errors === 'slack' && status === 503) return
    const type = String(res.getHeader('Content-Type') ?? '').split(';', 1)[0]!
    const takesNone = BEFORE_SESSIONS.includes(endpoint)
    const sent = { status, type, hasToken: hasBearer(req), takesNone, body: isHead ? '' : body.toString() }
    const retryAfter = res.getHeader('Retry-After')?.toString()
    const mismatch = mismatchOf(endpoint, { ...sent, retryAfter })
    if (mismatch) process.send!({ wrongAnswer: `${req.method} ${endpoint.path} ${status}: ${mismatch}` })
  }
  const { end, write } = ServerResponse.prototype
  const written = new WeakMap<ServerResponse, Buffer[]>()
  const isLong = new WeakSet<ServerResponse>()
  /** Returns the chunks so far; none of a long body. */
  const keep = (res: ServerResponse, chunk: unknown): Buffer[] => {
    const chunks = written.get(res) ?? []
    const isData = typeof chunk === 'string' || chunk instanceof Uint8Array
    if (!isData || !isKept(res) || isLong.has(res)) return chunks
    if (chunks.reduce((sum, { length }) => sum + length, chunk.length) > LONGEST) {
      isLong.add(res)
      written.delete(res)
      return []
    }
    chunks.push(Buffer.from(chunk as string))
    written.set(res, chunks)
    return chunks
  }
  ServerResponse.prototype.write = function (this: ServerResponse, ...args: unknown[]) {
    keep(this, args[0])
    return write.apply(this, args as Parameters<typeof write>)
  } as typeof write
  ServerResponse.prototype.end = function (this: ServerResponse, ...args: unknown[]) {
    const body = Buffer.concat(keep(this, args[0]))
    // A stalled reader keeps the response for long.
    written.delete(this)
    check(this, body)
    return end.apply(this, args as Parameters<typeof end>)
  } as typeof end
}

/** JSON and errors: files are large. */
const isKept = (res: ServerResponse) =>
  res.statusCode >= 400 || String(res.getHeader('Content-Type')).startsWith('application/json')

/** The method and first segment, in which no endpoint has a parameter. */
function segmentOf(method: string, path: string): string {
  return `${method} ${path.split('/', 2)[1]?.toLowerCase()}`
}

/** Express shortens `url` within a router. */
function pathOf(req: IncomingMessage): string {
  const { originalUrl = req.url! } = req as { originalUrl?: string }
  return originalUrl.split('?', 1)[0]!
}
