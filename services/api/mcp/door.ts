import type { Request, RequestHandler } from 'express'
import { networkOf } from '#shared/http/networks.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { hasOwnOrigin } from '../middleware/csrf.ts'
import type { Services } from '../middleware/endpoint.ts'

/**
 * Refusals of `/mcp` before the server asks who sends: while it is off, other methods, pages of other sites. They count for
 * `anonymous`.
 */
export function mcpDoor({ stores, config }: Services): RequestHandler {
  return async (req, _res, next) => {
    if (req.path !== '/') return next()
    const refusal = refusalOf(req, stores, config)
    if (!refusal) return next()
    await rateLimits(stores)(['anonymous', networkOf(req.ip ?? '')])
    throw refusal
  }
}

function refusalOf(req: Request, { settings }: Stores, config: Config): HttpError | undefined {
  if (!settings.current.mcp_enabled) return errors.notFound()
  if (req.method !== 'POST') return new HttpError(405, 'this takes POST alone', { Allow: 'POST' })
  return hasOwnOrigin(req, config) ? undefined : errors.forbidden()
}
