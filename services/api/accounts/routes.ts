import { setTimeout as pause } from 'node:timers/promises'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Config } from '#shared/kernel/config.ts'
import type { Milliseconds } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { form } from '../middleware/bodies.ts'
import { checkCsrfToken, csrfToken, mayLogOut } from '../middleware/csrf.ts'
import { signedIn } from '../middleware/signed-in.ts'
import { type Page, sendPage } from '../pages/page.ts'
import { beginSession } from './begin-session.ts'
import { logIn } from './log-in.ts'
import { logOut } from './log-out.ts'
import { logInPage, signUpPage } from './pages.ts'
import { type SignUpRule, signUp, unmetRules } from './sign-up.ts'

/** Interface 5.4: a failure leaves so long after its request came, whatever it took to find out. */
const FAILURE_DELAY: Milliseconds = 3_000
/** The form was made for a session that is over; the page that says so has the token of the present one. */
const STALE_FORM = 'This page was open for too long. Try again.'

/** Log in, sign up, log out (interface 4.1, 5). */
export function accountRoutes(stores: Stores, config: Config): Router {
  const limit = rateLimits(stores)
  const send = (req: Request, res: Response, page: Page) => sendPage(req, res, config, page)
  const routes = Router()

  routes.get('/login', signedOut, (req, res) => {
    send(req, res, logInPage({ csrfToken: csrfToken(req) }))
  })

  routes.post('/login', signedOut, noteArrival, form, async (req, res) => {
    await limit('login', addressOf(req))
    const username = textOf(req, 'username')
    if (checkCsrfToken(req) === 'wrong') {
      const page = logInPage({ csrfToken: csrfToken(req), username, problem: STALE_FORM })
      return send(req, res, { ...page, status: 403 })
    }
    const outcome = await logIn(stores, config, username, textOf(req, 'password'))
    if ('problem' in outcome) {
      await pause(Math.max(0, res.locals['arrived'] + FAILURE_DELAY - performance.now()))
      return send(req, res, logInPage({ csrfToken: csrfToken(req), username, problem: outcome.problem }))
    }
    await beginSession(stores, req, outcome.username)
    res.redirect(302, '/')
  })

  routes.get('/signup', signedOut, (req, res) => {
    send(req, res, signUpPage({ csrfToken: csrfToken(req) }))
  })

  routes.post('/signup', signedOut, form, async (req, res) => {
    const username = textOf(req, 'username')
    const password = textOf(req, 'password')
    if (checkCsrfToken(req) === 'wrong') {
      const page = signUpPage({ csrfToken: csrfToken(req), username, problem: STALE_FORM })
      return send(req, res, { ...page, status: 403 })
    }
    const again = (unmet: SignUpRule[]) =>
      send(req, res, signUpPage({ csrfToken: csrfToken(req), username, unmet }))

    const unmet = unmetRules(username, password, textOf(req, 'confirm_password'))
    if (unmet.length > 0) return again(unmet)
    // Counted here: a form to be corrected costs nothing, asking which names are taken does.
    await limit('signup', addressOf(req))
    if (!(await signUp(stores, config, username, password))) return again(['taken'])
    await beginSession(stores, req, username)
    res.redirect(302, '/')
  })

  routes.get('/logout', async (req, res) => {
    const viewer = viewerIn(req)
    if (viewer !== undefined && mayLogOut(req)) {
      await logOut(stores, req, viewer)
      res.clearCookie('session', { path: '/' })
    }
    res.redirect(302, '/login')
  })

  routes.get('/csrf_token', signedIn, (req, res) => {
    res.json({ csrf_token: csrfToken(req) })
  })

  return routes
}

/** Who is signed in has no use for these pages (decisions, Login). */
const signedOut: RequestHandler = (req, res, next) => {
  if (viewerIn(req) !== undefined) return res.redirect(302, '/')
  next()
}

const noteArrival: RequestHandler = (_req, res, next) => {
  res.locals['arrived'] = performance.now()
  next()
}

/** Empty for what is missing or of another type: it meets no rule and names nobody. */
function textOf(req: Request, field: string): string {
  const value: unknown = req.body?.[field]
  return typeof value === 'string' ? value.toWellFormed() : ''
}

/** Empty only when the client is gone already. */
const addressOf = (req: Request) => req.ip ?? ''
