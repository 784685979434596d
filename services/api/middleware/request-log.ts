import type { Request, RequestHandler } from 'express'
import { viewerIn } from '#shared/http/sessions.ts'
import { log } from '#shared/runtime/log.ts'

/** Logs one line per request, with the route instead of the address, so that queries and tokens are not logged. */
export const requestLog: RequestHandler = (req, res, next) => {
  const began = performance.now()
  res.once('close', () => {
    const facts = {
      method: req.method,
      route: routeOf(req),
      status: res.statusCode,
      ms: Math.round(performance.now() - began),
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
