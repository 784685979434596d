/** Channels that the viewer cannot read, and conversations with people who do not exist. */
import type { Username } from '#shared/domain/units.ts'
import type { Channel } from './channels.ts'
import { isDm, othersIn } from './names.ts'
import { dms, people } from './store.ts'

/** Names without an account in a conversation that has not begun. */
export function strangersIn(channel: Channel): Username[] {
  const isBegun =
    dms.value.some(dm => dm.channel === channel.id) || (channel.liveWindow.value?.rows.length ?? 0) > 0
  if (!isDm(channel.id) || people.value.length === 0 || isBegun) return []
  const known = new Set(people.value.map(name => name.toLowerCase()))
  return othersIn(channel.id).filter(name => !known.has(name.toLowerCase()))
}

export const isClosed = (channel: Channel) =>
  channel.state.value === 'forbidden' || strangersIn(channel).length > 0
