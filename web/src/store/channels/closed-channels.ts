/** Channels that the viewer cannot read, and conversations with people who do not exist. */
import type { Username } from '#shared/domain/units.ts'
import { personOf } from '../people/people.ts'
import { dms, me, people, publicChannels, started } from '../store.ts'
import type { Channel } from './channels.ts'
import { isDm, isPrivate, othersIn } from './names.ts'

/** Names without an account in a conversation that has not begun. */
export function strangersIn(channel: Channel): Username[] {
  const isBegun =
    dms.value.some(dm => dm.channel === channel.id) || (channel.liveWindow.value?.rows.length ?? 0) > 0
  if (!isDm(channel.id) || people.value.length === 0 || isBegun) return []
  const known = new Set(people.value.map(name => name.toLowerCase()))
  return othersIn(channel.id).filter(name => !known.has(name.toLowerCase()) && !personOf(name))
}

/**
 * A guest who was removed from a public channel loses it at once, although its messages are loaded. An archived one
 * stays readable.
 */
const isClosedToGuest = ({ id, info }: Channel) =>
  me.value?.role === 'guest' &&
  started.value === 'ready' &&
  !isDm(id) &&
  !isPrivate(id) &&
  !info.value?.archived &&
  !publicChannels.value.includes(id)

export const isClosed = (channel: Channel) =>
  channel.state.value === 'forbidden' || isClosedToGuest(channel) || strangersIn(channel).length > 0
