import { randomUUID } from 'node:crypto'
import type { RequestHandler, Response } from 'express'

const VALID = /^[\w.:-]{1,64}$/

/**
 * Names each request, so that an operator finds the log lines of a failure that a person reports: the `X-Request-Id` of a
 * trusted proxy (TRUST_PROXY), else a new UUID. The response has it as a header, and an error page shows it.
 */
export const nameRequest =
  (trustProxy: number): RequestHandler =>
  (req, res, next) => {
    const given = trustProxy > 0 ? req.get('X-Request-Id') : undefined
    res.locals['requestId'] = given !== undefined && VALID.test(given) ? given : randomUUID()
    res.set('X-Request-Id', requestId(res))
    next()
  }

export const requestId = (res: Response): string => res.locals['requestId']
