import { Router } from 'express'
import { payloadFor } from '#shared/collections/collection.ts'
import { me } from '#shared/collections/me.ts'
import type { OwnSessionPayload } from '#shared/domain/payloads.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import type { Config } from '#shared/runtime/config.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../../middleware/bodies.ts'
import { confirmedUntil } from '../../middleware/confirmed.ts'
import { askerOf } from '../../middleware/request-log.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { addressOf, textOf } from '../forms.ts'
import { isOwnPassword } from '../sign-in/confirm.ts'
import { failureDelay, noteArrival } from '../sign-in/failure-delay.ts'
import { profileIn } from './profile-in.ts'
import { setProfile } from './queries.ts'

/** Interface 10.15. */
export function ownAccountRoutes(stores: Stores, config: Config): Router {
  const routes = Router()

  routes.get('/me', async (req, res) => {
    const payload = await payloadFor(me, stores, viewerOf(req))
    if (payload === undefined) throw errors.signedOut()
    res.json(payload)
  })

  routes.patch('/me', json, async (req, res) => {
    const viewer = viewerOf(req)
    const profile = profileIn(req.body)
    await runStatement(stores, 'changePerson', { users: [viewer] }, async db =>
      (await setProfile(db, viewer, profile)) ? undefined : unchanged,
    )
    res.status(204).end()
  })

  routes.get('/session', (req, res) => {
    const payload: OwnSessionPayload = {
      by: 'password',
      created_ts: req.session.created_ts ?? 0,
      confirmed_until: confirmedUntil(stores, req) ?? null,
      must: [],
    }
    res.json(payload)
  })

  routes.post('/confirm', noteArrival, json, async (req, res) => {
    if (typeof req.body?.password !== 'string') throw errors.missing('password')
    const password = textOf(req, 'password')
    const isRight = await isOwnPassword(stores, config, viewerOf(req), password, addressOf(req), askerOf(res))
    if (!isRight) {
      await failureDelay(res)
      throw errors.confirmRequired('That is not your password.')
    }
    req.session.confirmed_ts = stores.clock.now()
    res.status(204).end()
  })

  return routes
}
