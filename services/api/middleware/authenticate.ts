import type { RequestHandler } from 'express'
import { sessions } from '#shared/http/sessions.ts'
import { hasBearer, readToken, tokenIn, unauthorized } from '#shared/http/tokens.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'

/** Finds who asks: by the token of a request that brings one, which then has no session, else by its session. */
export function authenticate(
  stores: Stores,
  config: Pick<Config, 'sessionSecret' | 'previousSessionSecret' | 'publicUrl'>,
): RequestHandler {
  const session = sessions(stores, config)
  return async (req, res, next) => {
    if (!hasBearer(req)) return session(req, res, next)
    await readToken(stores, req, req.ip)
    next()
  }
}

/** Refuses a token that is none. Mounted after the limits: it counts for the address. */
export const knownToken: RequestHandler = (req, _res, next) => {
  if (hasBearer(req) && !tokenIn(req)) throw unauthorized()
  next()
}
