import type { EventName } from '#shared/domain/payloads.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'

/** The channels and people that a write concerns. */
export interface Scope {
  /** The channel whose collections may have changed; global collections with an entry per channel change only there. */
  channel?: ChannelId
  /** People whose global collections may have changed. Default: the readers of `channel`; without it, everybody. */
  users?: readonly Username[]
  /** People besides the readers of the channel. */
  also?: readonly Username[]
  /** People whose `mentions` may have changed. Default: as for the other global collections. */
  mentioned?: readonly Username[]
  /** Sessions that this write ended; their streams end too. */
  endedSessions?: readonly string[]
}

/**
 * A hint that these collections may have changed. It carries no data: a lost, duplicate or reordered notice can delay a
 * frame but never corrupt one (architecture 2.3). It names the channel and a few people, never the members of a
 * channel: a gateway looks up which of its viewers are members.
 */
export interface Notice extends Scope {
  collections: readonly EventName[]
  /** Concerns more people than a notice may name. */
  everybody?: true
  /** The readers of the channel changed; without a channel, those of any channel may have. */
  membership?: true
}

/** Names per list at most, so that a notice stays below a kilobyte. */
const MOST_NAMES = 12

export const toText = (notice: Notice): string => JSON.stringify(withFewNames(notice))

/** Replaces long lists of names by a wider scope. */
function withFewNames({ users, also, mentioned, ...notice }: Notice): Notice {
  const areMany = (names: readonly Username[] | undefined) => names !== undefined && names.length > MOST_NAMES
  return {
    ...notice,
    ...(areMany(users) || areMany(also) ? { everybody: true } : { users, also }),
    ...(areMany(mentioned) ? {} : { mentioned }),
  }
}

/** Returns undefined for text of a newer version. */
export function fromText(text: string): Notice | undefined {
  try {
    const notice = JSON.parse(text) as Notice
    return Array.isArray(notice.collections) ? notice : undefined
  } catch {
    return undefined
  }
}
