import { currentNames } from '#shared/access/person.ts'
import { isLiving, takesPart } from '#shared/domain/calls.ts'
import type { MediaPayload } from '#shared/domain/payloads/calls.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { participation } from './participation.ts'
import { lockParticipant, shareCall } from './queries.ts'
import { type Chunk, putChunk, readChunks } from './signalling/media.ts'
import type { MediaWish } from './signalling/routes.ts'

/** Checked before the body is read, so that outsiders cannot upload. */
export async function checkSender(stores: Stores, viewer: Username, callId: unknown): Promise<void> {
  const call = await participation(stores, viewer, callId)
  if (!isLiving(call.state)) throw errors.callOver()
}

/** Stores a chunk; returns its seq (interface 4.10). */
export async function sendMedia(
  stores: Stores,
  viewer: Username,
  idText: unknown,
  chunk: Chunk | HttpError,
): Promise<number> {
  const { call_id } = await participation(stores, viewer, idText)
  if (chunk instanceof HttpError) throw chunk
  return inTransaction(stores.pool, async tx => {
    // A shared lock: excludes the call's end, which deletes the media, but not other chunks.
    if (!isLiving((await shareCall(tx, call_id)) ?? 'ended')) throw errors.callOver()
    if (!takesPart(await lockParticipant(tx, call_id, viewer))) throw errors.accessDenied()
    return putChunk(tx, call_id, viewer, chunk, stores.clock.now())
  })
}

export async function mediaOf(
  stores: Stores,
  viewer: Username,
  idText: unknown,
  { sender, after }: MediaWish,
): Promise<MediaPayload> {
  const { call_id } = await participation(stores, viewer, idText)
  if (sender === undefined) throw errors.required('sender')
  const [name] = (await currentNames(stores.db, [sender])) as [Username]
  return readChunks(stores.db, call_id, name, after)
}
