import { rateLimits } from '#shared/http/rate-limits.ts'
import { formBody } from '../../middleware/body-readers.ts'
import { mayLogOut } from '../../middleware/csrf.ts'
import { endpoint, nothing, page, redirect } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { type LogInProblem, stringsFor } from '../../pages/strings.ts'
import { accountForms, addressOf, next, signedOut } from '../forms.ts'
import { logInPage } from '../pages.ts'
import { enter } from './enter.ts'
import { failureDelay, noteArrival } from './failure-delay.ts'
import { logOut } from './log-out.ts'

const LOG_IN = f.fields({ username: f.formText, password: f.formText, next, csrf_token: f.anything })

export const logInEndpoints = [
  endpoint(
    'GET /login',
    {
      summary: 'Shows the sign-in page.',
      who: 'anybody',
      errors: 'text',
      first: [signedOut],
      query: f.fields({ next }),
      answers: { 200: page, 204: nothing, 302: redirect },
    },
    async ({ req, res, config, query: { next } }) => {
      const forms = accountForms(config)
      // The stream of an open tab is redirected here when its session ends; 204 stops it from reconnecting.
      if (req.get('Accept') === 'text/event-stream') return void res.status(204).end()
      forms.show(req, res, form => logInPage({ ...form, next }))
    },
  ),

  endpoint(
    'POST /login',
    {
      summary: 'Signs in with a username and a password.',
      who: 'anybody',
      limit: 'by address',
      errors: 'text',
      first: [signedOut, noteArrival],
      body: formBody(LOG_IN),
      answers: { 200: page, 302: redirect },
    },
    async ({ stores, config, req, res, body: { username, password, next, csrf_token: token } }) => {
      const forms = accountForms(config)
      await rateLimits(stores)(['login', addressOf(req)])
      if (forms.checkToken(req, token) === 'wrong') {
        const problem = stringsFor(req).staleForm
        return forms.show(req, res, form => logInPage({ ...form, next, username, problem }), 403)
      }
      const fail = async (why: LogInProblem) => {
        if (why.kind === 'invalid' || why.kind === 'locked') await failureDelay(res)
        const problem = stringsFor(req).logIn.problem(why)
        const isLocked = why.kind === 'locked'
        forms.show(req, res, form => logInPage({ ...form, next, username, problem, isLocked }))
      }
      const problem = await enter(stores, config, req, res, { username, password })
      if (problem !== undefined) return fail(problem)
      res.redirect(302, next)
    },
  ),

  endpoint(
    'GET /logout',
    { summary: 'Signs out.', who: 'anybody', errors: 'text', answers: { 302: redirect } },
    async ({ stores, req, res, viewer }) => {
      if (viewer !== undefined && mayLogOut(req)) {
        await logOut(stores, req, viewer)
        res.clearCookie('session', { path: '/' })
      }
      res.redirect(302, '/login')
    },
  ),
]
