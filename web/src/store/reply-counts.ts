/** Counting on from the replies that frames bring. Pure. */
import type { MessagePayload, RepliesCount } from '#shared/domain/payloads.ts'

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
