import type { InboxKind } from '#shared/domain/payloads/inbox.ts'
import { addedItems } from './added-items.ts'
import { commandItems } from './command-items.ts'
import { failedItems } from './failed-items.ts'
import type { ItemKind } from './item-kind.ts'
import { mentionItems } from './mention-items.ts'
import { reactionItems } from './reaction-items.ts'
import { reminderItems } from './reminder-items.ts'
import { replyItems } from './reply-items.ts'

export const KINDS: Record<InboxKind, ItemKind> = {
  mention: mentionItems,
  reply: replyItems,
  reaction: reactionItems,
  added: addedItems,
  reminder: reminderItems,
  failed: failedItems,
  command: commandItems,
}

/** The newest items of these kinds in a row of `readable`. */
export const inChannel = (kinds: readonly InboxKind[], condition: string, limit: string) =>
  newestOf(
    kinds.flatMap(kind => KINDS[kind].inChannel ?? []),
    condition,
    limit,
  )

/** The newest items of these kinds of the person `viewer.name`. */
export const ofViewer = (kinds: readonly InboxKind[], condition: string, limit: string) =>
  newestOf(
    kinds.flatMap(kind => KINDS[kind].ofViewer ?? []),
    condition,
    limit,
  )

/** Each select is cut at `limit`: ranges of an index. Empty without selects. */
const newestOf = (selects: string[], condition: string, limit: string) =>
  selects
    .map(items => `(select * from (${items}) item where ${condition} order by item_ts desc limit ${limit})`)
    .join(' union all ')
