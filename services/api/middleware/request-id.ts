import type { RequestHandler, Response } from 'express'
import { requestIdFrom } from '#shared/http/request-id.ts'

/** Names each request. The response has the id as a header, and an error page shows it. */
export const nameRequest =
  (trustProxy: number): RequestHandler =>
  (req, res, next) => {
    res.locals['requestId'] = requestIdFrom(req.get('X-Request-Id'), trustProxy)
    res.set('X-Request-Id', requestId(res))
    next()
  }

export const requestId = (res: Response): string => res.locals['requestId']
