/** Incoming hooks (interface 19.4). */
import type { ChannelId, Seconds, Username } from '../units.ts'
import type { MessageCard } from './messages.ts'

/** GET /hooks_in. */
export interface IncomingHookPayload {
  id: number
  name: string
  bot: Username
  channel: ChannelId
  /** Null for a deleted account; absent for guests. */
  created_by?: Username | null
  created_ts: Seconds
  last_used_ts: Seconds | null
  /** The code of the last refusal since the last success. */
  last_error: string | null
  uses: number
  disabled: boolean
  /** It takes signed bodies alone. */
  signed: boolean
  template?: string | null
  may_choose_channel?: boolean
  may_mention_everyone?: boolean
}

/** POST /hooks_in. `url` is null in a repetition: it is in a lost response. */
export interface MadeIncomingHookPayload {
  id: number
  url: string | null
}

/** POST /hooks_in/<id>/try. */
export interface TriedHookPayload {
  content: string
  cards: MessageCard[]
  cards_at?: number
  /** Parts of the body that were left out. */
  dropped: number
}
