/** Derives news from the server's counts: it sends lists and numbers, not events. Pure. */
import type { DmPayload, PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { MentionPayload } from '#shared/domain/payloads/inbox.ts'
import type { ChannelId } from '#shared/domain/units.ts'

/** Unread messages of every channel the viewer can read, and the mentions among them. */
export interface Counts {
  unread: ReadonlyMap<ChannelId, number>
  mentions: readonly MentionPayload[] | undefined
}

export interface News {
  /** Oldest first. */
  mentions: MentionPayload[]
  /** Increase in unread messages. */
  more: { channel: ChannelId; by: number }[]
  /** Channels that no longer have unread messages. */
  read: ChannelId[]
}

export function countsOf(
  channels: ReadonlyMap<ChannelId, number>,
  privateChannels: PrivateChannelPayload[],
  dms: DmPayload[],
  mentions: MentionPayload[] | undefined,
): Counts {
  const unread = new Map(channels)
  for (const one of [...privateChannels, ...dms]) unread.set(one.channel, one.unread)
  return { unread, mentions }
}

/** Ignores the first list, and channels the viewer was just added to. */
export function newsBetween(before: Counts, after: Counts): News {
  const known = new Set(before.mentions?.map(mention => mention.id))
  const mentions =
    before.mentions && after.mentions ? after.mentions.filter(mention => !known.has(mention.id)) : []
  const more: News['more'] = []
  for (const [channel, count] of after.unread) {
    // A conversation is listed from its first message.
    const was = before.unread.get(channel) ?? (channel.startsWith('dm:') ? 0 : count)
    if (count > was) more.push({ channel, by: count - was })
  }
  const still = waitingIn(after)
  const read = [...waitingIn(before)].filter(channel => !still.has(channel))
  return { mentions: mentions.toReversed(), more, read }
}

/** The two lists arrive separately, so either may be ahead. */
export function waitingIn({ unread, mentions }: Counts): Set<ChannelId> {
  const channels = [...unread].filter(([, count]) => count > 0).map(([channel]) => channel)
  return new Set([...channels, ...(mentions ?? []).map(mention => mention.channel)])
}
