import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import { secretsOf, viewerIn } from '#shared/http/sessions.ts'
import { hasBearer } from '#shared/http/tokens.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'

export const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE'])
/** Reports that are dropped silently (security 5, interface 5.3). */
export const SILENT = /^\/(typing\/[^/]+|presence|presence\/override)\/?$/

/** Refuses cross-site requests (security 5). Clients other than browsers send neither header. */
export function sameSite(config: Pick<Config, 'publicUrl'>): RequestHandler {
  return (req, res, next) => {
    // A page of another site cannot send this header: no response allows it by CORS.
    if (SAFE_METHODS.has(req.method) || hasBearer(req) || comesFromHere(req, config)) return next()
    if (req.method === 'POST' && SILENT.test(req.path)) {
      res.status(204).end()
      return
    }
    throw errors.forbidden()
  }
}

function comesFromHere(req: Request, config: Pick<Config, 'publicUrl'>) {
  const site = req.get('Sec-Fetch-Site')
  if (site !== undefined) return site === 'same-origin' || site === 'none'
  return hasOwnOrigin(req, config)
}

/** True also without an `Origin`, which browsers send with every POST. */
export function hasOwnOrigin(req: Request, { publicUrl }: Pick<Config, 'publicUrl'>): boolean {
  const origin = req.get('Origin')
  if (origin === undefined) return true
  return origin === publicUrl?.origin || isOwnHost(origin, req.get('Host'))
}

/** Browsers on plain http send no Sec-Fetch-Site: there the Origin must name the requested host. */
function isOwnHost(origin: string, host: string | undefined) {
  if (host === undefined || !/^https?:\/\/[^/?#@]+$/i.test(origin)) return false
  // Parse with the origin's scheme, so that an explicit default port is equal to an omitted one.
  const own = `${origin.slice(0, origin.indexOf(':'))}://${host}`
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).host === new URL(own).host
}

/** GET /logout has a side effect: only this site, the address bar or a followed link may cause it (security 5). */
export function mayLogOut(req: Request): boolean {
  const site = req.get('Sec-Fetch-Site')
  if (site === undefined || site === 'same-origin' || site === 'none') return true
  return req.get('Sec-Fetch-Mode') === 'navigate' && req.get('Sec-Fetch-Dest') === 'document'
}

/** The session's token, created on first use; constant until the session id changes. */
export function csrfToken(req: Request): string {
  req.session.csrf_token ??= newCsrfToken()
  return req.session.csrf_token
}

export const newCsrfToken = () => randomBytes(32).toString('base64url')

/**
 * Result of checking `given`, the form field `csrf_token`. `missing`: absent in the form or the browser, which log-in and
 * sign-up accept and /change-password must not (interface 5.7).
 */
export type TokenCheck = 'valid' | 'missing' | 'wrong'

export const checkCsrfToken = (req: Request, given: unknown): TokenCheck =>
  compare(given, req.session.csrf_token)

/** Tokens of forms shown without a session. With a session, its token is used. */
export interface FormTokens {
  give(req: Request, res: Response): string
  check(req: Request, given: unknown): TokenCheck
}

/** Name of the cookie with the signed form token of a browser that is not signed in. */
const FORM_COOKIE = 'form'

/**
 * Signed double-submit cookie: the server stores nothing for anonymous visitors. A browser's token is constant, so that
 * a form in one tab stays valid after another tab loads a page.
 */
export function formTokens(
  config: Pick<Config, 'sessionSecret' | 'previousSessionSecret' | 'publicUrl'>,
): FormTokens {
  const keys = secretsOf(config)
  const sign = (token: string, key: string) =>
    createHmac('sha256', key).update(`form token ${token}`).digest('base64url')
  const cookie = {
    httpOnly: true,
    sameSite: 'lax',
    path: '/',
    secure: config.publicUrl?.protocol === 'https:',
  } as const

  /** The token of the first cookie of that name with a valid signature. */
  function kept(req: Request) {
    for (const [, token, signature] of (req.get('Cookie') ?? '').matchAll(SIGNED_TOKEN)) {
      if (token && signature && keys.some(key => isSame(signature, sign(token, key)))) return token
    }
    return undefined
  }

  return {
    give(req, res) {
      if (viewerIn(req) !== undefined) return csrfToken(req)
      const known = kept(req)
      if (known !== undefined) return known
      const token = newCsrfToken()
      res.cookie(FORM_COOKIE, `${token}.${sign(token, keys[0]!)}`, cookie)
      return token
    },
    check: (req, given) =>
      viewerIn(req) !== undefined ? checkCsrfToken(req, given) : compare(given, kept(req)),
  }
}

const SIGNED_TOKEN = /(?:^|;\s*)form=([\w-]{43})\.([\w-]{43})(?=;|$)/g

function compare(given: unknown, expected: string | undefined): TokenCheck {
  if (given === undefined || expected === undefined) return 'missing'
  return typeof given === 'string' && isSame(given, expected) ? 'valid' : 'wrong'
}

function isSame(given: string, expected: string) {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)]
  return a.length === b.length && timingSafeEqual(a, b)
}
