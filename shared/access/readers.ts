import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Seconds, Username } from '#shared/domain/units.ts'
import type { Db } from '#shared/stores/postgres.ts'
import type { Stores } from '#shared/stores/stores.ts'

/**
 * Returns the viewers who may read the channel, and from when (0: from the beginning). `channel` is a canonical id.
 * Every channel collection calls it after reading its rows: a viewer who is a member then was one when the rows were
 * written, so that a member who leaves gets no further frame (layout 4).
 */
export async function readersOf(
  stores: Stores,
  viewers: Iterable<Username>,
  channel: ChannelId,
): Promise<Map<Username, Seconds>> {
  const parsed = parseChannelId(channel)
  if (!parsed) return new Map()
  switch (parsed.kind) {
    case 'public':
      return publicReaders(stores, viewers, parsed.id)
    case 'dm':
      return fromTheBeginning([...viewers].filter(viewer => parsed.participants.includes(viewer)))
    case 'private': {
      const { rows } = await stores.db.query<{ username: Username; history_start_ts: Seconds | null }>(
        `select username, history_start_ts
           from private_channel_members
          where channel_id = $1 and username = any($2)`,
        [parsed.privateId, [...viewers]],
      )
      return new Map(rows.map(row => [row.username, row.history_start_ts ?? 0]))
    }
  }
}

const fromTheBeginning = (viewers: Iterable<Username>) => new Map([...viewers].map(viewer => [viewer, 0]))

/** Asks for the few accounts that may not read every public channel, not for each viewer. */
async function publicReaders({ db, settings }: Stores, viewers: Iterable<Username>, channel: ChannelId) {
  const asked = [...viewers]
  const { rows } = await db.query<{ excluded: Username[] | null }>(
    `select (select array_agg(username)
               from users account
              where (role = 'guest' or state <> 'active')
                and not (state = 'active' and exists (
                          select from channel_memberships membership
                           where membership.username = account.username
                             and membership.channel = $1
                             and membership.joined))) as excluded
      where $2 or exists (
              select from channel_properties where channel = $1 and kind = 'public' and made_here)`,
    [channel, settings.current.channels.includes(channel)],
  )
  if (!rows[0]) return new Map<Username, Seconds>()
  const excluded = new Set(rows[0].excluded)
  return fromTheBeginning(asked.filter(viewer => !excluded.has(viewer)))
}

/** Reports whether more than `most` people may read the channel, without counting further. */
export async function hasMoreReaders(db: Db, channel: ChannelId, most: number): Promise<boolean> {
  const parsed = parseChannelId(channel)
  if (parsed?.kind === 'dm') return parsed.participants.length > most
  const rest = Math.min(Math.floor(most), 1_000_000)
  const { rowCount } =
    parsed?.kind === 'private'
      ? await db.query('select from private_channel_members where channel_id = $2 offset $1 limit 1', [
          rest,
          parsed.privateId,
        ])
      : await db.query('select from users offset $1 limit 1', [rest])
  return rowCount === 1
}
