import { hasMoreReaders } from '#shared/access/reader-count.ts'
import { parseChannelId } from '#shared/rules/channel-id.ts'
import { MOST_RECEIPTS, MOST_SEEN_MESSAGES, MOST_SEEN_NAMES, type SeenMessage } from '#shared/rules/deltas.ts'
import type { ChannelId, Seconds, Username } from '#shared/rules/units.ts'
import type { Stores } from '#shared/stores/stores.ts'

export interface NewestMessage {
  id: number
  sender: Username
  ts: Seconds
}

/**
 * The messages of which a large channel's streams tell counts, oldest first; undefined for a channel whose watermarks are told
 * one by one. In a private channel none from before the last member came, because a count is for all readers of the channel.
 */
export async function newestOfLarge(
  { db }: Stores,
  channel: ChannelId,
): Promise<NewestMessage[] | undefined> {
  if (!(await hasMoreReaders(db, channel, MOST_RECEIPTS))) return undefined
  const parsed = parseChannelId(channel)
  const privateId = parsed?.kind === 'private' ? parsed.privateId : null
  const { rows } = await db.query<NewestMessage>(
    `select id, sender, ts
       from messages
      where channel = $1
        and ts >= coalesce((select max(history_start_ts) from private_channel_members where channel_id = $2), 0)
      order by ts desc, id desc
      limit $3`,
    [channel, privateId, MOST_SEEN_MESSAGES],
  )
  return rows.reverse()
}

/** How many have read each message, its author not counted, and the names of a few. */
export function seenOf(
  messages: readonly NewestMessage[],
  watermarks: ReadonlyMap<Username, Seconds>,
): SeenMessage[] {
  return messages.map(({ id, sender, ts }) => {
    let count = 0
    const names: Username[] = []
    for (const [name, mark] of watermarks) {
      if (mark < ts || name === sender) continue
      count++
      if (names.length < MOST_SEEN_NAMES) names.push(name)
    }
    return { id, count, names }
  })
}
