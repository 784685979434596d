import type { InboxItem } from '#shared/domain/payloads/inbox.ts'

/**
 * Returns a function that finds the reminders and failed sends of which to notify, given the items of the inbox: those
 * since the first call, once. Reminders of quiet times wait until their end, unless they were read or done by then.
 */
export function newReminders() {
  let known: Map<string, number> | undefined
  const waiting = new Map<string, InboxItem>()
  return (items: readonly InboxItem[], isQuiet: boolean): InboxItem[] => {
    const found = items.filter(({ kind }) => kind === 'reminder' || kind === 'failed')
    const unread = new Set(found.filter(({ read }) => !read).map(({ id }) => id))
    for (const id of waiting.keys()) if (!unread.has(id)) waiting.delete(id)
    for (const item of found)
      if (known && unread.has(item.id) && item.ts > (known.get(item.id) ?? 0)) waiting.set(item.id, item)
    known = new Map([...(known ?? []), ...found.map(({ id, ts }) => [id, ts] as const)])
    if (isQuiet) return []
    const due = [...waiting.values()]
    waiting.clear()
    return due
  }
}
