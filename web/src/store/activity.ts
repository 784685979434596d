/** Items of the inbox in pages. Pure. */
import type { InboxItem } from '#shared/domain/payloads/inbox.ts'

export interface ActivityPages {
  items: InboxItem[]
  next: string | null | undefined
}

/** Replaces the newest items by a fresh first page; older known items stay below it. */
export function withFirstPage(known: ActivityPages, items: InboxItem[], next: string | null): ActivityPages {
  const last = items.at(-1)
  if (next === null || last === undefined || known.next === undefined) return { items, next }
  const ids = new Set(items.map(item => item.id))
  const older = known.items.filter(item => item.ts <= last.ts && !ids.has(item.id))
  return older.length === 0 ? { items, next } : { items: [...items, ...older], next: known.next }
}

export interface ActivityRow {
  /** Newest first; several are replies in one thread. */
  items: [InboxItem, ...InboxItem[]]
}

/** Replies in one thread become one row, in the place of the newest. */
export function activityRows(items: InboxItem[]): ActivityRow[] {
  const rows: ActivityRow[] = []
  const threads = new Map<number, ActivityRow>()
  for (const item of items) {
    const thread = item.kind === 'reply' && item.root_id !== null ? item.root_id : undefined
    const known = thread === undefined ? undefined : threads.get(thread)
    if (known) {
      known.items.push(item)
      continue
    }
    const row: ActivityRow = { items: [item] }
    if (thread !== undefined) threads.set(thread, row)
    rows.push(row)
  }
  return rows
}

/** The row as one item: the text of the newest reply, the message of the oldest unread one, and all people. */
export function itemOfRow({ items }: ActivityRow): InboxItem {
  const [newest] = items
  if (items.length === 1) return newest
  const people = [...new Set(items.flatMap(item => item.actors))]
  const { message_id, read } = items.findLast(item => !item.read) ?? newest
  return { ...newest, message_id, read, actors: people.slice(0, MOST_NAMED), count: people.length }
}

/** Names in a row of several people: "Ada and 3 others". */
const MOST_NAMED = 1
