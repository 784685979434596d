import { holdMembership } from '#shared/access/private-channel.ts'
import type { ReadableMessage } from '#shared/access/readable-message.ts'
import { refuse } from '#shared/kernel/refusals.ts'
import { write } from '#shared/notices/write.ts'
import type { Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { flipReaction, holdAccount, reactionsOf, tickForReaction } from './queries.ts'

/** Toggles; answers the JSON text of all reactions of the message. */
export async function toggleReaction(
  stores: Stores,
  message: ReadableMessage,
  reactor: Username,
  emoji: string,
) {
  const { id: channel, privateId } = message.channel
  return write(stores, 'react', { channel }, async tx => {
    if (!(await holdAccount(tx, reactor))) throw refuse.signedOut()
    // Left a moment ago, between the look and the write.
    if (privateId !== undefined && !(await holdMembership(tx, privateId, reactor))) throw refuse.notFound()
    // The tick locks the channel, so that two toggles of one person cannot both see the same state.
    const ts = await tickForReaction(tx, message.id, channel)
    if (ts === undefined) throw refuse.notFound()
    await flipReaction(tx, message.id, emoji, reactor, ts)
    return reactionsOf(tx, message.id)
  })
}
