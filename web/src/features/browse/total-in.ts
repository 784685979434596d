import type { PublicChannelsPage } from '#shared/domain/payloads/channels.ts'

export type Filter = 'all' | 'not-joined' | 'archived'

/** Most archived private channels that the server lists. */
const MOST_PRIVATE = 200

/**
 * Number of channels in a list that is longer than a page; undefined while it is not known. `ownArchived`: the viewer's
 * archived private channels, which are listed among the archived ones and not counted with them.
 */
export function totalIn(
  filter: Filter,
  counts: PublicChannelsPage['counts'],
  ownArchived: number | undefined,
): number | undefined {
  if (!counts) return undefined
  if (filter === 'all') return counts.open
  if (filter === 'not-joined') return counts.open - counts.joined
  return ownArchived === undefined || ownArchived >= MOST_PRIVATE ? undefined : counts.archived + ownArchived
}
