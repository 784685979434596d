import type { Request, RequestHandler } from 'express'
import type { Seconds } from '#shared/domain/units.ts'
import { tokenIn } from '#shared/http/tokens.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { noToken } from './scopes.ts'

/** Admits sessions in which the password was given within `confirm_minutes`; 403 `confirm_required` for others. */
export const confirmed =
  (stores: Stores): RequestHandler =>
  (req, _res, next) => {
    checkConfirmed(stores, req)
    next()
  }

/** The same for a request that needs it only for some bodies. */
export function checkConfirmed(stores: Stores, req: Request): void {
  if (tokenIn(req)) throw noToken()
  const until = confirmedUntil(stores, req)
  if (until === undefined || until < stores.clock.now()) throw errors.confirmRequired()
}

/** Until when the session counts as confirmed; undefined if the password was not given in it. */
export function confirmedUntil({ settings }: Stores, req: Request): Seconds | undefined {
  const { confirmed_ts } = req.session
  return confirmed_ts === undefined ? undefined : confirmed_ts + settings.current.confirm_minutes * 60
}
