/** Messages, their details and the lists about one message. */
import * as v from 'valibot'
import { ChannelId, Seconds, Username, wholeNumber } from './values.ts'

/** An attachment in the form of Slack and Mattermost. Texts have our markup; absent keys are left out. */
export const MessageCard = v.strictObject({
  /** `#rrggbb`, `good`, `warning` or `danger`. */
  color: v.exactOptional(v.string()),
  pretext: v.exactOptional(v.string()),
  author: v.exactOptional(v.string()),
  author_url: v.exactOptional(v.string()),
  title: v.exactOptional(v.string()),
  url: v.exactOptional(v.string()),
  text: v.exactOptional(v.string()),
  fields: v.exactOptional(
    v.array(
      v.strictObject({
        title: v.exactOptional(v.string()),
        value: v.exactOptional(v.string()),
        short: v.exactOptional(v.boolean()),
      }),
    ),
  ),
  /** An address, which is linked and never loaded. */
  image: v.exactOptional(v.string()),
  footer: v.exactOptional(v.string()),
  ts: v.exactOptional(Seconds),
  links: v.exactOptional(v.array(v.strictObject({ text: v.string(), url: v.string() }))),
})
export type MessageCard = v.InferOutput<typeof MessageCard>

/** The source of a forwarded message, as it was then (interface 11.1). */
export const MessageForward = v.strictObject({
  id: wholeNumber,
  /** null unless it is a public channel. */
  channel: v.nullable(ChannelId),
  sender: v.string(),
  ts: Seconds,
})
export type MessageForward = v.InferOutput<typeof MessageForward>

/** The file of a message (interface 13.1). */
export const MessageFile = v.strictObject({
  name: v.string(),
  size: wholeNumber,
  type: v.string(),
  width: v.exactOptional(wholeNumber),
  height: v.exactOptional(wholeNumber),
})
export type MessageFile = v.InferOutput<typeof MessageFile>

/** Living replies in the thread of a message (interface 11.2). */
export const RepliesCount = v.strictObject({
  count: wholeNumber,
  last_id: wholeNumber,
  last_ts: Seconds,
  /** The authors of the latest replies, latest first, three at most. */
  people: v.array(v.string()),
})
export type RepliesCount = v.InferOutput<typeof RepliesCount>

/** Details of a message for extensions, equal for all viewers. */
export const MessageExtra = v.strictObject({
  /** On the tombstone that a moderator left. */
  removed_by: v.exactOptional(Username),
  /** Handles of the groups that the text mentions, as they were then. */
  groups: v.exactOptional(v.array(v.string())),
  /** On a reply: the root of its thread. */
  thread: v.exactOptional(wholeNumber),
  /** From the second row of a send on: its place. */
  part: v.exactOptional(wholeNumber),
  /** On the root of a thread. */
  replies: v.exactOptional(RepliesCount),
  /** On rows sent with `files=all`. */
  file: v.exactOptional(MessageFile),
  /** Sent with `quiet=1`: nobody is notified. */
  quiet: v.exactOptional(v.literal(true)),
  /** On a pinned message: who pinned it, and when (interface 11.3). */
  pinned: v.exactOptional(v.strictObject({ by: v.string(), ts: Seconds })),
  /** On a forwarded message. */
  forward: v.exactOptional(MessageForward),
  /** On a message of a hook or command: the name and emoji that it gave itself. */
  bot: v.exactOptional(
    v.strictObject({
      name: v.exactOptional(v.string()),
      emoji: v.exactOptional(v.string()),
      hook_id: v.exactOptional(wholeNumber),
    }),
  ),
  /** Drawn in place of their flattened lines, which are `content` from `cards_at` on. */
  cards: v.exactOptional(v.array(MessageCard)),
  cards_at: v.exactOptional(wholeNumber),
})
export type MessageExtra = v.InferOutput<typeof MessageExtra>

/** Interface 2.3 and 4.3. Rows come ordered by `ts`, then `id`. */
export const MessagePayload = v.strictObject({
  id: wholeNumber,
  channel: ChannelId,
  sender: v.string(),
  content: v.nullable(v.string()),
  filename: v.nullable(v.string()),
  ts: Seconds,
  edited: v.picklist([0, 1]),
  edited_ts: v.nullable(Seconds),
  deleted: v.picklist([0, 1]),
  deleted_ts: v.nullable(Seconds),
  reply_to_id: v.nullable(wholeNumber),
  /** JSON text of {emoji: [username, …]} in order of first use; null when there are none. */
  reactions: v.nullable(v.string()),
  reactions_ts: v.nullable(Seconds),
  /** JSON text of [username, …] or ["@everyone"]; null when no one is mentioned. */
  mentions: v.nullable(v.string()),
  content_type: v.picklist(['text', 'system']),
  /** Only for those who ask for it (interface 11.6). */
  extra: v.exactOptional(MessageExtra),
})
export type MessagePayload = v.InferOutput<typeof MessagePayload>

export const ReactionsPayload = v.record(v.string(), v.array(Username))
export type ReactionsPayload = v.InferOutput<typeof ReactionsPayload>

export const TypingPayload = v.array(Username)
export type TypingPayload = v.InferOutput<typeof TypingPayload>

/** Everybody's watermark in a channel (interface 4.3). */
export const ReadReceiptsPayload = v.record(v.string(), Seconds)
export type ReadReceiptsPayload = v.InferOutput<typeof ReadReceiptsPayload>

/** GET /linked_messages (interface 11.1). */
export const LinkedMessagesPayload = v.strictObject({
  /** `mark`: to be sent with the next request for the message. */
  items: v.array(v.strictObject({ mark: v.string(), message: MessagePayload })),
  unreadable: v.array(wholeNumber),
  /** Readable ones beyond the bytes of a page, to be requested again. */
  left: v.exactOptional(v.array(wholeNumber)),
})
export type LinkedMessagesPayload = v.InferOutput<typeof LinkedMessagesPayload>

/** GET /emoji (interface 13.2). */
export const CustomEmojiPayload = v.strictObject({
  name: v.string(),
  url: v.string(),
  animated: v.boolean(),
  /** Null for a deleted account, and for one that the viewer does not see. */
  created_by: v.nullable(Username),
})
export type CustomEmojiPayload = v.InferOutput<typeof CustomEmojiPayload>

/** GET /message/<id>/edits (interface 11.7), oldest first; the last one is the present text. */
export const EditPayload = v.strictObject({
  ts: Seconds,
  content: v.string(),
})
export type EditPayload = v.InferOutput<typeof EditPayload>

/** GET /message/<id> (interface 4.3). */
export const SingleMessagePayload = v.strictObject({
  id: wholeNumber,
  sender: v.string(),
  content: v.nullable(v.string()),
  filename: v.nullable(v.string()),
  deleted: v.picklist([0, 1]),
})
export type SingleMessagePayload = v.InferOutput<typeof SingleMessagePayload>

/** GET /seen/<message id> (an extension): the readers of a message, at most 100 names per page. */
export const SeenPayload = v.strictObject({
  /** The total number of readers. */
  count: wholeNumber,
  names: v.array(Username),
  /** Requests the next page; null on the last. */
  cursor: v.nullable(v.string()),
})
export type SeenPayload = v.InferOutput<typeof SeenPayload>
