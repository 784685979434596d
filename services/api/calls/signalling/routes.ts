import type { Request } from 'express'
import type { MediaPayload, SignalPayload } from '#shared/domain/payloads/calls.ts'
import type { Username } from '#shared/domain/units.ts'
import type { HttpError } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody, rawBody } from '../../middleware/body-readers.ts'
import { done, endpoint, payload } from '../../middleware/endpoint.ts'
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

const idOf = (params: Readonly<Record<string, string>>) => params['id']

/** Interface 4.10: the four routes that calls and shares have in common, below `/path`. */
export const signallingEndpoints = <Path extends 'calls' | 'screenshare'>(
  path: Path,
  session: SignallingSession,
) => [
  endpoint(
    `POST /${path}/:id/signal`,
    {
      who: 'member',
      limit: [['calls', 'signal']],
      errors: 'json',
      body: jsonBody(),
      answers: { 200: done },
      fails: [400, 403, 404, 409, 413],
    },
    async ({ stores, req, viewer, params }) => {
      await session.signal(stores, viewer, idOf(params), await signalIn(stores.db, req.body))
      return OK
    },
  ),

  endpoint(
    `GET /${path}/:id/signals`,
    {
      who: 'member',
      errors: 'json',
      answers: { 200: payload<SignalPayload[]>('SignalPayload[]') },
      fails: [403, 404],
    },
    ({ stores, req, viewer, params }) => session.signals(stores, viewer, idOf(params), req.query.after),
  ),

  endpoint(
    `POST /${path}/:id/media`,
    {
      who: 'member',
      limit: [['calls', 'media']],
      errors: 'json',
      prepare: ({ stores, viewer, params }) => session.checkSender(stores, viewer, params['id']),
      body: rawBody(rawChunk),
      answers: { 200: payload<{ status: 'ok'; seq: number }>("{ status: 'ok'; seq: number }") },
      fails: [400, 403, 404, 409, 413],
    },
    async ({ stores, req, viewer, params }) => {
      const seq = await session.sendMedia(stores, viewer, idOf(params), chunkIn(req))
      return { ...OK, seq }
    },
  ),

  endpoint(
    `GET /${path}/:id/media`,
    {
      who: 'member',
      errors: 'json',
      answers: { 200: payload<MediaPayload>('MediaPayload') },
      fails: [400, 403, 404],
    },
    ({ stores, req, viewer, params }) => session.media(stores, viewer, idOf(params), req.query),
  ),
]
