import { findReadableMessage } from '#shared/access/readable-message.ts'
import type { Username } from '#shared/domain/units.ts'
import { mentionsOf } from '#shared/posting/mentioned.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { type Before, buryMessage } from './queries.ts'
import { runInChannel } from './run-in-channel.ts'

/** Sender only; leaves a tombstone and removes the file. Repeating it changes nothing (interface 2.3). */
export async function deleteMessage(stores: Stores, viewer: Username, id: unknown): Promise<void> {
  const message = await findReadableMessage(stores, viewer, id)
  if (!message || message.sender !== viewer) throw errors.forbidden()

  const { channel } = message
  const scope = ({ mentions, followers }: Before) => ({
    channel: channel.id,
    besides: mentionsOf(channel.id, mentions, [], { id: message.id, followers, also: [viewer] }),
  })
  await runInChannel<Before>(
    stores,
    'delete',
    channel,
    scope,
    viewer,
    async db =>
      // Deleted already: publish again, since the first request may have lost its notice.
      (await buryMessage(db, message.id, channel.id, { sender: viewer })) ?? {
        mentions: [],
        followers: [],
      },
  )
  // After the row: an orphaned file is swept later, a row without its file would be a broken picture.
  if (message.filename !== null) await stores.files.remove(message.filename)
}
