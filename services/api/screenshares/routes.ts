import { Router } from 'express'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { screenshares } from '#shared/collections/screenshares.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json, textField } from '../middleware/bodies.ts'
import { errorsAsJson } from '../middleware/refusals.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { chunkIn, rawChunk } from '../signalling/media.ts'
import { signalIn } from '../signalling/signals.ts'
import { mediaOf, refuseSender, sendMedia } from './media.ts'
import { signalInShare, signalsInShare } from './signal.ts'
import { startShare } from './start.ts'
import { stopShare } from './stop.ts'

const OK = { status: 'ok' } as const

/** Interface 4.9, and the shares' part of 4.10. */
export function screenshareRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use('/screenshare', errorsAsJson)

  routes.post('/screenshare/start', json, async (req, res) => {
    const channel = textField(req.body, 'channel')
    if (!channel) throw refuse.required('channel')
    res.json({ share_id: await startShare(stores, viewerOf(req), channel) })
  })

  routes.get('/screenshare/active', async (req, res) => {
    const { channel: text } = req.query
    if (typeof text !== 'string' || text === '') throw refuse.required('channel')
    const channel = await findReadableChannel(stores, viewerOf(req), text)
    res.json((channel && (await payloadFor(screenshares, stores, viewerOf(req), channel.id))) ?? [])
  })

  routes.post('/screenshare/:id/stop', async (req, res) => {
    await stopShare(stores, viewerOf(req), req.params.id)
    res.json(OK)
  })

  routes.post('/screenshare/:id/signal', json, async (req, res) => {
    await signalInShare(stores, viewerOf(req), req.params.id, signalIn(req.body))
    res.json(OK)
  })

  routes.get('/screenshare/:id/signals', async (req, res) => {
    res.json(await signalsInShare(stores, viewerOf(req), req.params.id, req.query.after))
  })

  routes.post(
    '/screenshare/:id/media',
    async (req, _res, next) => {
      await refuseSender(stores, viewerOf(req), req.params['id'])
      next()
    },
    rawChunk,
    async (req, res) => {
      const seq = await sendMedia(stores, viewerOf(req), req.params['id'], chunkIn(req))
      res.json({ ...OK, seq })
    },
  )

  routes.get('/screenshare/:id/media', async (req, res) => {
    res.json(await mediaOf(stores, viewerOf(req), req.params.id, req.query.after))
  })

  return routes
}
