import { type Request, type Response, Router } from 'express'
import type { Username } from '#shared/domain/units.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { actorOf } from '../middleware/administration.ts'
import { fields, json } from '../middleware/bodies.ts'
import { checkCsrfToken, csrfToken } from '../middleware/csrf.ts'
import { errorsAsJson } from '../middleware/errors.ts'
import { signedIn, viewerOf } from '../middleware/signed-in.ts'
import { deleteAccount } from './deletion/delete-account.ts'
import { accountForms, textOf } from './forms.ts'
import { changePassword } from './password/change-password.ts'
import { resetRoutes } from './password/reset-routes.ts'
import { beginSession } from './sessions/begin-session.ts'
import { endSessions, sessionNamed, sessionsOf } from './sessions/sessions.ts'
import { logInRoutes } from './sign-in/log-in-routes.ts'
import { claimRoutes } from './sign-up/claim-routes.ts'
import { inviteRoutes } from './sign-up/invite-routes.ts'
import { signUpRoutes } from './sign-up/sign-up-routes.ts'

/** The signed-out pages and the account of the signed-in user (interface 4.1, 5). */
export function accountRoutes(stores: Stores, config: Config): Router {
  const forms = accountForms(config)
  const routes = Router()
  routes.use(
    logInRoutes(stores, config, forms),
    signUpRoutes(stores, config, forms),
    resetRoutes(stores, config, forms),
    claimRoutes(stores, config, forms),
    inviteRoutes(stores, config, forms),
  )

  routes.post('/change-password', errorsAsJson, signedIn, fields, async (req, res) => {
    const token = csrfToken(req)
    if (checkCsrfToken(req) !== 'valid') throw errors.wrongCsrfToken()
    await changePassword(stores, config, viewerOf(req), {
      current: textOf(req, 'current_password'),
      password: textOf(req, 'new_password'),
      confirmation: textOf(req, 'confirm_password'),
    })
    // The password is changed and every session ended: a failure from here on is no failed change. Without a new session
    // the person signs in with the new password. Keep the CSRF token: open pages of this browser hold it.
    const viewer = viewerOf(req)
    await beginSession(stores, req, viewer, token).catch(err => noteLost(err, viewer))
    res.json({ status: 'ok', ok: true })
  })

  routes.post('/delete_account', errorsAsJson, signedIn, json, async (req, res) => {
    const deletion = textOf(req, 'type')
    if (deletion !== 'soft' && deletion !== 'hard') throw errors.badRequest('type must be soft or hard')
    const viewer = viewerOf(req)
    await deleteAccount(stores, config, actorOf(req), deletion, textOf(req, 'password'))
    // The deletion has ended the session.
    await forgetCookie(req, res).catch(err => noteLost(err, viewer))
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

/** Clears the cookie of an ended session. */
async function forgetCookie(req: Request, res: Response) {
  res.clearCookie('session', { path: '/' })
  await new Promise<void>((resolve, reject) => req.session.destroy(err => (err ? reject(err) : resolve())))
}

function noteLost(err: unknown, username: Username) {
  log.warn({ err, username }, 'session not stored after a change of the account')
}
