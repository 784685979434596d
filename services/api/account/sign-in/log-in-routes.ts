import { rateLimits } from '#shared/http/rate-limits.ts'
import { formBody } from '../../middleware/body-readers.ts'
import { mayLogOut } from '../../middleware/csrf.ts'
import { endpoint, nothing, page, redirect } from '../../middleware/endpoint.ts'
import { type LogInProblem, stringsFor } from '../../pages/strings.ts'
import { accountForms, addressOf, nextOf, signedOut, textOf } from '../forms.ts'
import { logInPage } from '../pages.ts'
import { enter } from './enter.ts'
import { failureDelay, noteArrival } from './failure-delay.ts'
import { logOut } from './log-out.ts'

export const logInEndpoints = [
  endpoint(
    'GET /login',
    { who: 'anybody', errors: 'text', first: [signedOut], answers: { 204: nothing, 200: page } },
    async ({ req, res, config }) => {
      const forms = accountForms(config)
      // The stream of an open tab is redirected here when its session ends; 204 stops it from reconnecting.
      if (req.get('Accept') === 'text/event-stream') return void res.status(204).end()
      forms.show(req, res, logInPage)
    },
  ),

  endpoint(
    'POST /login',
    {
      who: 'anybody',
      limit: 'by address',
      errors: 'text',
      first: [signedOut, noteArrival],
      body: formBody(),
      answers: { 200: page, 302: redirect },
    },
    async ({ stores, config, req, res }) => {
      const forms = accountForms(config)
      await rateLimits(stores)(['login', addressOf(req)])
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
    },
  ),

  endpoint(
    'GET /logout',
    { who: 'anybody', errors: 'text', answers: { 302: redirect } },
    async ({ stores, req, res, viewer }) => {
      if (viewer !== undefined && mayLogOut(req)) {
        await logOut(stores, req, viewer)
        res.clearCookie('session', { path: '/' })
      }
      res.redirect(302, '/login')
    },
  ),
]
