/** Reports now and then that the user is typing. */
import type { ChannelId, Milliseconds } from '#shared/domain/units.ts'
import * as endpoints from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'

const TYPING_EVERY: Milliseconds = 3_000

let lastTyping = { channel: '', at: 0 }

export function reportTyping(channel: ChannelId) {
  const now = Date.now()
  if (lastTyping.channel === channel && now - lastTyping.at < TYPING_EVERY) return
  lastTyping = { channel, at: now }
  endpoints.typing(channel).catch(tolerateFailure)
}

/** Sending a message ends typing on the server, so the next key press is reported at once. */
export function forgetTyping() {
  lastTyping = { channel: '', at: 0 }
}
