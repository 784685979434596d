import { Router } from 'express'
import { type ReadableChannel, readableChannel } from '#shared/access/readable-channel.ts'
import { readableMessage } from '#shared/access/readable-message.ts'
import { hasMoreReaders } from '#shared/access/readers.ts'
import { payloadFor } from '#shared/collections/collection.ts'
import { readReceipts } from '#shared/collections/read-receipts.ts'
import { runStatement, unchanged } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { viewerOf } from '../middleware/signed-in.ts'
import { markRead, ownReadReceipt } from './queries.ts'
import { readersOfMessage } from './seen.ts'

const WRITE_OF_KIND = { public: 'markReadPublic', dm: 'markReadDm', private: 'markReadPrivate' } as const

/** Interface 4.3, POST /mark_read and GET /read_receipts; GET /seen is ours. */
export function readStateRoutes(stores: Stores): Router {
  const routes = Router()

  routes.post('/mark_read/:channel', async (req, res) => {
    const viewer = viewerOf(req)
    const channel: ReadableChannel = await readableChannel(stores, viewer, req.params.channel)
    await runStatement(
      stores,
      WRITE_OF_KIND[channel.kind],
      { channel: channel.id, users: [viewer] },
      async db => ((await markRead(db, viewer, channel.id)) ? undefined : unchanged),
    )
    res.status(204).end()
  })

  routes.get('/read_receipts/:channel', async (req, res) => {
    const viewer = viewerOf(req)
    const channel = await readableChannel(stores, viewer, req.params.channel)
    // Ours: with more readers than `most`, the caller's own read marker only.
    const most = Number(req.query['most'])
    if (most > 0 && (await hasMoreReaders(stores.db, channel.id, most)))
      res.json(await ownReadReceipt(stores.db, viewer, channel.id))
    else res.json(await payloadFor(readReceipts, stores, viewer, channel.id))
  })

  // Ours: streams of large channels carry counts, and clients fetch the names on demand.
  routes.get('/seen/:id', async (req, res) => {
    const { cursor = '' } = req.query
    if (typeof cursor !== 'string' || cursor.includes('\0'))
      throw errors.badRequest('cursor must be that of a page')
    const message = await readableMessage(stores, viewerOf(req), req.params.id)
    res.json(await readersOfMessage(stores.db, message, cursor))
  })

  return routes
}
