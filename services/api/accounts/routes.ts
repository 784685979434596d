import { setTimeout as pause } from 'node:timers/promises'
import { type Request, type RequestHandler, type Response, Router } from 'express'
import { type PasswordRule, unmetPasswordRules } from '#shared/domain/password.ts'
import type { Milliseconds } from '#shared/domain/units.ts'
import { networkOf } from '#shared/http/networks.ts'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { fields, json } from '../middleware/bodies.ts'
import { checkCsrfToken, csrfToken, type FormTokens, formTokens, mayLogOut } from '../middleware/csrf.ts'
import { errorsAsJson } from '../middleware/errors.ts'
import { signedIn, viewerOf } from '../middleware/signed-in.ts'
import { type Page, sendPage } from '../pages/page.ts'
import type { LogInProblem } from '../pages/strings.ts'
import { stringsFor } from '../pages/strings.ts'
import { beginSession, newSession } from './begin-session.ts'
import { changePassword } from './change-password.ts'
import { deleteAccount } from './delete-account.ts'
import { INVALID, logIn, stillOpens } from './log-in.ts'
import { logOut } from './log-out.ts'
import { logInPage, resetDonePage, resetPage, resetRefusedPage, signUpPage } from './pages.ts'
import { resetPassword, resettableAccount } from './reset-password.ts'
import { endSessions, sessionNamed, sessionsOf } from './sessions.ts'
import { type SignUpRule, signUp, unmetRules } from './sign-up.ts'

/** Interface 5.4: time from a request to its failure response, whatever the cause. */
const FAILURE_DELAY: Milliseconds = 3_000

/** Log in, sign up, log out (interface 4.1, 5). */
export function accountRoutes(stores: Stores, config: Config): Router {
  const limit = rateLimits(stores)
  const tokens = formTokens(config)
  const send = (req: Request, res: Response, page: Page) => sendPage(req, res, config, page)
  const routes = Router()

  routes.get('/login', signedOut, (req, res) => {
    // The stream of an open tab is redirected here when its session ends; 204 stops it from reconnecting.
    if (req.get('Accept') === 'text/event-stream') return res.status(204).end()
    send(req, res, logInPage({ strings: stringsFor(req), csrfToken: tokens.give(req, res) }))
  })

  routes.post('/login', signedOut, noteArrival, fields, async (req, res) => {
    await limit(['login', addressOf(req)])
    const username = textOf(req, 'username')
    if (tokens.check(req) === 'wrong') {
      const page = logInPage({
        strings: stringsFor(req),
        csrfToken: tokens.give(req, res),
        username,
        problem: stringsFor(req).staleForm,
      })
      return send(req, res, { ...page, status: 403 })
    }
    const fail = async (why: LogInProblem) => {
      await pause(Math.max(0, res.locals['arrived'] + FAILURE_DELAY - performance.now()))
      const problem = stringsFor(req).logIn.problem(why)
      send(
        req,
        res,
        logInPage({ strings: stringsFor(req), csrfToken: tokens.give(req, res), username, problem }),
      )
    }
    const password = textOf(req, 'password')
    const outcome = await logIn(stores, config, username, password, addressOf(req))
    if ('problem' in outcome) return fail(outcome.problem)
    await beginSession(stores, req, outcome.username)
    if (!(await stillOpens(stores, config, outcome, password))) {
      await endSessions(stores, outcome.username, [req.sessionID])
      await newSession(req)
      return fail(INVALID)
    }
    res.redirect(302, '/')
  })

  routes.get('/signup', signedOut, (req, res) => {
    send(req, res, signUpPage({ strings: stringsFor(req), csrfToken: tokens.give(req, res) }))
  })

  routes.post('/signup', signedOut, fields, async (req, res) => {
    const username = textOf(req, 'username')
    const password = textOf(req, 'password')
    if (tokens.check(req) === 'wrong') {
      const page = signUpPage({
        strings: stringsFor(req),
        csrfToken: tokens.give(req, res),
        username,
        problem: stringsFor(req).staleForm,
      })
      return send(req, res, { ...page, status: 403 })
    }
    const again = (unmet: SignUpRule[]) =>
      send(
        req,
        res,
        signUpPage({ strings: stringsFor(req), csrfToken: tokens.give(req, res), username, unmet }),
      )

    const unmet = unmetRules(username, password, textOf(req, 'confirm_password'))
    if (unmet.length > 0) return again(unmet)
    // Counted here: correcting a form is free, probing which names are taken is not.
    await limit(['signup', addressOf(req)])
    if (!(await signUp(stores, config, username, password, addressOf(req)))) return again(['taken'])
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

  routes.get('/reset-password/:token', async (req, res) => {
    const username = await resettableAccount(stores, req.params.token)
    if (username !== undefined)
      return send(
        req,
        res,
        resetPage({ strings: stringsFor(req), csrfToken: tokens.give(req, res), username }),
      )
    await limit(['reset', addressOf(req)])
    send(req, res, resetRefusedPage(stringsFor(req)))
  })

  routes.post('/reset-password/:token', fields, async (req, res) => {
    const token = req.params['token'] as string
    const password = textOf(req, 'password')
    const username = await resettableAccount(stores, token)
    if (username !== undefined) {
      const again = (form: { unmet?: PasswordRule[]; problem?: string; status?: number }) =>
        send(req, res, {
          ...resetPage({ strings: stringsFor(req), csrfToken: tokens.give(req, res), username, ...form }),
          status: form.status,
        })
      if (!mayPost(req, tokens)) return again({ problem: stringsFor(req).staleForm, status: 403 })
      const unmet = unmetPasswordRules(password, textOf(req, 'confirm_password'))
      if (unmet.length > 0) return again({ unmet })
    }
    // Counted here: correcting a form is free, an invalid link and a hash are not.
    await limit(['reset', addressOf(req)])
    const isReset = username !== undefined && (await resetPassword(stores, config, token, password))
    send(req, res, isReset ? resetDonePage(stringsFor(req)) : resetRefusedPage(stringsFor(req)))
  })

  routes.post('/change-password', errorsAsJson, signedIn, fields, async (req, res) => {
    const token = csrfToken(req)
    if (checkCsrfToken(req) !== 'valid') throw errors.wrongCsrfToken()
    await changePassword(stores, config, viewerOf(req), {
      current: textOf(req, 'current_password'),
      password: textOf(req, 'new_password'),
      confirmation: textOf(req, 'confirm_password'),
    })
    // Keep the CSRF token: open pages of this browser hold it.
    await beginSession(stores, req, viewerOf(req), token)
    res.json({ status: 'ok', ok: true })
  })

  routes.post('/delete_account', errorsAsJson, signedIn, json, async (req, res) => {
    const deletion = textOf(req, 'type')
    if (deletion !== 'soft' && deletion !== 'hard') throw errors.badRequest('type must be soft or hard')
    await deleteAccount(stores, config, viewerOf(req), deletion, textOf(req, 'password'))
    await forgetCookie(req, res)
    res.json({ status: 'ok' })
  })

  routes.get('/sessions', signedIn, async (req, res) => {
    res.json(await sessionsOf(stores, req, viewerOf(req)))
  })

  routes.delete('/sessions/:id', signedIn, async (req, res) => {
    const viewer = viewerOf(req)
    const session = await sessionNamed(stores, viewer, req.params['id'] as string)
    if (session === undefined) throw errors.notFound()
    await endSessions(stores, viewer, [session])
    if (session === req.sessionID) await forgetCookie(req, res)
    res.status(204).end()
  })

  routes.get('/csrf_token', signedIn, (req, res) => {
    res.json({ csrf_token: csrfToken(req) })
  })

  return routes
}

/** A signed-in user's form must carry the token; without a session there is nothing to abuse. */
function mayPost(req: Request, tokens: FormTokens) {
  const token = tokens.check(req)
  return token === 'valid' || (token === 'missing' && viewerIn(req) === undefined)
}

/** Clears the cookie of an ended session. */
async function forgetCookie(req: Request, res: Response) {
  await new Promise<void>((resolve, reject) => req.session.destroy(err => (err ? reject(err) : resolve())))
  res.clearCookie('session', { path: '/' })
}

/** Redirects signed-in users to the chat (decisions, Login). */
const signedOut: RequestHandler = (req, res, next) => {
  if (viewerIn(req) !== undefined) return res.redirect(302, '/')
  next()
}

const noteArrival: RequestHandler = (_req, res, next) => {
  res.locals['arrived'] = performance.now()
  next()
}

/** Empty for a missing field or another type: it meets no rule and matches no account. */
function textOf(req: Request, field: string): string {
  const value: unknown = req.body?.[field]
  return typeof value === 'string' ? value.toWellFormed() : ''
}

/** Key for per-address limits; empty only when the client has disconnected. */
const addressOf = (req: Request) => networkOf(req.ip ?? '')
