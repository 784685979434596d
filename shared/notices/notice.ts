import type { EventName } from '#shared/rules/payloads.ts'
import type { ChannelId, Username } from '#shared/rules/units.ts'

/** Whom and what a write concerns. */
export interface Scope {
  /** Where the channel-scoped collections may have changed; of the global ones with an entry per channel only this entry. */
  channel?: ChannelId
  /** For whom the global ones may have changed. When absent: the readers of `channel`; without a channel, everybody. */
  users?: readonly Username[]
  /** Further people besides the readers of the channel. */
  also?: readonly Username[]
  /** For whom `mentions` may have changed; when absent, the same people as for the other global ones. */
  mentioned?: readonly Username[]
  /** Sessions that this write ended: their streams end too. */
  endedSessions?: readonly string[]
}

/**
 * «These collections may have changed.» It says where to look, never what is there: a lost, doubled or reordered
 * notice can delay a frame but never corrupt one (architecture 2.3). It names the channel and a few people, never the
 * members of a channel: a gateway asks which of its own viewers belong.
 */
export interface Notice extends Scope {
  collections: readonly EventName[]
  /** More people than a notice names. */
  everybody?: true
  /** The readers of the channel have changed; without a channel, those of any. */
  membership?: true
}

/** Names in one list of a notice, so that it stays below a kilobyte. */
const MOST_NAMES = 12

export const toText = (notice: Notice): string => JSON.stringify(withFewNames(notice))

/** Says less precisely whom it concerns instead of naming many. */
function withFewNames({ users, also, mentioned, ...notice }: Notice): Notice {
  const areMany = (names: readonly Username[] | undefined) => names !== undefined && names.length > MOST_NAMES
  return {
    ...notice,
    ...(areMany(users) || areMany(also) ? { everybody: true } : { users, also }),
    ...(areMany(mentioned) ? {} : { mentioned }),
  }
}

/** undefined for what a newer version may have written. */
export function fromText(text: string): Notice | undefined {
  try {
    const notice = JSON.parse(text) as Notice
    return Array.isArray(notice.collections) ? notice : undefined
  } catch {
    return undefined
  }
}
