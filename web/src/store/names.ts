/** Display names of channels. */
import { parseChannelId } from '#shared/domain/channel-id.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { strings } from '../i18n/i18n.ts'
import { privateChannels, viewer } from './store.ts'

export const isDm = (channel: ChannelId) => channel.startsWith('dm:')
export const isPrivate = (channel: ChannelId) => channel.startsWith('private:')

/** Icon before the name; a conversation shows people instead. */
export const iconOf = (channel: ChannelId) => (isDm(channel) ? 'at' : isPrivate(channel) ? 'lock' : 'hash')

/** The other people of a conversation; the viewer in a conversation without others. */
export function othersIn(channel: ChannelId): Username[] {
  const parsed = parseChannelId(channel)
  return parsed?.kind === 'dm' ? parsed.participants.filter(name => name !== viewer) : []
}

/** `engineering`, `Rev C board`, or the names of the others. */
export function plainName(channel: ChannelId): string {
  if (isDm(channel)) return othersIn(channel).join(', ')
  if (isPrivate(channel)) return nameOfPrivate(channel)
  return channel
}

/** The name in running text: `#engineering`, `Rev C board`, `tomasz`. */
export function nameOf(channel: ChannelId): string {
  return isDm(channel) || isPrivate(channel) ? plainName(channel) : `#${channel}`
}

/** A lost channel keeps its last name; a channel that was never the viewer's has none. */
function nameOfPrivate(channel: ChannelId): string {
  const found = privateChannels.value.find(one => one.channel === channel)
  if (found) lastNames.set(channel, found.name)
  return found?.name ?? lastNames.get(channel) ?? strings.privateChannel.unknown
}

const lastNames = new Map<ChannelId, string>()
