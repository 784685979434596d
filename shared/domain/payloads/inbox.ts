/** Mentions and the inbox (interface 14.2). */
import * as v from 'valibot'
import { ScheduledFailure } from './later.ts'
import { ChannelId, Seconds, wholeNumber } from './values.ts'

export const MentionPayload = v.strictObject({
  id: wholeNumber,
  channel: ChannelId,
  sender: v.string(),
  content: v.nullable(v.string()),
  filename: v.nullable(v.string()),
  ts: Seconds,
})
export type MentionPayload = v.InferOutput<typeof MentionPayload>

/** Kinds of the inbox (interface 14.2). */
export const INBOX_KINDS = ['mention', 'reply', 'reaction', 'added', 'reminder', 'failed', 'command'] as const
export const InboxKind = v.picklist(INBOX_KINDS)
export type InboxKind = v.InferOutput<typeof InboxKind>

export const InboxItem = v.strictObject({
  /** `m<message id>` for mentions, `s<id>` for scheduled sends that failed, `c<id>` for texts of bots. */
  id: v.string(),
  kind: InboxKind,
  channel: ChannelId,
  /** null for a scheduled send that failed, and a text of a bot for one person. */
  message_id: v.nullable(wholeNumber),
  /** The root of the thread of a reply; null for other messages. */
  root_id: v.nullable(wholeNumber),
  /** The newest three at most. */
  actors: v.array(v.string()),
  /** Number of people who did it. */
  count: wholeNumber,
  /** At most 300 characters; 2,000 of a text of a bot for one person. */
  content: v.string(),
  /** `content` is the name of a file, not a text with marks. Absent otherwise. */
  is_file: v.exactOptional(v.boolean()),
  ts: Seconds,
  read: v.boolean(),
  /** Present in items of kind `failed` only. */
  why: v.exactOptional(ScheduledFailure),
  /** Present in items of kind `command` only: its name. Absent there for a text that a bot sent by itself. */
  command: v.exactOptional(v.string()),
})
export type InboxItem = v.InferOutput<typeof InboxItem>

/** GET /inbox (interface 14.2), newest first. `unread` counts all but reactions, `threads` followed ones with some. */
export const InboxPayload = v.strictObject({
  unread: wholeNumber,
  threads: wholeNumber,
  items: v.array(InboxItem),
  next: v.nullable(v.string()),
})
export type InboxPayload = v.InferOutput<typeof InboxPayload>
