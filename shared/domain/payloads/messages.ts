/** Messages, their details and the lists about one message. */
import type { ChannelId, Seconds, Username } from '../units.ts'

/** Interface 2.3 and 4.3. Rows come ordered by `ts`, then `id`. */
export interface MessagePayload {
  id: number
  channel: ChannelId
  sender: string
  content: string | null
  filename: string | null
  ts: Seconds
  edited: 0 | 1
  edited_ts: Seconds | null
  deleted: 0 | 1
  deleted_ts: Seconds | null
  reply_to_id: number | null
  /** JSON text of {emoji: [username, …]} in order of first use; null when there are none. */
  reactions: string | null
  reactions_ts: Seconds | null
  /** JSON text of [username, …] or ["@everyone"]; null when no one is mentioned. */
  mentions: string | null
  content_type: 'text' | 'system'
  /** Only for those who ask for it (interface 11.6). */
  extra?: MessageExtra
}

/** Details of a message for extensions, equal for all viewers. */
export interface MessageExtra {
  /** On the tombstone that a moderator left. */
  removed_by?: Username
  /** Handles of the groups that the text mentions, as they were then. */
  groups?: string[]
  /** On a reply: the root of its thread. */
  thread?: number
  /** From the second row of a send on: its place. */
  part?: number
  /** On the root of a thread. */
  replies?: RepliesCount
  /** On rows sent with `files=all`. */
  file?: MessageFile
  /** Sent with `quiet=1`: nobody is notified. */
  quiet?: true
  /** On a pinned message: who pinned it, and when (interface 11.3). */
  pinned?: { by: string; ts: Seconds }
  /** On a forwarded message. */
  forward?: MessageForward
  /** On a message of a hook or command: the name and emoji that it gave itself. */
  bot?: { name?: string; emoji?: string; hook_id?: number }
  /** Drawn in place of their flattened lines, which are `content` from `cards_at` on. */
  cards?: MessageCard[]
  cards_at?: number
}

/** An attachment in the form of Slack and Mattermost. Texts have our markup; absent keys are left out. */
export interface MessageCard {
  /** `#rrggbb`, `good`, `warning` or `danger`. */
  color?: string
  pretext?: string
  author?: string
  author_url?: string
  title?: string
  url?: string
  text?: string
  fields?: { title?: string; value?: string; short?: boolean }[]
  /** An address, which is linked and never loaded. */
  image?: string
  footer?: string
  ts?: Seconds
  links?: { text: string; url: string }[]
}

/** The source of a forwarded message, as it was then (interface 11.1). */
export interface MessageForward {
  id: number
  /** null unless it is a public channel. */
  channel: ChannelId | null
  sender: string
  ts: Seconds
}

/** The file of a message (interface 13.1). */
export interface MessageFile {
  name: string
  size: number
  type: string
  width?: number
  height?: number
}

export type ReactionsPayload = Record<string, Username[]>

export type TypingPayload = Username[]

/** Everybody's watermark in a channel (interface 4.3). */
export type ReadReceiptsPayload = Record<Username, Seconds>

/** Living replies in the thread of a message (interface 11.2). */
export interface RepliesCount {
  count: number
  last_id: number
  last_ts: Seconds
  /** The authors of the latest replies, latest first, three at most. */
  people: string[]
}

/** GET /linked_messages (interface 11.1). */
export interface LinkedMessagesPayload {
  /** `mark`: to be sent with the next request for the message. */
  items: { mark: string; message: MessagePayload }[]
  unreadable: number[]
  /** Readable ones beyond the bytes of a page, to be requested again. */
  left?: number[]
}

/** GET /emoji (interface 13.2). */
export interface CustomEmojiPayload {
  name: string
  url: string
  animated: boolean
  /** Null for a deleted account, and for one that the viewer does not see. */
  created_by: Username | null
}

/** GET /message/<id>/edits (interface 11.7), oldest first; the last one is the present text. */
export interface EditPayload {
  ts: Seconds
  content: string
}

/** GET /message/<id> (interface 4.3). */
export interface SingleMessagePayload {
  id: number
  sender: string
  content: string | null
  filename: string | null
  deleted: 0 | 1
}

/** GET /seen/<message id> (an extension): the readers of a message, at most 100 names per page. */
export interface SeenPayload {
  /** The total number of readers. */
  count: number
  names: Username[]
  /** Requests the next page; null on the last. */
  cursor: string | null
}
