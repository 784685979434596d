/** Counting on from the replies that frames bring. Pure. */
import type { MessagePayload, RepliesCount } from '#shared/domain/payloads.ts'
import type { Seconds } from '#shared/domain/units.ts'

const MOST_PEOPLE = 3
/** The images of a send follow its text within this time: they are one reply. */
const ONE_SEND: Seconds = 0.000_002

/** `reply` is newer than the rows known before; it may be counted already. */
export function withReply(
  before: RepliesCount | undefined,
  { id, ts, sender }: Pick<MessagePayload, 'id' | 'ts' | 'sender'>,
): RepliesCount {
  if (!before) return { count: 1, last_id: id, last_ts: ts, people: [sender] }
  if (ts <= before.last_ts) return before
  const isSameSend = before.people[0] === sender && ts - before.last_ts <= ONE_SEND
  return {
    count: before.count + (isSameSend ? 0 : 1),
    last_id: id,
    last_ts: ts,
    people: [sender, ...before.people.filter(name => name !== sender)].slice(0, MOST_PEOPLE),
  }
}
