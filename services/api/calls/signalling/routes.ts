import * as v from 'valibot'
import { MediaPayload, ShareMediaPayload, SignalPayload } from '#shared/domain/payloads/calls.ts'
import { wholeNumber } from '#shared/domain/payloads/values.ts'
import { idFrom, type Username } from '#shared/domain/units.ts'
import { HttpError } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { jsonBody, rawBody } from '../../middleware/body-readers.ts'
import { done, endpoint, payload } from '../../middleware/endpoint.ts'
import * as f from '../../middleware/fields.ts'
import { type Chunk, chunk, chunkIn, rawChunk } from './media.ts'
import { SIGNAL, type Signal, signalIn } from './signals.ts'

const OK = { status: 'ok' } as const

/** The last item that the reader has; 0 if it is missing or no id. */
const after = v.pipe(
  v.optional(v.unknown(), null),
  v.transform(id => idFrom(id) ?? 0),
)
const MEDIA = f.fields({
  /** Undefined if it names nobody. */
  sender: v.pipe(
    f.anything,
    v.transform(name =>
      typeof name === 'string' && name !== '' && !name.includes('\0') ? name.toWellFormed() : undefined,
    ),
  ),
  after,
})
export type MediaWish = v.InferOutput<typeof MEDIA>

/** The differences between calls and shares: senders, readers and lifetime. */
export interface SignallingSession {
  signal: (stores: Stores, viewer: Username, id: unknown, signal: Signal | HttpError) => Promise<void>
  signals: (stores: Stores, viewer: Username, id: unknown, after: number) => Promise<SignalPayload[]>
  /** Checked before the body is read. */
  checkSender: (stores: Stores, viewer: Username, id: unknown) => Promise<void>
  /** Returns the chunk's seq. */
  sendMedia: (stores: Stores, viewer: Username, id: unknown, chunk: Chunk | HttpError) => Promise<number>
  media: (stores: Stores, viewer: Username, id: unknown, wish: MediaWish) => Promise<MediaPayload>
}

/** Returns the error of a body: those of the session come first. */
async function orError<T>(read: () => T | Promise<T>): Promise<T | HttpError> {
  try {
    return await read()
  } catch (err) {
    if (err instanceof HttpError) return err
    throw err
  }
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
      summary: 'Sends a signal to another participant.',
      who: 'member',
      limit: [['calls', 'signal']],
      errors: 'json',
      body: jsonBody(SIGNAL),
      answers: { 200: done },
      fails: [400, 403, 404, 409, 413],
    },
    async call => {
      const { stores, viewer, params } = call
      const signal = await orError(() => signalIn(stores.db, call.body))
      await session.signal(stores, viewer, idOf(params), signal)
      return OK
    },
  ),

  endpoint(
    `GET /${path}/:id/signals`,
    {
      summary: 'Lists the signals to the person.',
      who: 'member',
      errors: 'json',
      query: f.fields({ after }),
      answers: { 200: payload(v.array(SignalPayload)) },
      fails: [403, 404],
    },
    ({ stores, viewer, params, query: { after } }) => session.signals(stores, viewer, idOf(params), after),
  ),

  endpoint(
    `POST /${path}/:id/media`,
    {
      summary: 'Relays a chunk of media to the other participants.',
      who: 'member',
      limit: [['calls', 'media']],
      errors: 'json',
      prepare: ({ stores, viewer, params }) => session.checkSender(stores, viewer, params['id']),
      query: f.fields({ init: f.anything, mime: f.anything }),
      body: rawBody(chunk, rawChunk),
      answers: { 200: payload(v.strictObject({ status: v.literal('ok'), seq: wholeNumber })) },
      fails: [400, 403, 404, 409, 413],
    },
    async call => {
      const { stores, viewer, params } = call
      const seq = await session.sendMedia(stores, viewer, idOf(params), await orError(() => chunkIn(call)))
      return { ...OK, seq }
    },
  ),

  endpoint(
    `GET /${path}/:id/media`,
    {
      summary: 'Gives the relayed media of a participant.',
      who: 'member',
      errors: 'json',
      query: MEDIA,
      answers: { 200: payload(path === 'calls' ? MediaPayload : ShareMediaPayload) },
      fails: [400, 403, 404],
    },
    ({ stores, viewer, params, query }) => session.media(stores, viewer, idOf(params), query),
  ),
]
