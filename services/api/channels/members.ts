import { inactiveAmong } from '#shared/access/person.ts'
import type { ReadableChannel } from '#shared/access/readable-channel.ts'
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { Username } from '#shared/domain/units.ts'
import type { Stores } from '#shared/stores/stores.ts'
import { otherMembers, otherReaders } from './queries.ts'

/** Users whom the viewer can mention in a channel (interface 4.2). */
export async function mentionableMembers(
  { db }: Stores,
  viewer: Username,
  channel: ReadableChannel,
): Promise<Username[]> {
  const parsed = parseChannelId(channel.id)
  if (parsed?.kind === 'private') return otherMembers(db, parsed.privateId, viewer)
  if (channel.kind === 'dm') {
    const inactive = await inactiveAmong(db, channel.participants)
    return channel.participants.filter(name => name !== viewer && !inactive.has(name))
  }
  return otherReaders(db, viewer, channel.id)
}
