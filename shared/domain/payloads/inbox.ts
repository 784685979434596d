/** Mentions and the inbox (interface 14.2). */
import type { ChannelId, Seconds } from '../units.ts'
import type { ScheduledFailure } from './later.ts'

export interface MentionPayload {
  id: number
  channel: ChannelId
  sender: string
  content: string | null
  filename: string | null
  ts: Seconds
}

/** Kinds of the inbox (interface 14.2). */
export const INBOX_KINDS = ['mention', 'reply', 'reaction', 'added', 'reminder', 'failed', 'command'] as const

export type InboxKind = (typeof INBOX_KINDS)[number]

export interface InboxItem {
  /** `m<message id>` for mentions, `s<id>` for scheduled sends that failed, `c<id>` for answers of commands. */
  id: string
  kind: InboxKind
  channel: ChannelId
  /** null for a scheduled send that failed, and an answer of a command. */
  message_id: number | null
  /** The root of the thread of a reply; null for other messages. */
  root_id: number | null
  /** The newest three at most. */
  actors: string[]
  /** Number of people who did it. */
  count: number
  /** At most 300 characters; 2,000 of an answer of a command. */
  content: string
  /** `content` is the name of a file, not a text with marks. Absent otherwise. */
  is_file?: boolean
  ts: Seconds
  read: boolean
  /** Present in items of kind `failed` only. */
  why?: ScheduledFailure
  /** Present in items of kind `command` only: its name. */
  command?: string
}

/** GET /inbox (interface 14.2), newest first. `unread` counts all but reactions, `threads` followed ones with some. */
export interface InboxPayload {
  unread: number
  threads: number
  items: InboxItem[]
  next: string | null
}
