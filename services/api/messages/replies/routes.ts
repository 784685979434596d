import { Router } from 'express'
import { readableChannel } from '#shared/access/readable-channel.ts'
import { readableMessage } from '#shared/access/readable-message.ts'
import { emptyRecord } from '#shared/collections/collection.ts'
import type { RepliesCount, RepliesPayload } from '#shared/domain/payloads.ts'
import { idFrom, type Seconds } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { repliesAfter, repliesTo } from './queries.ts'

/** Interface 10.8. */
export function repliesRoutes(stores: Stores): Router {
  const routes = Router()

  routes.get('/replies/:id', async (req, res) => {
    const limit = limitIn(req.query.limit)
    const after = cursorIn(req.query.cursor)
    const parent = await readableMessage(stores, viewerOf(req), req.params.id)
    const { items, more } = await repliesAfter(stores.db, parent.id, after, limit)
    // Checked again after the rows: a former member gets nothing newer.
    await readableMessage(stores, viewerOf(req), req.params.id)
    const next = more ? String(items.at(-1)!.ts) : null
    res.json({ items, next } satisfies RepliesPayload)
  })

  routes.get('/reply_counts/:channel', async (req, res) => {
    const ids = idsIn(req.query.ids)
    const channel = await readableChannel(stores, viewerOf(req), req.params.channel)
    const counts = emptyRecord<RepliesCount>()
    for (const { id, ...count } of await repliesTo(stores.db, channel, ids)) counts[id] = count
    res.json(counts)
  })

  return routes
}

const PAGE = 50
const LARGEST_PAGE = 200
const MOST_IDS = 200

function limitIn(value: unknown): number {
  if (value === undefined) return PAGE
  const limit = idFrom(value)
  if (limit === undefined || limit > LARGEST_PAGE)
    throw errors.coded(400, 'invalid', `limit must be a number from 1 to ${LARGEST_PAGE}`)
  return limit
}

function cursorIn(value: unknown): Seconds {
  if (value === undefined) return 0
  if (typeof value !== 'string' || !/^\d{1,12}(\.\d{1,9})?$/.test(value))
    throw errors.coded(400, 'invalid', 'cursor must be that of a page')
  return Number(value)
}

function idsIn(value: unknown): number[] {
  const ids = typeof value === 'string' ? value.split(',', MOST_IDS + 1).map(idFrom) : []
  if (ids.length === 0 || ids.length > MOST_IDS || ids.includes(undefined))
    throw errors.coded(400, 'invalid', `ids must be 1 to ${MOST_IDS} message ids`)
  return ids as number[]
}
