import { Router } from 'express'
import { visibleText } from '#shared/domain/one-line.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../../middleware/bodies.ts'
import { bodyOf, textIn } from '../../middleware/coded-fields.ts'
import { errorsWithCode } from '../../middleware/errors.ts'
import { freeSpace } from '../../middleware/free-space.ts'
import { onceIdIn } from '../../middleware/made-once.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { forward } from './forward.ts'

/** Interface 10.4. */
export function forwardRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use('/forward', errorsWithCode)
  const hasRoom = freeSpace(stores)

  routes.post('/forward/:id', json, async (req, res) => {
    const body = bodyOf(req)
    const channel = textIn(body, 'channel')
    if (channel === undefined || channel === null) throw errors.missing('channel')
    const sent = await forward(
      stores,
      viewerOf(req),
      {
        id: req.params['id'],
        channel,
        comment: visibleText(textIn(body, 'text') ?? ''),
        clientId: onceIdIn(body['client_id']),
      },
      hasRoom,
    )
    res.status(201).json({ id: sent.id })
  })

  return routes
}
