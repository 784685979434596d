import type { Scope } from '../tokens.ts'
import type { ChannelId, Seconds, Username } from '../units.ts'

/** A token in the list of its person (interface 19.2). */
export interface TokenPayload {
  id: number
  name: string
  scopes: Scope[]
  /** Null: all channels of the person. */
  channels_only: ChannelId[] | null
  created_ts: Seconds
  /** Null: never. */
  expires_ts: Seconds | null
  last_used_ts: Seconds | null
  /** Where the setting `log_addresses` is on. */
  last_used_from: string | null
  /** Null while it can be used. */
  ended: 'revoked' | 'expired' | null
}

/** With the token itself, once: null in the response to a repetition of the request. */
export type MadeTokenPayload = TokenPayload & { token: string | null }

/** A token in the list of the administrators. */
export type AnybodysTokenPayload = TokenPayload & { username: Username; created_by: Username | null }
