import type { Request } from 'express'
import { type PasswordRule, unmetPasswordRules } from '#shared/domain/password.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import { formBody } from '../../middleware/body-readers.ts'
import { endpoint, page } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { sendPage } from '../../pages/page.ts'
import { stringsFor } from '../../pages/strings.ts'
import { accountForms, addressOf, type Forms } from '../forms.ts'
import { resetDonePage, resetPage, resetRefusedPage } from '../pages.ts'
import { resetPassword, resettableAccount } from './reset-password.ts'

const RESET = f.fields({ password: f.formText, confirm_password: f.formText, csrf_token: f.anything })

/** The page behind a reset link. */
export const resetEndpoints = [
  endpoint(
    'GET /reset-password/:token',
    { summary: 'Shows the page for a new password.', who: 'anybody', errors: 'text', answers: { 200: page } },
    async ({ stores, config, req, res, params }) => {
      const forms = accountForms(config)
      const username = await resettableAccount(stores, params.token)
      if (username !== undefined) return forms.show(req, res, form => resetPage({ ...form, username }))
      await rateLimits(stores)(['account', `links:${addressOf(req)}`, 2])
      sendPage(req, res, config, resetRefusedPage(stringsFor(req)))
    },
  ),

  endpoint(
    'POST /reset-password/:token',
    {
      summary: 'Sets a new password by a reset link.',
      who: 'anybody',
      limit: 'by address',
      errors: 'text',
      body: formBody(RESET),
      answers: { 200: page },
    },
    async ({ stores, config, req, res, params: { token }, body }) => {
      const forms = accountForms(config)
      const { password, confirm_password: confirmation } = body
      const username = await resettableAccount(stores, token)
      if (username !== undefined) {
        const again = (more: { unmet?: PasswordRule[]; problem?: string }, status?: number) =>
          forms.show(req, res, form => resetPage({ ...form, username, ...more }), status)
        if (!mayPost(req, forms, body.csrf_token)) return again({ problem: stringsFor(req).staleForm }, 403)
        const unmet = unmetPasswordRules(password, confirmation)
        if (unmet.length > 0) return again({ unmet })
      }
      // Counted here: correcting a form is free, an invalid link and a hash are not.
      await rateLimits(stores)(['account', `links:${addressOf(req)}`, 2])
      const isReset = username !== undefined && (await resetPassword(stores, config, token, password))
      const strings = stringsFor(req)
      sendPage(req, res, config, isReset ? resetDonePage(strings) : resetRefusedPage(strings))
    },
  ),
]

/** A signed-in user's form must carry the token; without a session there is nothing to abuse. */
function mayPost(req: Request, forms: Forms, given: unknown) {
  const token = forms.checkToken(req, given)
  return token === 'valid' || (token === 'missing' && viewerIn(req) === undefined)
}
