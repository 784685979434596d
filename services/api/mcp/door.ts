import type { RequestHandler } from 'express'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { hasOwnOrigin } from '../middleware/csrf.ts'
import type { Services } from '../middleware/endpoint.ts'

/** Refusals of `/mcp` before the server asks who sends: while it is off, other methods, pages of other sites. */
export function mcpDoor({ stores, config }: Services): RequestHandler {
  return (req, _res, next) => {
    if (req.path !== '/') return next()
    if (!stores.settings.current.mcp_enabled) throw errors.notFound()
    if (req.method !== 'POST') throw new HttpError(405, 'this takes POST alone', { Allow: 'POST' })
    if (!hasOwnOrigin(req, config)) throw errors.forbidden()
    next()
  }
}
