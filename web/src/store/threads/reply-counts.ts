/** Counting on from the replies that frames bring. Pure. */
import type { MessagePayload, RepliesCount } from '#shared/domain/payloads/messages.ts'
import type { Seconds } from '#shared/domain/units.ts'

const MOST_PEOPLE = 3

/** `reply` is the first row of a send; it may be counted already. */
export function withReply(
  before: RepliesCount | undefined,
  { id, ts, sender }: Pick<MessagePayload, 'id' | 'ts' | 'sender'>,
): RepliesCount {
  if (!before) return { count: 1, last_id: id, last_ts: ts, people: [sender] }
  if (ts <= before.last_ts) return before
  return {
    count: before.count + 1,
    last_id: id,
    last_ts: ts,
    people: [sender, ...before.people.filter(name => name !== sender)].slice(0, MOST_PEOPLE),
  }
}

/**
 * New replies by the root of their thread: those of others after the New line of the channel, unless the thread was
 * read beyond them.
 */
export function newReplies(
  rows: readonly MessagePayload[],
  viewer: string,
  after: Seconds,
  readUpTo: ReadonlyMap<number, number>,
): Map<number, number> {
  const ids = new Map<number, Set<number>>()
  for (const { id, ts, sender, deleted, extra } of rows) {
    const root = extra?.thread
    if (root === undefined || ts <= after || sender === viewer) continue
    if (deleted === 1 || extra?.part !== undefined || id <= (readUpTo.get(root) ?? 0)) continue
    ids.set(root, (ids.get(root) ?? new Set()).add(id))
  }
  return new Map([...ids].map(([root, replies]) => [root, replies.size]))
}
