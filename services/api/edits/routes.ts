import { Router } from 'express'
import { readableMessage } from '#shared/access/readable-message.ts'
import type { EditPayload } from '#shared/domain/payloads.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { errorsWithCode } from '../middleware/errors.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { readVersions } from './queries.ts'

/** Interface 10.32. */
export function editsRoutes(stores: Stores): Router {
  const routes = Router()

  routes.get('/message/:id/edits', errorsWithCode, async (req, res) => {
    const message = await readableMessage(stores, viewerOf(req), req.params['id'])
    if (message.deleted === 1) throw errors.notFound()
    // Versions from before the setting was turned off are removed at night.
    const { keep_edits: isKept } = stores.settings.current
    res.json((await readVersions(stores.db, message.id, isKept)) satisfies EditPayload[])
  })

  return routes
}
