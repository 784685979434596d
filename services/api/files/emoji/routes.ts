import { type Request, Router } from 'express'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { emojiFilesWith, isEmojiName } from '#shared/domain/custom-emoji.ts'
import type { CustomEmojiPayload } from '#shared/domain/payloads.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { actorOf } from '../../middleware/administration.ts'
import { atOnce } from '../../middleware/at-once.ts'
import { emojiUpload, uploadsOf } from '../../middleware/bodies.ts'
import { bodyOf, textIn } from '../../middleware/coded-fields.ts'
import { errorsWithCode } from '../../middleware/errors.ts'
import { onceIdIn } from '../../middleware/made-once.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { sendValidated } from '../../middleware/validated.ts'
import { serveFile } from '../serve-file.ts'
import { addEmoji, checkMayAdd } from './add.ts'
import { payloadOf, revisionOf } from './payload.ts'
import { allEmoji, findEmoji } from './queries.ts'
import { removeEmoji } from './remove.ts'

/** Interface 10.31. */
export function emojiRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use('/emoji', errorsWithCode)
  // Each keeps a core busy with its conversion.
  const onesAtOnce = atOnce(stores, 1)

  routes.get('/emoji', async (req, res) => {
    sendValidated(req, res, await listFor(stores, viewerOf(req)))
  })

  routes.get('/emoji/:name', async (req, res) => {
    const emoji = await findEmoji(stores.db, nameOf(req))
    if (!emoji) throw errors.notFound()
    const isStill = req.query['still'] === '1' && emoji.animated
    const file = isStill ? emojiFilesWith(emoji.file)!.still : emoji.file
    await serveFile(req, res, stores.files, file, {
      'Content-Type': 'image/webp',
      'Cache-Control':
        req.query['v'] === revisionOf(emoji.file) ? 'private, max-age=31536000, immutable' : 'no-cache',
    })
  })

  routes.post(
    '/emoji',
    async (req, _res, next) => {
      // Before the body is read; the transaction checks again.
      await checkMayAdd(stores, stores.db, viewerOf(req))
      next()
    },
    emojiUpload(stores),
    async (req, res) => {
      const body = bodyOf(req)
      const draft = {
        name: textIn(body, 'name') ?? undefined,
        upload: uploadsOf(req)[0],
        clientId: onceIdIn(body['client_id']),
      }
      const { status, body: made } = await onesAtOnce(viewerOf(req), () =>
        addEmoji(stores, actorOf(req), draft),
      )
      res.status(status).json(made)
    },
  )

  routes.delete('/emoji/:name', async (req, res) => {
    await removeEmoji(stores, actorOf(req), nameOf(req))
    res.status(204).end()
  })

  return routes
}

/** Text that is no name may be text that PostgreSQL does not take. */
function nameOf(req: Request): string {
  const { name } = req.params
  if (typeof name !== 'string' || !isEmojiName(name)) throw errors.notFound()
  return name
}

/** Names of people whom a guest does not see are left out. */
async function listFor(stores: Stores, viewer: Username): Promise<CustomEmojiPayload[]> {
  const rows = await allEmoji(stores.db)
  const makers = [...new Set(rows.flatMap(row => row.created_by ?? []))]
  const visible = new Set(await visibleAmong(stores, viewer, makers))
  return rows.map(row =>
    payloadOf({
      ...row,
      created_by: row.created_by !== null && visible.has(row.created_by) ? row.created_by : null,
    }),
  )
}
