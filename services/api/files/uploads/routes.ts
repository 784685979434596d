import { Router } from 'express'
import { shownFileName } from '#shared/domain/file-types.ts'
import { uuidFrom } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { atOnce } from '../../middleware/at-once.ts'
import { json } from '../../middleware/bodies.ts'
import { bodyOf, textIn } from '../../middleware/coded-fields.ts'
import { errorsWithCode } from '../../middleware/errors.ts'
import { freeSpace } from '../../middleware/free-space.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { appendPart } from './append-part.ts'
import { beginUpload } from './begin-upload.ts'
import { cancelUpload } from './cancel-upload.ts'

/** Parts in progress per user and process. */
const MOST_AT_ONCE = 4

/** Uploads in parts, for files of any size over any line (interface 10.30). */
export function uploadRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use('/uploads', errorsWithCode)
  const hasRoom = freeSpace(stores)
  const partsAtOnce = atOnce(stores, MOST_AT_ONCE)

  routes.put('/uploads/:id', json, async (req, res) => {
    const body = bodyOf(req)
    const name = textIn(body, 'name')
    if (name === undefined || name === null) throw errors.missing('name')
    const { size } = body
    if (typeof size !== 'number') throw errors.missing('size')
    if (!Number.isSafeInteger(size) || size < 0) throw errors.invalid('size must be a number of bytes')
    const wanted = { id: newIdIn(req.params['id']), originalName: shownFileName(name), size }
    res.json(await beginUpload(stores, viewerOf(req), wanted, hasRoom))
  })

  routes.patch('/uploads/:id', async (req, res) => {
    const offset = req.get('Upload-Offset')
    if (offset === undefined || !/^\d{1,15}$/.test(offset)) throw errors.missing('Upload-Offset')
    const id = knownIdIn(req.params.id)
    const viewer = viewerOf(req)
    res.json(
      await partsAtOnce(viewer, () =>
        appendPart(stores, viewer, { id, offset: Number(offset) }, req, hasRoom),
      ),
    )
  })

  routes.delete('/uploads/:id', async (req, res) => {
    await cancelUpload(stores, viewerOf(req), knownIdIn(req.params.id))
    res.status(204).end()
  })

  return routes
}

function newIdIn(text: unknown): string {
  const id = uuidFrom(text)
  if (id === undefined) throw errors.invalid('the id of an upload must be a UUID')
  return id
}

function knownIdIn(text: unknown): string {
  const id = uuidFrom(text)
  if (id === undefined) throw errors.notFound()
  return id
}
