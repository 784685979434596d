import type { ShareMediaPayload } from '#shared/domain/payloads/calls.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors, HttpError } from '#shared/runtime/http-errors.ts'
import { inTransaction } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Chunk, putChunk, readChunks } from '../signalling/media.ts'
import type { MediaWish } from '../signalling/routes.ts'
import type { ShareRow } from './queries.ts'
import { lockedShareFor, shareFor } from './share-for.ts'

/** Checked before the body is read: only the sharer may send. */
export async function checkSender(stores: Stores, viewer: Username, shareId: unknown): Promise<void> {
  checkSharer(await shareFor(stores, viewer, shareId), viewer)
}

/** Stores a chunk; returns its seq (interface 4.10). */
export async function sendMedia(
  stores: Stores,
  viewer: Username,
  shareId: unknown,
  chunk: Chunk | HttpError,
): Promise<number> {
  if (chunk instanceof HttpError) throw chunk
  return inTransaction(stores.pool, async tx => {
    const share = await lockedShareFor(stores, tx, viewer, shareId)
    checkSharer(share, viewer)
    return putChunk(tx, share.share_id, viewer, chunk, stores.clock.now())
  })
}

export async function mediaOf(
  stores: Stores,
  viewer: Username,
  shareId: unknown,
  { after }: MediaWish,
): Promise<ShareMediaPayload> {
  const share = await shareFor(stores, viewer, shareId)
  const media = await readChunks(stores.db, share.share_id, share.sharer, after)
  return { ...media, active: share.state === 'active' }
}

function checkSharer(share: ShareRow, viewer: Username) {
  if (share.sharer !== viewer) throw errors.accessDenied()
  if (share.state !== 'active') throw errors.shareOver()
}
