import * as v from 'valibot'
import { payloadFor } from '#shared/collections/collection.ts'
import { me } from '#shared/collections/me.ts'
import { MePayload, OwnSessionPayload } from '#shared/domain/payloads/account.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import { jsonBody, jsonObject } from '../../middleware/body-readers.ts'
import { confirmedUntil } from '../../middleware/confirmed.ts'
import { endpoint, nothing, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { askerOf } from '../../middleware/request-log.ts'
import { addressOf } from '../forms.ts'
import { isOwnPassword } from '../sign-in/confirm.ts'
import { failureDelay, noteArrival } from '../sign-in/failure-delay.ts'
import { PROFILE } from './profile-fields.ts'
import { setProfile } from './queries.ts'

/** Interface 16.1. */
export const ownAccountEndpoints = [
  endpoint(
    'GET /me',
    {
      summary: 'Gives the account of the person, with what it may do.',
      who: 'signed in',
      within: 'anywhere',
      answers: { 200: payload(MePayload) },
    },
    async ({ stores, viewer }) => {
      const payload = await payloadFor(me, stores, viewer)
      if (payload === undefined) throw errors.signedOut()
      return payload
    },
  ),

  endpoint(
    'PATCH /me',
    {
      summary: 'Changes the name, title or time zone of the person.',
      who: 'signed in',
      limit: [['change', 8]],
      body: jsonObject(PROFILE),
      answers: { 204: nothing },
      fails: [400],
    },
    async ({ stores, viewer, body: profile }) => {
      await runStatement(stores, 'changePerson', { users: [viewer] }, async db =>
        (await setProfile(db, viewer, profile)) ? undefined : unchanged,
      )
    },
  ),

  endpoint(
    'GET /session',
    {
      summary: 'Tells when the session began and until when it is confirmed.',
      who: 'signed in',
      scope: 'none',
      answers: { 200: payload(OwnSessionPayload) },
    },
    async ({ stores, req }) => {
      const payload: OwnSessionPayload = {
        by: 'password',
        created_ts: req.session.created_ts ?? 0,
        confirmed_until: confirmedUntil(stores, req) ?? null,
        must: [],
      }
      return payload
    },
  ),

  endpoint(
    'POST /confirm',
    {
      summary: 'Confirms the session with the password.',
      who: 'signed in',
      scope: 'none',
      limit: [['account', 6]],
      first: [noteArrival],
      body: jsonBody(
        f.fields({
          password: v.pipe(
            v.string(f.REQUIRED),
            v.transform(text => text.toWellFormed()),
          ),
        }),
      ),
      answers: { 204: nothing },
      fails: [400, 403],
    },
    async ({ stores, config, req, res, viewer, body: { password } }) => {
      const isRight = await isOwnPassword(stores, config, viewer, password, addressOf(req), askerOf(res))
      if (!isRight) {
        await failureDelay(res)
        throw errors.confirmRequired('That is not your password.')
      }
      req.session.confirmed_ts = stores.clock.now()
    },
  ),
]
