import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Request, RequestHandler } from 'express'
import type { Config } from '#shared/kernel/config.ts'
import { refuse } from '#shared/kernel/refusals.ts'

export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
/** Reports that are dropped without a word (security 5, interface 5.3). */
export const SILENT = /^\/(typing\/[^/]+|presence|presence\/override)\/?$/

/** Refuses what a page of another site sends (security 5). A client that is no browser sends neither header. */
export function sameSite(config: Pick<Config, 'publicUrl'>): RequestHandler {
  return (req, res, next) => {
    if (SAFE_METHODS.has(req.method) || comesFromHere(req, config)) return next()
    if (req.method === 'POST' && SILENT.test(req.path)) {
      res.status(204).end()
      return
    }
    throw refuse.forbidden()
  }
}

function comesFromHere(req: Request, { publicUrl }: Pick<Config, 'publicUrl'>) {
  const site = req.get('Sec-Fetch-Site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  const origin = req.get('Origin')
  if (origin === undefined) return true
  return origin === publicUrl?.origin || isOwnHost(origin, req.get('Host'))
}

/** Browsers on plain http send no Sec-Fetch-Site: there the Origin must name the host that was asked. */
function isOwnHost(origin: string, host: string | undefined) {
  if (host === undefined || !/^https?:\/\/[^/?#@]+$/i.test(origin)) return false
  // Read with the scheme of the origin, so that a default port counts the same whether it is written or not.
  const own = `${origin.slice(0, origin.indexOf(':'))}://${host}`
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).host === new URL(own).host
}

/** GET /logout changes something too: only this site, an address bar or a followed link may do it (security 5). */
export function mayLogOut(req: Request): boolean {
  const site = req.get('Sec-Fetch-Site')
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return req.get('Sec-Fetch-Mode') === 'navigate' && req.get('Sec-Fetch-Dest') === 'document'
}

/** The token of the session, made on first use; constant until the session gets a new id. */
export function csrfToken(req: Request): string {
  req.session.csrf_token ??= newCsrfToken()
  return req.session.csrf_token
}

export const newCsrfToken = () => randomBytes(32).toString('base64url')

/**
 * What the form field `csrf_token` says. `missing`: the form or the session has none, which log-in and sign-up
 * accept and /change-password must not (decisions, CSRF).
 */
export function checkCsrfToken(req: Request): 'valid' | 'missing' | 'wrong' {
  const given: unknown = req.body?.['csrf_token']
  const expected = req.session.csrf_token
  if (given === undefined || expected === undefined) return 'missing'
  return typeof given === 'string' && isSame(given, expected) ? 'valid' : 'wrong'
}

function isSame(given: string, expected: string) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
