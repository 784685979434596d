/** What a channel is called on the screen. */
import { parseChannelId } from '#shared/rules/channel-id.ts'
import type { ChannelId, Username } from '#shared/rules/units.ts'
import { viewer } from './store.ts'

export const isDm = (channel: ChannelId) => channel.startsWith('dm:')

/** The other people of a conversation; oneself in one with nobody else. */
export function othersIn(channel: ChannelId): Username[] {
  const parsed = parseChannelId(channel)
  return parsed?.kind === 'dm' ? parsed.participants.filter(name => name !== viewer) : []
}

/** `engineering`, or the names of the others. */
export function plainName(channel: ChannelId): string {
  return isDm(channel) ? othersIn(channel).join(', ') : channel
}

/** As it is spoken of: `#engineering`, `tomasz`. */
export function nameOf(channel: ChannelId): string {
  return isDm(channel) ? plainName(channel) : `#${channel}`
}
