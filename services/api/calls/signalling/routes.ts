import { type Request, Router } from 'express'
import type { MediaPayload, SignalPayload } from '#shared/domain/payloads.ts'
import type { Username } from '#shared/domain/units.ts'
import type { HttpError } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { json } from '../../middleware/bodies.ts'
import { viewerOf } from '../../middleware/signed-in.ts'
import { type Chunk, chunkIn, rawChunk } from './media.ts'
import { type Signal, signalIn } from './signals.ts'

const OK = { status: 'ok' } as const

/** The differences between calls and shares: senders, readers and lifetime. */
export interface SignallingSession {
  signal: (stores: Stores, viewer: Username, id: unknown, signal: Signal | HttpError) => Promise<void>
  signals: (stores: Stores, viewer: Username, id: unknown, after: unknown) => Promise<SignalPayload[]>
  /** Checked before the body is read. */
  checkSender: (stores: Stores, viewer: Username, id: unknown) => Promise<void>
  /** Returns the chunk's seq. */
  sendMedia: (stores: Stores, viewer: Username, id: unknown, chunk: Chunk | HttpError) => Promise<number>
  media: (stores: Stores, viewer: Username, id: unknown, query: Request['query']) => Promise<MediaPayload>
}

/** Interface 4.10: the four routes that calls and shares have in common, below `/path`. */
export function signallingRoutes(
  stores: Stores,
  path: 'calls' | 'screenshare',
  session: SignallingSession,
): Router {
  const routes = Router()

  routes.post(`/${path}/:id/signal`, json, async (req, res) => {
    await session.signal(stores, viewerOf(req), req.params['id'], await signalIn(stores.db, req.body))
    res.json(OK)
  })

  routes.get(`/${path}/:id/signals`, async (req, res) => {
    res.json(await session.signals(stores, viewerOf(req), req.params['id'], req.query.after))
  })

  routes.post(
    `/${path}/:id/media`,
    async (req, _res, next) => {
      await session.checkSender(stores, viewerOf(req), req.params['id'])
      next()
    },
    rawChunk,
    async (req, res) => {
      const seq = await session.sendMedia(stores, viewerOf(req), req.params['id'], chunkIn(req))
      res.json({ ...OK, seq })
    },
  )

  routes.get(`/${path}/:id/media`, async (req, res) => {
    res.json(await session.media(stores, viewerOf(req), req.params['id'], req.query))
  })

  return routes
}
