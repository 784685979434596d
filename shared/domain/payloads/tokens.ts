import * as v from 'valibot'
import { SCOPES } from '../tokens.ts'
import { ChannelId, Seconds, Username, wholeNumber } from './values.ts'

/** A token in the list of its person (interface 19.2). */
export const TokenPayload = v.strictObject({
  id: wholeNumber,
  name: v.string(),
  scopes: v.array(v.picklist(SCOPES)),
  /** Null: all channels of the person. */
  channels_only: v.nullable(v.array(ChannelId)),
  created_ts: Seconds,
  /** Null: never. */
  expires_ts: v.nullable(Seconds),
  last_used_ts: v.nullable(Seconds),
  /** Where the setting `log_addresses` is on. */
  last_used_from: v.nullable(v.string()),
  /** Null while it can be used. */
  ended: v.nullable(v.picklist(['revoked', 'expired'])),
})
export type TokenPayload = v.InferOutput<typeof TokenPayload>

/** With the token itself, once: null in the response to a repetition of the request. */
export const MadeTokenPayload = v.strictObject({ ...TokenPayload.entries, token: v.nullable(v.string()) })
export type MadeTokenPayload = v.InferOutput<typeof MadeTokenPayload>

/** A token in the list of the administrators. */
export const AnybodysTokenPayload = v.strictObject({
  ...TokenPayload.entries,
  username: Username,
  created_by: v.nullable(Username),
})
export type AnybodysTokenPayload = v.InferOutput<typeof AnybodysTokenPayload>
