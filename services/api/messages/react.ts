import type { ReadableMessage } from '#shared/access/readable-message.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import { write } from '#shared/notices/write.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { flipReaction, reactionsOf, tickForReaction } from './queries.ts'

/** Toggles; answers the JSON text of all reactions of the message. */
export async function toggleReaction(
  stores: Stores,
  message: ReadableMessage,
  reactor: Username,
  emoji: string,
) {
  return write(stores, 'react', { channel: message.channel.id }, async tx => {
    // The tick locks the channel, so that two toggles of one person cannot both see the same state.
    const ts = await tickForReaction(tx, message.id, message.channel.id)
    if (ts === undefined) throw refuse.notFound()
    await flipReaction(tx, message.id, emoji, reactor, ts)
    return reactionsOf(tx, message.id)
  })
}
