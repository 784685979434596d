import { parseChannelId } from '#shared/rules/channel-id.ts'
import type { ChannelId } from '#shared/rules/units.ts'
import type { Db } from '#shared/stores/postgres.ts'

const MOST_ASKED = 1_000_000

/** Whether more than so many people may read the channel. Reads no more rows than that. */
export async function hasMoreReaders(db: Db, channel: ChannelId, most: number): Promise<boolean> {
  const parsed = parseChannelId(channel)
  if (!parsed) return false
  if (parsed.kind === 'dm') return parsed.participants.length > most
  const rest = Math.min(Math.floor(most), MOST_ASKED)
  const { rowCount } =
    parsed.kind === 'public'
      ? await db.query('select from users offset $1 limit 1', [rest])
      : await db.query('select from private_channel_members where channel_id = $2 offset $1 limit 1', [
          rest,
          parsed.privateId,
        ])
  return rowCount === 1
}
