import { findReadableMessage } from '#shared/access/readable-message.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import { unchanged } from '#shared/notices/write.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { buryMessage } from './queries.ts'
import { writeIn } from './write-in.ts'

const TOUCHES_OF_KIND = { public: 'deletePublic', dm: 'deleteDm', private: 'deletePrivate' } as const

/** Sender only; leaves a tombstone and removes the file. Deleting again changes nothing (decisions, Deleted). */
export async function deleteMessage(stores: Stores, viewer: Username, id: unknown): Promise<void> {
  const message = await findReadableMessage(stores, viewer, id)
  if (!message || message.sender !== viewer) throw refuse.forbidden()

  const { channel } = message
  await writeIn(stores, TOUCHES_OF_KIND[channel.kind], channel, viewer, async db =>
    (await buryMessage(db, message.id, viewer, channel.id)) ? undefined : unchanged,
  )
  // After the row: a file without a row is swept later, a row without its file would be a broken picture.
  if (message.filename !== null) await stores.files.remove(message.filename)
}
