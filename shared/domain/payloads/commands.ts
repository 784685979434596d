/** Commands of the workspace (interface 19.6). */
import * as v from 'valibot'
import { MessageCard } from './messages.ts'
import { Seconds, Username, wholeNumber } from './values.ts'

/** An item of GET /commands. The later keys are for administrators. */
export const CommandPayload = v.strictObject({
  name: v.string(),
  description: v.nullable(v.string()),
  usage: v.nullable(v.string()),
  url: v.exactOptional(v.string()),
  bot: v.exactOptional(Username),
  created_by: v.exactOptional(v.nullable(Username)),
  created_ts: v.exactOptional(Seconds),
  last_used_ts: v.exactOptional(v.nullable(Seconds)),
  /** The error of the last use: `status_<n>`, `invalid_payload`, or an error of shared/jobs/outgoing-job.ts. */
  last_error: v.exactOptional(v.nullable(v.string())),
})
export type CommandPayload = v.InferOutput<typeof CommandPayload>

/** POST /commands. The secrets are null in the response to a repetition. */
export const MadeCommandPayload = v.strictObject({
  name: v.string(),
  /** `whsec_…`. */
  secret: v.nullable(v.string()),
  verify_token: v.nullable(v.string()),
})
export type MadeCommandPayload = v.InferOutput<typeof MadeCommandPayload>

/** Shown to one person, and stored nowhere. */
export const EphemeralPayload = v.strictObject({
  /** With the flattened cards, which begin at `cards_at`. */
  content: v.string(),
  cards: v.array(MessageCard),
  cards_at: wholeNumber,
})
export type EphemeralPayload = v.InferOutput<typeof EphemeralPayload>

/** POST /command/<channel> with an answer for the person alone. */
export const CommandAnswerPayload = v.strictObject({ ephemeral: EphemeralPayload })
export type CommandAnswerPayload = v.InferOutput<typeof CommandAnswerPayload>
