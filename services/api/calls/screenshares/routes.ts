import { Router } from 'express'
import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { screenshares } from '#shared/collections/screenshares.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../../middleware/bodies.ts'
import { readBody, text } from '../../middleware/body-fields.ts'
import { errorsAsJson } from '../../middleware/errors.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { signallingRoutes } from '../signalling/routes.ts'
import { checkSender, mediaOf, sendMedia } from './media.ts'
import { signalInShare, signalsInShare } from './signal.ts'
import { startShare } from './start.ts'
import { stopShare } from './stop.ts'

const START = v.object({ channel: text })

const OK = { status: 'ok' } as const

/** Interface 4.9, and the shares' part of 4.10. */
export function screenshareRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use('/screenshare', errorsAsJson)

  routes.post('/screenshare/start', json, async (req, res) => {
    const { channel } = readBody(START, req.body)
    if (!channel) throw errors.required('channel')
    res.json({ share_id: await startShare(stores, viewerOf(req), channel) })
  })

  routes.get('/screenshare/active', async (req, res) => {
    const { channel: text } = req.query
    if (typeof text !== 'string' || text === '') throw errors.required('channel')
    const channel = await findReadableChannel(stores, viewerOf(req), text)
    res.json((channel && (await payloadFor(screenshares, stores, viewerOf(req), channel.id))) ?? [])
  })

  routes.post('/screenshare/:id/stop', async (req, res) => {
    await stopShare(stores, viewerOf(req), req.params.id)
    res.json(OK)
  })

  routes.use(
    signallingRoutes(stores, 'screenshare', {
      signal: signalInShare,
      signals: signalsInShare,
      checkSender,
      sendMedia,
      media: mediaOf,
    }),
  )

  return routes
}
