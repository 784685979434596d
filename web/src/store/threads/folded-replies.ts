/** Replies that a channel shows under the roots of their threads only (interface 16.2). */
import type { Seconds } from '#shared/domain/units.ts'
import type { ShownRow } from '../messages/items.ts'

interface Reading {
  viewer: string
  /** Replies of others after this time are not read yet. */
  readUpTo: Seconds
  /** A message that is being edited in its row. */
  editing: number | undefined
}

/**
 * The rows without folded replies. Replies stay whose root is not among the rows, that are new, or that were not sent:
 * nothing is read without having been shown. Pure.
 */
export function withoutFolded(rows: readonly ShownRow[], { viewer, readUpTo, editing }: Reading): ShownRow[] {
  const roots = new Map<number, number>()
  const isFolded = ({ row, pending }: ShownRow) => {
    const root = row.extra?.thread ?? (pending && row.reply_to_id ? roots.get(row.reply_to_id) : undefined)
    if (root !== undefined && roots.has(root)) roots.set(row.id, root)
    else if (root === undefined) roots.set(row.id, row.id)
    if (root === undefined || !roots.has(root) || row.id === editing) return false
    return pending ? pending.state !== 'failed' : row.sender === viewer || row.ts <= readUpTo
  }
  return rows.filter(shown => !isFolded(shown))
}
