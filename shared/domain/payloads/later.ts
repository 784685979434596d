/** Pins, saved messages, scheduled sends and drafts (interface 11.3 to 11.5). */
import * as v from 'valibot'
import { MessagePayload } from './messages.ts'
import { ChannelId, Seconds, wholeNumber } from './values.ts'

/** GET /pins/<channel> (interface 11.3). */
export const PinsPayload = v.strictObject({
  items: v.array(MessagePayload),
  next: v.nullable(v.string()),
})
export type PinsPayload = v.InferOutput<typeof PinsPayload>

/** An item of GET /saved (interface 11.4). */
export const SavedPayload = v.strictObject({
  message: MessagePayload,
  saved_ts: Seconds,
  remind_ts: v.nullable(Seconds),
  done_ts: v.nullable(Seconds),
  note: v.nullable(v.string()),
})
export type SavedPayload = v.InferOutput<typeof SavedPayload>

export const ScheduledFailure = v.picklist([
  'too_late',
  'no_access',
  'archived',
  'read_only',
  'deactivated',
  'too_long',
])
export type ScheduledFailure = v.InferOutput<typeof ScheduledFailure>

/** An item of GET /scheduled (interface 11.5). */
export const ScheduledPayload = v.strictObject({
  id: wholeNumber,
  channel: ChannelId,
  text: v.string(),
  reply_to_id: v.nullable(wholeNumber),
  send_ts: Seconds,
  created_ts: Seconds,
  state: v.picklist(['waiting', 'sent', 'failed']),
  failed_why: v.nullable(ScheduledFailure),
})
export type ScheduledPayload = v.InferOutput<typeof ScheduledPayload>

/** An item of GET /drafts (interface 11.5). */
export const DraftPayload = v.strictObject({
  channel: ChannelId,
  /** The root of a thread; 0: none. */
  thread_id: wholeNumber,
  text: v.string(),
  updated_ts: Seconds,
})
export type DraftPayload = v.InferOutput<typeof DraftPayload>
