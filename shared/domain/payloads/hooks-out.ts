/** Outgoing hooks (interface 19.5). */
import type { ChannelId, Seconds, Username } from '../units.ts'

export const OUTGOING_EVENTS = [
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
export type OutgoingEventKind = (typeof OUTGOING_EVENTS)[number]

/** Events of administration; the others belong to a channel. */
export const EVENTS_FOR_ADMINS: readonly string[] = ['person.created', 'person.deactivated', 'audit.entry']

/** Tries of a delivery. */
export const MOST_TRIES = 8

export interface OutgoingHookPayload {
  id: number
  name: string
  url: string
  format: 'standard' | 'slack'
  bot: Username
  events: string[]
  channels: ChannelId[] | null
  triggers: string[] | null
  include_bots: boolean
  created_by: Username | null
  created_ts: Seconds
  active: boolean
  failing_since: Seconds | null
  disabled_why: 'gone' | 'failing' | 'bot' | 'person' | null
}

/** POST /hooks_out. The secrets are null in the response to a repetition. */
export interface MadeOutgoingHookPayload {
  id: number
  /** `whsec_…`. */
  secret: string | null
  verify_token: string | null
  warning?: string
}

export interface DeliveryPayload {
  /** The `webhook-id`. */
  id: string
  event: string
  state: 'waiting' | 'sent' | 'failed' | 'gone'
  attempt: number
  last_status: number | null
  last_error: string | null
  last_ms: number | null
  created_ts: Seconds
  next_try_ts: Seconds
  done_ts: Seconds | null
}

/** POST /hooks_out/<id>/test. */
export interface TestedHookPayload {
  status: number | null
  ms: number
  error?: string
}
