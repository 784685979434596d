import { checkNotArchived } from '#shared/access/readable-channel.ts'
import type { ReadableMessage } from '#shared/access/readable-message.ts'
import { MOST_REACTIONS } from '#shared/domain/reactions.ts'
import type { Username } from '#shared/domain/units.ts'
import { errors } from '#shared/runtime/http-errors.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { react } from './queries.ts'
import { runInChannel } from './run-in-channel.ts'

/**
 * Toggles a reaction, or sets it to `wanted`, which a client can repeat safely. Returns the JSON text of all reactions
 * of the message.
 */
export async function toggleReaction(
  stores: Stores,
  message: ReadableMessage,
  reactor: Username,
  emoji: string,
  wanted: boolean | undefined,
): Promise<string> {
  checkNotArchived(message.channel)
  const { id: channel, privateId: memberOf } = message.channel
  const scope = { channel, besides: [{ collections: ['inbox'] as const, channel, users: [message.sender] }] }
  return runInChannel(stores, 'react', message.channel, scope, reactor, async db => {
    const reacted = await react(db, { id: message.id, channel, memberOf, reactor, emoji, wanted })
    switch (reacted.outcome) {
      // Publish even without a change: the first request may have lost its notice.
      case 'done':
        return reacted.reactions
      case 'signed out':
        throw errors.signedOut()
      case 'not found':
        throw errors.notFound()
      case 'archived':
        throw errors.archivedChannel()
      case 'too many of the person':
        throw errors.tooManyReactions(MOST_REACTIONS.ofPerson, 'by one person')
      case 'too many of the message':
        throw errors.tooManyReactions(MOST_REACTIONS.ofMessage, 'by all people')
    }
  })
}
