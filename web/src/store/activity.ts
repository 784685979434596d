/** Items of the inbox in pages. Pure. */
import type { InboxItem } from '#shared/domain/payloads.ts'

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
