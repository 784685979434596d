import { Router } from 'express'
import { rateLimits } from '#shared/http/rate-limits.ts'
import { viewerIn } from '#shared/http/sessions.ts'
import type { Config } from '#shared/runtime/config.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { fields } from '../../middleware/bodies.ts'
import { mayLogOut } from '../../middleware/csrf.ts'
import { type LogInProblem, stringsFor } from '../../pages/strings.ts'
import { addressOf, type Forms, nextOf, signedOut, textOf } from '../forms.ts'
import { logInPage } from '../pages.ts'
import { enter } from './enter.ts'
import { failureDelay, noteArrival } from './failure-delay.ts'
import { logOut } from './log-out.ts'

export function logInRoutes(stores: Stores, config: Config, forms: Forms): Router {
  const limit = rateLimits(stores)
  const routes = Router()

  routes.get('/login', signedOut, (req, res) => {
    // The stream of an open tab is redirected here when its session ends; 204 stops it from reconnecting.
    if (req.get('Accept') === 'text/event-stream') return res.status(204).end()
    forms.show(req, res, logInPage)
  })

  routes.post('/login', signedOut, noteArrival, fields, async (req, res) => {
    await limit(['login', addressOf(req)])
    const username = textOf(req, 'username')
    if (forms.checkToken(req) === 'wrong') {
      const problem = stringsFor(req).staleForm
      return forms.show(req, res, form => logInPage({ ...form, username, problem }), 403)
    }
    const fail = async (why: LogInProblem) => {
      if (why.kind === 'invalid' || why.kind === 'locked') await failureDelay(res)
      const problem = stringsFor(req).logIn.problem(why)
      const isLocked = why.kind === 'locked'
      forms.show(req, res, form => logInPage({ ...form, username, problem, isLocked }))
    }
    const password = textOf(req, 'password')
    const problem = await enter(stores, config, req, res, { username, password })
    if (problem !== undefined) return fail(problem)
    res.redirect(302, nextOf(req))
  })

  routes.get('/logout', async (req, res) => {
    const viewer = viewerIn(req)
    if (viewer !== undefined && mayLogOut(req)) {
      await logOut(stores, req, viewer)
      res.clearCookie('session', { path: '/' })
    }
    res.redirect(302, '/login')
  })

  return routes
}
