import express, { type Request } from 'express'
import * as v from 'valibot'
import type { MediaPayload } from '#shared/domain/payloads/calls.ts'
import type { Seconds, Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import { type Chunk, chunksAfter, insertMedia, lastInit, trimMedia } from './queries.ts'

const MIB = 1024 * 1024
const MOST_CHUNK_MIB = 1
/** A media type with parameters, such as `video/webm; codecs="vp8, opus"`. */
const MIME = /^[\w.+-]+\/[\w.+-]+(\s*;\s*[\w.+-]+=([\w.+,-]+|"[\w.+, -]*"))*$/
const LONGEST_MIME = 100
/** Kept per sender; the oldest chunks are dropped. */
const KEPT = { chunks: 200, bytes: 16 * MIB }
/** Limits of one response. */
const A_READ = { chunks: 30, bytes: 4 * MIB }

export type { Chunk }

interface ChunkCall {
  req: Request
  query: { init?: unknown; mime?: unknown }
  body: Buffer
}

const readBytes = express.raw({ type: () => true, limit: MOST_CHUNK_MIB * MIB, inflate: false })

/** Reads the bytes of a chunk (interface 4.10); 413 beyond the limit, without reading on. */
export const rawChunk: express.RequestHandler = (req, res, next) =>
  readBytes(req, res, (err?: unknown) => next(isTooLarge(err) ? errors.chunkTooLarge(MOST_CHUNK_MIB) : err))

const isTooLarge = (err: unknown) => (err as { status?: unknown } | undefined)?.status === 413

export const chunk = v.custom<Buffer>(data => Buffer.isBuffer(data) && data.length > 0, 'chunk required')

/** `init` and `mime` come as a query or as headers, on both routes. */
export function chunkIn({ req, query, body: data }: ChunkCall): Chunk {
  const init = query.init ?? req.get('X-Init')
  if (init !== '1' && init !== 'true') return { data, mime: undefined, isInit: false }
  const mime = query.mime ?? req.get('X-Mime')
  if (typeof mime !== 'string' || mime === '') throw errors.required('mime')
  if (mime.length > LONGEST_MIME || !MIME.test(mime)) throw errors.badRequest('mime is not a media type')
  return { data, mime, isInit: true }
}

/**
 * Stores a chunk and returns its seq, -1 for an init segment. Requires the sender's lock, so that seqs follow the order
 * of commits.
 */
export async function putChunk(
  tx: Db,
  sessionId: string,
  sender: Username,
  chunk: Chunk,
  now: Seconds,
): Promise<number> {
  const seq = await insertMedia(tx, sessionId, sender, chunk, now)
  await trimMedia(tx, sessionId, sender, KEPT)
  return chunk.isInit ? -1 : seq
}

/** Returns the latest init segment, always, and the chunks after the reader's last one. */
export async function readChunks(
  db: Db,
  sessionId: string,
  sender: Username,
  after: number,
): Promise<MediaPayload> {
  const init = await lastInit(db, sessionId, sender)
  const chunks = await chunksAfter(db, sessionId, sender, after, A_READ)
  return {
    mime_type: init?.mime_type ?? null,
    init: init?.data.toString('base64') ?? null,
    chunks: chunks.map(({ seq, data }) => ({ seq, data: data.toString('base64') })),
  }
}
