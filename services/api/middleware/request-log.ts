import type { Application, Request, RequestHandler, Response } from 'express'
import { Histogram } from 'prom-client'
import { viewerIn } from '#shared/http/sessions.ts'
import { tokenIn } from '#shared/http/tokens.ts'
import { log } from '#shared/runtime/log.ts'
import type { Settings } from '#shared/runtime/settings.ts'
import { endpointsIn } from './endpoints-in.ts'
import { requestId } from './request-id.ts'

const durations = new Histogram({
  name: 'bothy_http_request_duration_seconds',
  help: 'Time from the request to the end of its response.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

/** Methods of the interface; any other is a scanner's. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Reports that each tab repeats: at `info` they would be most of the log. */
const FREQUENT = new Set(['/presence', '/typing/:channel'])

/** Fields of log lines: the id of the request and, with the setting `log_addresses`, the client's address. */
export interface Asker {
  id: string
  client?: string | undefined
}

export const askerOf = (res: Response): Asker => res.locals['asker']

/** Logs one line per request, with the route instead of the address, so that queries and tokens are not logged. */
export const requestLog =
  (settings: { current: Settings }): RequestHandler =>
  (req, res, next) => {
    const asker: Asker = { id: requestId(res) }
    if (settings.current.log_addresses) asker.client = req.ip
    res.locals['asker'] = asker
    const began = performance.now()
    res.once('close', () => {
      const took = performance.now() - began
      const { route } = req
      durations.observe(
        {
          method: METHODS.has(req.method) ? req.method : 'other',
          // Addresses without a route are endless.
          route: typeof route?.path === 'string' ? route.path : 'other',
          status: res.statusCode,
        },
        took / 1_000,
      )
      const facts = {
        ...asker,
        method: req.method,
        route: routeOf(req),
        status: res.statusCode,
        ms: Math.round(took),
        viewer: viewerIn(req),
        token_id: tokenIn(req)?.id,
        ...(res.writableFinished ? {} : { cut: true }),
      }
      if (res.statusCode >= 500) log.warn(facts, 'request')
      else if (FREQUENT.has(facts.route)) log.debug(facts, 'request')
      else log.info(facts, 'request')
    })
    next()
  }

/** The route's pattern, or for a request that was refused before its route the first path segment, if a route has it. */
export function routeOf({ route, app, originalUrl }: Request): string {
  if (typeof route?.path === 'string') return route.path
  const first = firstSegment(originalUrl.split('?', 1)[0]!)
  return firstSegments(app).has(first) ? first : 'other'
}

const firstSegment = (path: string) => path.split('/', 2).join('/')

/** First segments of all routes, and the folders of files, which are no routes. */
function firstSegments(app: Application): Set<string> {
  let known = SEGMENTS.get(app)
  if (!known) {
    known = new Set([
      '/assets',
      '/icons',
      ...endpointsIn(app).map(endpoint => firstSegment(endpoint.slice(endpoint.indexOf('/')))),
    ])
    SEGMENTS.set(app, known)
  }
  return known
}

const SEGMENTS = new WeakMap<Application, Set<string>>()
