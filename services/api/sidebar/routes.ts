import { Router } from 'express'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { sidebar } from '#shared/collections/sidebar.ts'
import type { Seconds } from '#shared/domain/units.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../middleware/bodies.ts'
import { errorsWithCode } from '../middleware/errors.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { isStored, mute } from './queries.ts'

const MINUTE: Seconds = 60
/** A year: longer mutes are for ever. */
const MOST_MINUTES = 366 * 24 * 60
const FOR_EVER = -1

/** Interface 10.3: the person's own choices for channels. */
export function sidebarRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use(['/sidebar', '/channel_prefs'], errorsWithCode)

  routes.get('/sidebar', async (req, res) => {
    res.json(await payloadFor(sidebar, stores, viewerOf(req)))
  })

  routes.patch('/channel_prefs/:channel', json, async (req, res) => {
    const viewer = viewerOf(req)
    const until = mutedUntilIn(req.body, stores.clock.now())
    const channel = await findReadableChannel(stores, viewer, req.params.channel)
    if (!channel || !(await isStored(stores.db, viewer, channel))) throw errors.notFound()
    await runStatement(stores, 'channelPrefs', { users: [viewer] }, async db =>
      (await mute(db, viewer, channel, until)) ? undefined : unchanged,
    )
    res.status(204).end()
  })

  return routes
}

/** Reads `muted_for_minutes` (0 ends, -1 for ever) or `muted_until` (a time, `forever` or null). */
function mutedUntilIn(body: unknown, now: Seconds): Seconds | null {
  const { muted_for_minutes: minutes, muted_until: until } = (body ?? {}) as Record<string, unknown>
  if (minutes !== undefined) {
    if (typeof minutes !== 'number') throw errors.missing('muted_for_minutes')
    if (!Number.isInteger(minutes) || minutes < FOR_EVER || minutes > MOST_MINUTES)
      throw errors.invalid(`muted_for_minutes must be between ${FOR_EVER} and ${MOST_MINUTES}`)
    if (minutes === 0) return null
    return minutes === FOR_EVER ? Infinity : now + minutes * MINUTE
  }
  if (until === null) return null
  if (until === 'forever') return Infinity
  if (typeof until !== 'number') throw errors.missing('muted_until')
  if (until <= now || until > now + MOST_MINUTES * MINUTE)
    throw errors.invalid('muted_until must be a time within the next year')
  return until
}
