import { type Request, Router } from 'express'
import { payloadFor } from '#shared/collections/collection.ts'
import { workspace } from '#shared/collections/workspace.ts'
import { ACCENT, accentSheet } from '#shared/domain/accent.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { serveFile } from '../../files/serve-file.ts'
import { actorOf, adminsOnly } from '../../middleware/administration.ts'
import { longReadsAtOnce } from '../../middleware/at-once.ts'
import { json, logoUpload, uploadsOf } from '../../middleware/bodies.ts'
import { confirmed } from '../../middleware/confirmed.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { withinTime } from '../../middleware/within-time.ts'
import { changeSettings } from './change-settings.ts'
import { listSettings } from './list-settings.ts'
import { putLogo, removeLogo } from './logo.ts'
import { previewRetention, wishIn } from './retention-preview.ts'

/** Logo and colour, also on pages without a session. */
export function workspaceLookRoutes(stores: Stores): Router {
  const routes = Router()
  routes.get('/workspace_logo', async (req, res) => {
    const { logo } = stores.settings
    if (logo === undefined) throw errors.notFound()
    await serveFile(req, res, stores.files, logo, {
      'Content-Type': 'image/webp',
      'Cache-Control': isNamed(req, logo) ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  })
  routes.get('/workspace_accent.css', (req, res) => {
    // Any colour: a process may not know the newest setting yet.
    const accent = `#${req.query['v']}`
    if (!ACCENT.test(accent)) throw errors.notFound()
    res.set('Cache-Control', 'public, max-age=31536000, immutable').type('css').send(accentSheet(accent))
  })
  return routes
}

const isNamed = (req: Request, logo: string) => req.query['v'] === logo

const UNCOUNTED = 'Counting what would be deleted takes too long. Try again when the server is less busy.'

/** Interface 10.16. */
export function workspaceRoutes(stores: Stores): Router {
  const routes = Router()
  const longReads = longReadsAtOnce(stores)
  const admins = adminsOnly(stores)

  routes.get('/workspace', async (req, res) => {
    res.json(await payloadFor(workspace, stores, viewerOf(req)))
  })

  routes.get('/admin/settings', admins, (_req, res) => {
    res.json({ items: listSettings(stores.settings) })
  })

  routes.get('/admin/retention', admins, async (req, res) => {
    const wish = wishIn(req.query)
    const preview = () => withinTime(stores, UNCOUNTED, limited => previewRetention(limited, wish))
    res.json(await longReads(viewerOf(req), preview))
  })

  routes.patch('/admin/settings', admins, confirmed(stores), json, async (req, res) => {
    await changeSettings(stores, actorOf(req), req.body)
    res.status(204).end()
  })

  routes.post('/admin/logo', admins, logoUpload(stores), async (req, res) => {
    await putLogo(stores, actorOf(req), uploadsOf(req)[0])
    res.status(204).end()
  })

  routes.delete('/admin/logo', admins, async (req, res) => {
    await removeLogo(stores, actorOf(req))
    res.status(204).end()
  })

  return routes
}
