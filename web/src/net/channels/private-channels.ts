/** The viewer's private channels. New ones appear at once; lost ones close with a notice. */
import { batch } from '@preact/signals'
import type { PrivateChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { channelOf, current } from '../../store/channels/channels.ts'
import { isPrivate, noteNames, plainName } from '../../store/channels/names.ts'
import { type Report, report } from '../../store/reports.ts'
import { hashOf } from '../../store/route.ts'
import { isPhone, panel, privateChannels, publicChannels } from '../../store/store.ts'
import { channelInfo } from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { load } from './open-channel.ts'

/** A frame sent before the channel was created may arrive after it. */
const NEW_FOR = 5_000
const made = new Map<ChannelId, number>()

export const noteMade = (channel: ChannelId) => made.set(channel, performance.now())
export const forgetMade = (channel: ChannelId) => made.delete(channel)

export function takePrivateChannels(listed: PrivateChannelPayload[]) {
  const before = privateChannels.peek()
  const isListed = (channel: ChannelId) => listed.some(one => one.channel === channel)
  const list = [...listed, ...before.filter(one => isNew(one.channel) && !isListed(one.channel))]
  // Read before the list is replaced: afterwards the names are gone.
  const lost = before.filter(one => !list.some(other => other.channel === one.channel))
  const names = new Map(lost.map(one => [one.channel, plainName(one.channel)]))
  privateChannels.value = list
  for (const { channel } of lost) void closeUnlessArchived(channel, names.get(channel)!)
  const open = current.peek()
  if (open && isPrivate(open.id) && open.state.peek() === 'forbidden' && isListed(open.id)) void load(open)
}

/** Closes a channel that left the lists. An archived one left them too, and its readers may stay in it. */
export async function closeUnlessArchived(id: ChannelId, name: string): Promise<void> {
  try {
    const info = await channelInfo(id)
    if (info.archived) {
      channelOf(id).info.value = info
      return noteNames([info])
    }
  } catch (error) {
    tolerateFailure(error)
  }
  const isBack = [...publicChannels.peek(), ...privateChannels.peek().map(one => one.channel)].includes(id)
  if (!isBack) closeLost(id, { what: 'channel-lost', name })
}

/** Drops all its data from the page: after a new invitation the viewer sees another history. */
export function closeLost(id: ChannelId, outcome: Report) {
  const channel = channelOf(id)
  const wasOpen = current.peek() === channel
  batch(() => {
    channel.liveWindow.value = undefined
    channel.historyWindow.value = undefined
    channel.serverMembers.value = []
    channel.state.value = 'new'
    if (wasOpen && panel.peek() === 'details') panel.value = undefined
  })
  if (!wasOpen) return
  const next = publicChannels.peek()[0]
  location.hash = isPhone.peek() || !next ? '#/' : hashOf(next)
  report(outcome)
}

const isNew = (channel: ChannelId) =>
  performance.now() - (made.get(channel) ?? Number.NEGATIVE_INFINITY) < NEW_FOR
