import { type Request, Router } from 'express'
import { type PasswordRule, unmetPasswordRules } from '#shared/domain/password.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { fields } from '../../middleware/bodies.ts'
import { sendPage } from '../../pages/page.ts'
import { stringsFor } from '../../pages/strings.ts'
import { addressOf, type Forms, textOf } from '../forms.ts'
import { resetDonePage, resetPage, resetRefusedPage } from '../pages.ts'
import { resetPassword, resettableAccount } from './reset-password.ts'

/** The page behind a reset link. */
export function resetRoutes(stores: Stores, config: Config, forms: Forms): Router {
  const limit = rateLimits(stores)
  const routes = Router()

  routes.get('/reset-password/:token', async (req, res) => {
    const username = await resettableAccount(stores, req.params.token)
    if (username !== undefined) return forms.show(req, res, form => resetPage({ ...form, username }))
    await limit(['reset', addressOf(req)])
    sendPage(req, res, config, resetRefusedPage(stringsFor(req)))
  })

  routes.post('/reset-password/:token', fields, async (req, res) => {
    const token = req.params['token'] as string
    const password = textOf(req, 'password')
    const username = await resettableAccount(stores, token)
    if (username !== undefined) {
      const again = (more: { unmet?: PasswordRule[]; problem?: string }, status?: number) =>
        forms.show(req, res, form => resetPage({ ...form, username, ...more }), status)
      if (!mayPost(req, forms)) return again({ problem: stringsFor(req).staleForm }, 403)
      const unmet = unmetPasswordRules(password, textOf(req, 'confirm_password'))
      if (unmet.length > 0) return again({ unmet })
    }
    // Counted here: correcting a form is free, an invalid link and a hash are not.
    await limit(['reset', addressOf(req)])
    const isReset = username !== undefined && (await resetPassword(stores, config, token, password))
    const strings = stringsFor(req)
    sendPage(req, res, config, isReset ? resetDonePage(strings) : resetRefusedPage(strings))
  })

  return routes
}

/** A signed-in user's form must carry the token; without a session there is nothing to abuse. */
function mayPost(req: Request, forms: Forms) {
  const token = forms.checkToken(req)
  return token === 'valid' || (token === 'missing' && viewerIn(req) === undefined)
}
