import { checkPosting } from '#shared/access/readable-channel.ts'
import { type ReadableMessage, readableMessage } from '#shared/access/readable-message.ts'
import type { Username } from '#shared/domain/units.ts'
import { runTransaction } from '#shared/notices/write.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { lockWritable } from '../lock-writable.ts'
import { countPins, deletePin, insertPin, isPinned } from './queries.ts'

const MOST_PINS = 100

/** Pins a message, or takes its pin away, for those who may write in its channel (interface 11.3). */
export async function setPinned(
  stores: Stores,
  viewer: Username,
  id: unknown,
  wanted: boolean,
): Promise<void> {
  const { channel } = await pinnable(stores, viewer, id)
  await stores.rowLockQueues.run(channel.id, () =>
    // Published even without a change: the first request may have lost its notice.
    runTransaction(stores, 'pin', { channel: channel.id }, async tx => {
      if (!(await lockWritable(stores, tx, viewer, channel))) throw errors.notFound()
      // Read under the lock of the clock, which deletions take.
      const message = await pinnable({ ...stores, db: tx }, viewer, id)
      await change(tx, message, viewer, wanted)
    }),
  )
}

async function pinnable(stores: Stores, viewer: Username, id: unknown): Promise<ReadableMessage> {
  const message = await readableMessage(stores, viewer, id)
  if (message.deleted === 1) throw errors.notFound()
  checkPosting(message.channel)
  return message
}

async function change(tx: Db, { id, channel }: ReadableMessage, viewer: Username, wanted: boolean) {
  if ((await isPinned(tx, id)) === wanted) return
  if (!wanted) return deletePin(tx, id, channel.id)
  if ((await countPins(tx, channel.id)) >= MOST_PINS)
    throw errors.coded(409, 'conflict', `This channel has ${MOST_PINS} pins. Take one away first.`)
  await insertPin(tx, id, channel.id, viewer)
}
