import { type Request, Router } from 'express'
import * as v from 'valibot'
import { visibleAmong } from '#shared/access/visible-people.ts'
import { emptyRecord } from '#shared/collections/collection.ts'
import type { ProfilePayload } from '#shared/domain/payloads.ts'
import { shownPresence } from '#shared/domain/presence.ts'
import type { Username } from '#shared/domain/units.ts'
import { isUsername } from '#shared/domain/username.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { serveFile } from '../../files/serve-file.ts'
import { avatarUpload, fields, json, uploadsOf } from '../../middleware/bodies.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { sendValidated } from '../../middleware/validated.ts'
import { putAvatar, removeAvatar } from './avatar.ts'
import { avatarOf, nameColors, profileOf, setNameColor, settingsOf, usersWithAvatar } from './queries.ts'

/** Interface 4.5. */
export function settingsRoutes(stores: Stores): Router {
  const routes = Router()

  routes.get('/settings', async (req, res) => {
    res.json((await settingsOf(stores.db, viewerOf(req))) ?? { name_color: null, avatar_file: null })
  })

  routes.post('/settings', json, fields, async (req, res) => {
    const color = nameColorIn(req.body ?? {})
    if (color !== undefined) await setNameColor(stores.db, viewerOf(req), color)
    res.status(204).end()
  })

  routes.get('/user_colors', async (req, res) => {
    const colors = emptyRecord<string>()
    const chosen = await nameColors(stores.db)
    const visible = new Set(
      await visibleAmong(
        stores,
        viewerOf(req),
        chosen.map(({ username }) => username),
      ),
    )
    for (const { username, name_color } of chosen) if (visible.has(username)) colors[username] = name_color
    sendValidated(req, res, colors)
  })

  routes.get('/user_avatars', async (req, res) => {
    sendValidated(req, res, await visibleAmong(stores, viewerOf(req), await usersWithAvatar(stores.db)))
  })

  routes.get('/avatar/:username', async (req, res) => {
    const found = await visibleOne(stores, req, avatarOf)
    await serveFile(req, res, stores.files, found.file, {
      'Content-Type': 'image/jpeg',
      // Cached but revalidated: the address stays the same when the picture changes.
      'Cache-Control': 'private, no-cache',
    })
  })

  routes.post('/avatar', avatarUpload(stores), async (req, res) => {
    await putAvatar(stores, viewerOf(req), uploadsOf(req)[0])
    res.status(204).end()
  })

  routes.delete('/avatar', async (req, res) => {
    await removeAvatar(stores, viewerOf(req))
    res.status(204).end()
  })

  routes.get('/profile/:username', async (req, res) => {
    const { presence, ...profile } = await visibleOne(stores, req, profileOf)
    const state = (presence && shownPresence(presence, stores.clock.now())) ?? 'offline'
    res.json({ ...profile, state } satisfies ProfilePayload)
  })

  return routes
}

/**
 * Finds something of the person in the path; 404 for people whom the viewer does not see. Asks for unknown names too, so
 * that the time of a response does not tell a guest who exists.
 */
async function visibleOne<T extends { username: Username }>(
  stores: Stores,
  req: Request<{ username: string }>,
  find: (db: Db, name: string) => Promise<T | undefined>,
): Promise<T> {
  const { username: name } = req.params
  if (!isUsername(name)) throw errors.notFound()
  const found = await find(stores.db, name)
  const visible = await visibleAmong(stores, viewerOf(req), [found?.username ?? name])
  if (!found || visible.length === 0) throw errors.notFound()
  return found
}

/** A patch: undefined leaves the colour unchanged, null is the default (interface 4.5). */
const PATCH = v.object({
  name_color: v.pipe(
    v.nullish(v.union([v.literal(''), v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/i))])),
    v.transform(color => (color === '' ? null : color)),
  ),
})

function nameColorIn(body: unknown): string | null | undefined {
  const parsed = v.safeParse(PATCH, body)
  if (!parsed.success || Array.isArray(body)) throw errors.invalidColor()
  return parsed.output.name_color
}
