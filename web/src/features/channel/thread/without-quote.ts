import type { MessagePayload } from '#shared/domain/payloads/messages.ts'

const made = new WeakMap<MessagePayload, MessagePayload>()

/** A reply to the root needs no quote of it in its thread. Returns the same object for the same row. */
export function withoutQuote(row: MessagePayload, root: number): MessagePayload {
  if (row.reply_to_id !== root) return row
  const known = made.get(row)
  if (known) return known
  const bare = { ...row, reply_to_id: null }
  made.set(row, bare)
  return bare
}
