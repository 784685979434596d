/** Pins, saved messages, scheduled sends and drafts (interface 11.3 to 11.5). */
import type { ChannelId, Seconds } from '../units.ts'
import type { MessagePayload } from './messages.ts'

/** GET /pins/<channel> (interface 11.3). */
export interface PinsPayload {
  items: MessagePayload[]
  next: string | null
}

/** An item of GET /saved (interface 11.4). */
export interface SavedPayload {
  message: MessagePayload
  saved_ts: Seconds
  remind_ts: Seconds | null
  done_ts: Seconds | null
  note: string | null
}

/** An item of GET /scheduled (interface 11.5). */
export interface ScheduledPayload {
  id: number
  channel: ChannelId
  text: string
  reply_to_id: number | null
  send_ts: Seconds
  created_ts: Seconds
  state: 'waiting' | 'sent' | 'failed'
  failed_why: ScheduledFailure | null
}

export type ScheduledFailure =
  | 'too_late'
  | 'no_access'
  | 'archived'
  | 'read_only'
  | 'deactivated'
  | 'too_long'

/** An item of GET /drafts (interface 11.5). */
export interface DraftPayload {
  channel: ChannelId
  /** The root of a thread; 0: none. */
  thread_id: number
  text: string
  updated_ts: Seconds
}
