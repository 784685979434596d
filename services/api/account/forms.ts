import type { Request, RequestHandler, Response } from 'express'
import * as v from 'valibot'
import { nextPath } from '#shared/domain/next-path.ts'
import { oneLine } from '#shared/domain/one-line.ts'
import type { Username } from '#shared/domain/units.ts'
import { networkOf } from '#shared/http/networks.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Config } from '#shared/runtime/config.ts'
import { formTokens, type TokenCheck } from '../middleware/csrf.ts'
import type { Services } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { type Page, sendPage } from '../pages/page.ts'
import { type PageStrings, stringsFor } from '../pages/strings.ts'

/** Parts that every form page needs. */
export interface FormContext {
  strings: PageStrings
  csrfToken: string
}

/** Shows the signed-out pages with a form and checks what they post. */
export interface Forms {
  show(req: Request, res: Response, page: (context: FormContext) => Page, status?: number): void
  checkToken(req: Request, given: unknown): TokenCheck
}

export function accountForms(config: Config): Forms {
  const tokens = formTokens(config)
  return {
    show(req, res, page, status) {
      const context = { strings: stringsFor(req), csrfToken: tokens.give(req, res) }
      sendPage(req, res, config, { ...page(context), status })
    },
    checkToken: tokens.check,
  }
}

/** Redirects signed-in users to the page they wanted, usually the chat (interface 4.1). */
export const signedOut: RequestHandler = (req, res, next) => {
  if (viewerIn(req) !== undefined)
    return res.redirect(302, nextPath(req.method === 'POST' ? undefined : req.query['next']))
  next()
}

/** The page after signing in, from the form or the address of its page (security 4). */
export const next = v.pipe(v.optional(v.unknown(), null), v.transform(nextPath))

/** The name that people see, on one line; empty without one. */
export const displayName = v.pipe(
  f.formText,
  v.transform(text => oneLine(text.normalize('NFC'), Number.POSITIVE_INFINITY)),
)

/** Key for per-address limits; empty only when the client has disconnected. */
export const addressOf = (req: Request) => networkOf(req.ip ?? '')

/** Parts of a request that the functions of a page read. */
export interface PageCall extends Services {
  req: Request
  res: Response
  viewer?: Username | undefined
}
