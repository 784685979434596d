/** Incoming hooks (interface 19.4). */
import * as v from 'valibot'
import { MessageCard } from './messages.ts'
import { ChannelId, Seconds, Username, wholeNumber } from './values.ts'

/** GET /hooks_in. */
export const IncomingHookPayload = v.strictObject({
  id: wholeNumber,
  name: v.string(),
  bot: Username,
  channel: ChannelId,
  /** Null for a deleted account; absent for guests. */
  created_by: v.exactOptional(v.nullable(Username)),
  created_ts: Seconds,
  last_used_ts: v.nullable(Seconds),
  /** The code of the last refusal since the last success. */
  last_error: v.nullable(v.string()),
  uses: wholeNumber,
  disabled: v.boolean(),
  /** It takes signed bodies alone. */
  signed: v.boolean(),
  template: v.exactOptional(v.nullable(v.string())),
  may_choose_channel: v.exactOptional(v.boolean()),
  may_mention_everyone: v.exactOptional(v.boolean()),
})
export type IncomingHookPayload = v.InferOutput<typeof IncomingHookPayload>

/** POST /hooks_in. `url` is null in a repetition: it is in a lost response. */
export const MadeIncomingHookPayload = v.strictObject({
  id: wholeNumber,
  url: v.nullable(v.string()),
})
export type MadeIncomingHookPayload = v.InferOutput<typeof MadeIncomingHookPayload>

/** GET /hooks_in/<id>/calls: a request to the address of the hook. */
export const HookCallPayload = v.strictObject({
  ts: Seconds,
  /** The code of the refusal; null: accepted. */
  error: v.nullable(v.string()),
  /** Named in the address or recognised; null: none. */
  shape: v.nullable(v.string()),
  /** An event that its shape leaves out: no message. */
  ignored: v.exactOptional(v.literal(true)),
  /** A page of this server sent it. */
  test: v.boolean(),
})
export type HookCallPayload = v.InferOutput<typeof HookCallPayload>

/** POST /hooks_in/<id>/try. */
export const TriedHookPayload = v.strictObject({
  content: v.string(),
  cards: v.array(MessageCard),
  cards_at: v.exactOptional(wholeNumber),
  /** Parts of the body that were left out. */
  dropped: wholeNumber,
})
export type TriedHookPayload = v.InferOutput<typeof TriedHookPayload>
