import { Router } from 'express'
import * as v from 'valibot'
import { readableMessage } from '#shared/access/readable-message.ts'
import type { EditPayload } from '#shared/domain/payloads.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { errorsWithCode } from '../../middleware/errors.ts'
import { pageCursor, tellNext } from '../../middleware/paging.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { readVersions } from './queries.ts'

const CURSOR = v.pipe(v.number(), v.finite())

/** Interface 10.32. */
export function editsRoutes(stores: Stores): Router {
  const routes = Router()

  routes.get('/message/:id/edits', errorsWithCode, async (req, res) => {
    const message = await readableMessage(stores, viewerOf(req), req.params['id'])
    if (message.deleted === 1) throw errors.notFound()
    // Versions from before the setting was turned off are removed at night.
    const { keep_edits: isKept } = stores.settings.current
    const before = pageCursor(req.query, CURSOR)
    const { items, more } = await readVersions(stores.db, message.id, { before, withEarlier: isKept })
    if (more) tellNext(res, items[0]!.ts)
    res.json(items satisfies EditPayload[])
  })

  return routes
}
