/** Outgoing hooks (interface 19.5). */
import * as v from 'valibot'
import { ChannelId, Seconds, Username, wholeNumber } from './values.ts'

export const OutgoingHookPayload = v.strictObject({
  id: wholeNumber,
  name: v.string(),
  url: v.string(),
  format: v.picklist(['standard', 'slack']),
  bot: Username,
  events: v.array(v.string()),
  channels: v.nullable(v.array(ChannelId)),
  triggers: v.nullable(v.array(v.string())),
  include_bots: v.boolean(),
  created_by: v.nullable(Username),
  created_ts: Seconds,
  active: v.boolean(),
  failing_since: v.nullable(Seconds),
  disabled_why: v.nullable(v.picklist(['gone', 'failing', 'bot', 'person'])),
})
export type OutgoingHookPayload = v.InferOutput<typeof OutgoingHookPayload>

/** POST /hooks_out. The secrets are null in the response to a repetition. */
export const MadeOutgoingHookPayload = v.strictObject({
  id: wholeNumber,
  /** `whsec_…`. */
  secret: v.nullable(v.string()),
  verify_token: v.nullable(v.string()),
  warning: v.exactOptional(v.string()),
})
export type MadeOutgoingHookPayload = v.InferOutput<typeof MadeOutgoingHookPayload>

export const DeliveryPayload = v.strictObject({
  /** The `webhook-id`. */
  id: v.string(),
  event: v.string(),
  state: v.picklist(['waiting', 'sent', 'failed', 'gone']),
  attempt: wholeNumber,
  last_status: v.nullable(wholeNumber),
  last_error: v.nullable(v.string()),
  last_ms: v.nullable(wholeNumber),
  created_ts: Seconds,
  next_try_ts: Seconds,
  done_ts: v.nullable(Seconds),
})
export type DeliveryPayload = v.InferOutput<typeof DeliveryPayload>

/** POST /hooks_out/<id>/test. */
export const TestedHookPayload = v.strictObject({
  status: v.nullable(wholeNumber),
  ms: wholeNumber,
  error: v.exactOptional(v.string()),
})
export type TestedHookPayload = v.InferOutput<typeof TestedHookPayload>
