import type { Request, RequestHandler } from 'express'
import { Histogram } from 'prom-client'
import { viewerIn } from '#shared/http/sessions.ts'
import { log } from '#shared/runtime/log.ts'
import { requestId } from './request-id.ts'

const durations = new Histogram({
  name: 'bothy_http_request_duration_seconds',
  help: 'Time from the request to the end of its response.',
  labelNames: ['method', 'route', 'status'],
  buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

/** Methods of the interface; any other is a scanner's. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Logs one line per request, with the route instead of the address, so that queries and tokens are not logged. */
export const requestLog: RequestHandler = (req, res, next) => {
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
      id: requestId(res),
      method: req.method,
      route: routeOf(req),
      status: res.statusCode,
      ms: Math.round(took),
      viewer: viewerIn(req),
      ...(res.writableFinished ? {} : { cut: true }),
    }
    if (res.statusCode >= 500) log.warn(facts, 'request')
    else log.info(facts, 'request')
  })
  next()
}

/** The route's pattern, or the first path segment, which is never a secret. */
export function routeOf({ route, path }: Request): string {
  return typeof route?.path === 'string' ? route.path : path.split('/', 2).join('/')
}
