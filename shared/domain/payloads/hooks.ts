/** Incoming hooks, outgoing hooks and commands (interface 19). */
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

export const HOOK_EVENTS = [
  'message.created',
  'message.edited',
  'message.deleted',
  'reaction.added',
  'reaction.removed',
  'channel.created',
  'channel.archived',
  'member.joined',
  'member.left',
  'person.created',
  'person.deactivated',
  'audit.entry',
] as const
export type HookEvent = (typeof HOOK_EVENTS)[number]

/** GET /hooks_out. */
export interface OutgoingHookPayload {
  id: number
  name: string
  url: string
  format: 'standard' | 'slack'
  bot: Username
  events: HookEvent[]
  /** Null: all public ones. */
  channels: ChannelId[] | null
  triggers: string[] | null
  include_bots: boolean
  created_by: Username | null
  created_ts: Seconds
  active: boolean
  /** The first failed try after the last success. */
  failing_since: Seconds | null
  disabled_why: 'gone' | 'failing' | 'bot' | 'person' | null
}

/** POST /hooks_out. Secrets are null in a repetition. */
export interface MadeOutgoingHookPayload {
  id: number
  secret: string | null
  verify_token: string | null
  warning?: string
}

/** GET /hooks_out/<id>/deliveries. */
export interface DeliveryPayload {
  /** The `webhook-id` of each try. */
  id: string
  event: string | { type?: string }
  state: 'waiting' | 'sent' | 'failed' | 'gone'
  attempt: number
  last_status: number | null
  last_error: string | null
  last_ms: number | null
  created_ts: Seconds
  next_try_ts: Seconds | null
  done_ts: Seconds | null
}
