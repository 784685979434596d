/** Threads (interface 11.2). */
import * as v from 'valibot'
import { MessagePayload } from './messages.ts'
import { ChannelId, Seconds, Username, wholeNumber } from './values.ts'

/** GET /thread/<message id> (interface 11.2). */
export const ThreadPayload = v.strictObject({
  /** Null if the reader may not see it, or it was removed. */
  root: v.nullable(MessagePayload),
  /** Oldest first. */
  rows: v.array(MessagePayload),
  /** There are older rows. */
  more: v.boolean(),
  following: v.boolean(),
  last_read_id: wholeNumber,
  unread: wholeNumber,
  /** Names of the people who wrote in it, at most 100; only with the newest rows. */
  people: v.exactOptional(v.array(Username)),
})
export type ThreadPayload = v.InferOutput<typeof ThreadPayload>

/** An item of GET /threads (interface 11.2). */
export const FollowedThread = v.strictObject({
  id: wholeNumber,
  channel: ChannelId,
  root: v.nullable(MessagePayload),
  replies: wholeNumber,
  /** The newest reply. */
  last: v.nullable(MessagePayload),
  last_ts: Seconds,
  people: v.array(v.string()),
  unread: wholeNumber,
  /** Ids of unread replies that mention the viewer or everyone, at most the newest 100. Older servers leave it out. */
  mentioned: v.exactOptional(v.array(wholeNumber)),
  following: v.literal(true),
})
export type FollowedThread = v.InferOutput<typeof FollowedThread>

/** POST /threads/read (interface 11.2). */
export const ThreadsReadPayload = v.strictObject({
  /** Unread threads may be left: repeat the request. */
  more: v.boolean(),
})
export type ThreadsReadPayload = v.InferOutput<typeof ThreadsReadPayload>

/** GET /threads, newest reply first. */
export const ThreadsPayload = v.strictObject({
  items: v.array(FollowedThread),
  next: v.nullable(v.string()),
})
export type ThreadsPayload = v.InferOutput<typeof ThreadsPayload>
