import { Router } from 'express'
import * as v from 'valibot'
import { findReadableChannel } from '#shared/access/readable-channel.ts'
import type { PinsPayload } from '#shared/domain/payloads.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { errorsWithCode } from '../../middleware/errors.ts'
import { cursorText, pageCursor, pageLimit } from '../../middleware/paging.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { setPinned } from './pin.ts'
import { pinsBefore } from './queries.ts'

const CURSOR = v.pipe(v.number(), v.finite())

/** Interface 10.27. */
export function pinRoutes(stores: Stores): Router {
  const routes = Router()
  routes.use(['/pin', '/pins'], errorsWithCode)

  routes.put('/pin/:id', async (req, res) => {
    await setPinned(stores, viewerOf(req), req.params.id, true)
    res.status(204).end()
  })

  routes.delete('/pin/:id', async (req, res) => {
    await setPinned(stores, viewerOf(req), req.params.id, false)
    res.status(204).end()
  })

  routes.get('/pins/:channel', async (req, res) => {
    const limit = pageLimit(req.query)
    const before = pageCursor(req.query, CURSOR) ?? Number.MAX_VALUE
    const channel = await channelFor(stores, viewerOf(req), req.params.channel)
    const { items, more } = await pinsBefore(stores.db, channel, before, limit)
    // Checked again after the rows: a former member gets nothing newer.
    await channelFor(stores, viewerOf(req), req.params.channel)
    const next = more ? cursorText(items.at(-1)!.extra?.pinned?.ts) : null
    res.json({ items, next } satisfies PinsPayload)
  })

  return routes
}

async function channelFor(stores: Stores, viewer: Username, text: unknown) {
  const channel = await findReadableChannel(stores, viewer, text)
  if (!channel) throw errors.notFound()
  return channel
}
