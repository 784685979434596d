/** Commands of the workspace (interface 19.6). */
import type { Seconds, Username } from '../units.ts'
import type { MessageCard } from './messages.ts'

/** An item of GET /commands. The later keys are for administrators. */
export interface CommandPayload {
  name: string
  description: string | null
  usage: string | null
  url?: string
  bot?: Username
  created_by?: Username | null
  created_ts?: Seconds
}

/** POST /commands. The secrets are null in the response to a repetition. */
export interface MadeCommandPayload {
  name: string
  /** `whsec_…`. */
  secret: string | null
  verify_token: string | null
}

/** Shown to one person, and stored nowhere. */
export interface EphemeralPayload {
  /** With the flattened cards, which begin at `cards_at`. */
  content: string
  cards: MessageCard[]
  cards_at: number
}

/** POST /command/<channel> with an answer for the person alone. */
export interface CommandAnswerPayload {
  ephemeral: EphemeralPayload
}
