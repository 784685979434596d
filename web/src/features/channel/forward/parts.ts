import { forwardedParts } from '#shared/domain/forwards.ts'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'

interface Parts {
  /** The message with the comment alone. */
  comment: MessagePayload
  /** The same with the quoted text, which mentions nobody. */
  quoted: MessagePayload
}

const made = new WeakMap<MessagePayload, Parts>()

/** The two texts of a forwarded message. Returns the same objects for the same row. */
export function partsOf(row: MessagePayload): Parts {
  const known = made.get(row)
  if (known) return known
  const { comment, quoted } = forwardedParts(row.content ?? '')
  const parts = {
    comment: { ...row, content: comment },
    quoted: { ...row, content: quoted, mentions: null },
  }
  made.set(row, parts)
  return parts
}
