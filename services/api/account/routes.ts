import type { Request, Response } from 'express'
import * as v from 'valibot'
import { SessionPayload } from '#shared/domain/payloads/account.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { log } from '#shared/runtime/log.ts'
import { actorOf } from '../middleware/administration.ts'
import { formBody, jsonBody } from '../middleware/body-readers.ts'
import { checkCsrfToken, csrfToken } from '../middleware/csrf.ts'
import { done, endpoint, nothing, payload } from '../middleware/endpoint.ts'
import * as f from '../middleware/fields.ts'
import { deleteAccount } from './deletion/delete-account.ts'
import { changePassword } from './password/change-password.ts'
import { beginSession } from './sessions/begin-session.ts'
import { endSessions, sessionNamed, sessionsOf } from './sessions/sessions.ts'

const PASSWORDS = f.fields({
  csrf_token: f.anything,
  current_password: f.formText,
  new_password: f.formText,
  confirm_password: f.formText,
})
const DELETION = f.fields({
  type: v.pipe(f.formText, v.picklist(['soft', 'hard'], '$ must be soft or hard')),
  password: f.formText,
})

/** The signed-out pages and the account of the signed-in user (interface 4.1, 5). */
export const accountEndpoints = [
  endpoint(
    'POST /change-password',
    {
      summary: 'Changes the password of the person.',
      who: 'signed in',
      scope: 'none',
      limit: [['account', 6]],
      errors: 'json',
      body: formBody(PASSWORDS),
      answers: { 200: payload(v.strictObject({ status: v.literal('ok'), ok: v.literal(true) })) },
      fails: [400, 403],
    },
    async ({ stores, config, req, viewer, body }) => {
      const token = csrfToken(req)
      if (checkCsrfToken(req, body.csrf_token) !== 'valid') throw errors.wrongCsrfToken()
      await changePassword(stores, config, viewer, {
        current: body.current_password,
        password: body.new_password,
        confirmation: body.confirm_password,
      })
      // The password is changed and every session ended: a failure from here on is no failed change. Without a new session
      // the person signs in with the new password. Keep the CSRF token: open pages of this browser hold it.

      await beginSession(stores, req, viewer, token).catch(err => noteLost(err, viewer))
      return { status: 'ok', ok: true } as const
    },
  ),

  endpoint(
    'POST /delete_account',
    {
      summary: 'Deletes the account of the person.',
      who: 'signed in',
      scope: 'none',
      limit: [['account', 6]],
      errors: 'json',
      body: jsonBody(DELETION),
      answers: { 200: done },
      fails: [400, 403, 404, 409],
    },
    async ({ stores, config, req, res, viewer, body: { type, password } }) => {
      await deleteAccount(stores, config, actorOf(req), type, password)
      // The deletion has ended the session.
      await forgetCookie(req, res).catch(err => noteLost(err, viewer))
      return { status: 'ok' } as const
    },
  ),

  endpoint(
    'GET /sessions',
    {
      summary: 'Lists the sessions of the person.',
      who: 'signed in',
      scope: 'none',
      errors: 'text',
      answers: { 200: payload(v.array(SessionPayload)) },
    },
    async ({ stores, req, viewer }) => sessionsOf(stores, req, viewer),
  ),

  endpoint(
    'DELETE /sessions/:id',
    {
      summary: 'Ends a session of the person.',
      who: 'signed in',
      scope: 'none',
      limit: ['other'],
      errors: 'text',
      answers: { 204: nothing },
      fails: [404],
    },
    async ({ stores, req, res, viewer, params }) => {
      const session = await sessionNamed(stores, viewer, params.id)
      if (session === undefined) throw errors.notFound()
      await endSessions(stores, viewer, [session])
      if (session === req.sessionID) await forgetCookie(req, res)
    },
  ),

  endpoint(
    'GET /csrf_token',
    {
      summary: 'Gives the form token of the session.',
      who: 'signed in',
      scope: 'none',
      errors: 'text',
      answers: { 200: payload(v.strictObject({ csrf_token: v.string() })) },
    },
    async ({ req }) => ({ csrf_token: csrfToken(req) }),
  ),
]

/** Clears the cookie of an ended session. */
async function forgetCookie(req: Request, res: Response) {
  res.clearCookie('session', { path: '/' })
  await new Promise<void>((resolve, reject) => req.session.destroy(err => (err ? reject(err) : resolve())))
}

function noteLost(err: unknown, username: Username) {
  log.warn({ err, username }, 'session not stored after a change of the account')
}
