import { Router } from 'express'
import { rateLimits } from '#shared/http/rate-limits.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { fields } from '../middleware/bodies.ts'
import { stringsFor } from '../pages/strings.ts'
import { beginSession } from './begin-session.ts'
import { addressOf, type Forms, nextOf, signedOut, textOf } from './forms.ts'
import { signUpPage } from './pages.ts'
import { type SignUpRule, signUp, unmetRules } from './sign-up.ts'

export function signUpRoutes(stores: Stores, config: Config, forms: Forms): Router {
  const limit = rateLimits(stores)
  const routes = Router()

  routes.get('/signup', signedOut, (req, res) => forms.show(req, res, signUpPage))

  routes.post('/signup', signedOut, fields, async (req, res) => {
    const username = textOf(req, 'username')
    const password = textOf(req, 'password')
    if (forms.checkToken(req) === 'wrong') {
      const problem = stringsFor(req).staleForm
      return forms.show(req, res, form => signUpPage({ ...form, username, problem }), 403)
    }
    const again = (unmet: SignUpRule[]) =>
      forms.show(req, res, form => signUpPage({ ...form, username, unmet }))

    const unmet = unmetRules(username, password, textOf(req, 'confirm_password'))
    if (unmet.length > 0) return again(unmet)
    // Counted here: correcting a form is free, probing which names are taken is not.
    await limit(['signup', addressOf(req)])
    if (!(await signUp(stores, config, username, password, addressOf(req)))) return again(['taken'])
    await beginSession(stores, req, username)
    res.redirect(302, nextOf(req))
  })

  return routes
}
