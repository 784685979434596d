import { Router } from 'express'
import { rateLimits } from '#shared/http/rate-limits.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { findInvitation, shownInvitation } from '../invites/invitation.ts'
import { fields } from '../middleware/bodies.ts'
import { sendPage } from '../pages/page.ts'
import { stringsFor } from '../pages/strings.ts'
import { beginSession } from './begin-session.ts'
import { enterNewAccount } from './enter.ts'
import { noteArrival } from './failure-delay.ts'
import { addressOf, type Forms, nextOf, signedOut, textOf } from './forms.ts'
import { freeNamesLike } from './free-names.ts'
import { type SignUpForm, signUpPage, signUpPendingPage, signUpRefusedPage } from './pages.ts'
import { signUp, signUpRefusal, unmetRules } from './sign-up.ts'

/** Reasons for which the form is shown again. */
type Again = Pick<SignUpForm, 'unmet' | 'problem' | 'free'>

export function signUpRoutes(stores: Stores, config: Config, forms: Forms): Router {
  const limit = rateLimits(stores)
  const routes = Router()
  const isApproved = () => stores.settings.current.signup_mode === 'approval'

  routes.get('/signup', signedOut, (req, res) => {
    const refusal = signUpRefusal(stores, '')
    if (refusal !== undefined) return sendPage(req, res, config, signUpRefusedPage(stringsFor(req), refusal))
    forms.show(req, res, form => signUpPage({ ...form, isApproved: isApproved() }))
  })

  routes.post('/signup', signedOut, noteArrival, fields, async (req, res) => {
    const username = textOf(req, 'username')
    const password = textOf(req, 'password')
    const invite = textOf(req, 'invite')
    const again = async (more: Again, status?: number) => {
      const found = invite === '' ? undefined : await findInvitation(stores, invite)
      const invited = found && (await shownInvitation(stores, found))
      const fixed = { username, invite, invited, isApproved: invite === '' && isApproved() }
      forms.show(req, res, form => signUpPage({ ...form, ...fixed, ...more }), status)
    }
    if (forms.checkToken(req) === 'wrong') return again({ problem: stringsFor(req).staleForm }, 403)
    const { signUp: strings } = stringsFor(req)
    const refusal = signUpRefusal(stores, invite)
    if (refusal !== undefined) return again({ problem: strings.refusals[refusal] })

    const unmet = unmetRules(username, password, textOf(req, 'confirm_password'))
    if (unmet.length > 0) return again({ unmet })
    // Counted here: correcting a form is free, probing which names are taken is not.
    await limit(['signup', addressOf(req)])
    const person = { username, password, invite, network: addressOf(req), address: req.ip }
    const made = await signUp(stores, config, person)
    const isRepeated = made === 'taken' || made === 'bad invitation'
    const outcome = (isRepeated && (await enterNewAccount(stores, config, req, res, person))) || made
    if (outcome === 'taken') {
      return again({ unmet: ['taken'], free: await freeNamesLike(stores.db, username) })
    }
    if (outcome === 'pending') return sendPage(req, res, config, signUpPendingPage(stringsFor(req)))
    if (outcome !== 'active') return again({ problem: strings.refusals[outcome] })
    if (made === 'active') await beginSession(stores, req, username)
    res.redirect(302, nextOf(req))
  })

  return routes
}
