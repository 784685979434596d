import type { Request, RequestHandler } from 'express'
import { viewerIn } from '#shared/http/sessions.ts'
import { log } from '#shared/kernel/log.ts'

/** One line a request: the route and not the address, so that neither queries nor tokens are kept. */
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

/** The pattern, or as much of the address as cannot be a secret. */
export function routeOf({ route, path }: Request): string {
  return typeof route?.path === 'string' ? route.path : path.split('/', 2).join('/')
}
