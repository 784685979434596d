import type { EventName } from '#shared/rules/payloads.ts'
import type { ChannelId, Username } from '#shared/rules/units.ts'

/**
 * «These collections may have changed.» It says where to look, never what is there: a lost, doubled or reordered
 * notice can delay a frame but never corrupt one (architecture 2.3).
 */
export interface Notice {
  collections: readonly EventName[]
  /** Where the channel-scoped ones may have changed. */
  channel?: ChannelId
  /** For whom the global ones may have changed; everybody when absent. */
  users?: readonly Username[]
  /** Sessions that ended: their streams end too. */
  endedSessions?: readonly string[]
}

export const toText = (notice: Notice): string => JSON.stringify(notice)

/** undefined for what a newer version may have written. */
export function fromText(text: string): Notice | undefined {
  try {
    const notice = JSON.parse(text) as Notice
    return Array.isArray(notice.collections) ? notice : undefined
  } catch {
    return undefined
  }
}
