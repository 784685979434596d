import type { MessagePayload } from './payloads/messages.ts'
import type { Seconds } from './units.ts'

/** Returns the greatest of a row's four times: the cursor of a tab that has the row (interface 6, rule 3). */
export function changeTime(row: MessagePayload): Seconds {
  return Math.max(row.ts, row.edited_ts ?? 0, row.deleted_ts ?? 0, row.reactions_ts ?? 0)
}

/** The order of rows in the endpoint, in each frame and on the screen (interface 4.3). */
export function byTime(a: Pick<MessagePayload, 'ts' | 'id'>, b: Pick<MessagePayload, 'ts' | 'id'>): number {
  return a.ts - b.ts || a.id - b.id
}
