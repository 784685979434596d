/** That one is typing, told now and then while one does. */
import type { ChannelId, Milliseconds } from '#shared/rules/units.ts'
import * as endpoints from './endpoints.ts'

const TYPING_EVERY: Milliseconds = 3_000

let lastTyping = { channel: '', at: 0 }

export function reportTyping(channel: ChannelId) {
  const now = Date.now()
  if (lastTyping.channel === channel && now - lastTyping.at < TYPING_EVERY) return
  lastTyping = { channel, at: now }
  endpoints.typing(channel).catch(error => {
    if (!(error instanceof endpoints.Failure)) throw error
  })
}

/** Sending ends typing on the server: what is typed next is news again. */
export function forgetTyping() {
  lastTyping = { channel: '', at: 0 }
}
