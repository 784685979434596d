/** The viewer's private channels. New ones appear at once; lost ones close with a notice. */
import { batch } from '@preact/signals'
import type { PrivateChannelPayload } from '#shared/domain/payloads.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { channelOf, current } from '../store/channels.ts'
import { isPrivate, plainName } from '../store/names.ts'
import { type Report, report } from '../store/reports.ts'
import { hashOf } from '../store/route.ts'
import { isPhone, panel, privateChannels, publicChannels } from '../store/store.ts'
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
  for (const { channel } of lost) closeLost(channel, { what: 'channel-lost', name: names.get(channel)! })
  const open = current.peek()
  if (open && isPrivate(open.id) && open.state.peek() === 'forbidden' && isListed(open.id)) void load(open)
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
