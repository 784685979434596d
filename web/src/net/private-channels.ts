/** The viewer's private channels. New ones appear at once; lost ones close with a notice. */
import { batch } from '@preact/signals'
import type { PrivateChannelPayload } from '#shared/domain/payloads.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { channelOf, current } from '../store/channels.ts'
import { isPrivate, plainName } from '../store/names.ts'
import { type Report, report } from '../store/reports.ts'
import { hashOf } from '../store/route.ts'
import { isPhone, panel, privateChannels, publicChannels } from '../store/store.ts'
import * as endpoints from './endpoints.ts'
import { tolerateFailure } from './failure.ts'
import { load, loadMembers } from './open-channel.ts'

/** A frame sent before the channel was created may arrive after it. */
const NEW_FOR = 5_000
const made = new Map<ChannelId, number>()

export function takePrivateChannels(listed: PrivateChannelPayload[]) {
  const before = privateChannels.peek()
  const isListed = (channel: ChannelId) => listed.some(one => one.channel === channel)
  const list = [...listed, ...before.filter(one => isNew(one.channel) && !isListed(one.channel))]
  // Read before the list is replaced: afterwards the names are gone.
  const lost = before.filter(one => !list.some(other => other.channel === one.channel))
  const names = new Map(lost.map(one => [one.channel, plainName(one.channel)]))
  privateChannels.value = list
  for (const { channel } of lost) close(channel, { what: 'channel-lost', name: names.get(channel)! })
  const open = current.peek()
  if (open && isPrivate(open.id) && open.state.peek() === 'forbidden' && isListed(open.id)) void load(open)
}

/** The viewer leaves; the frame that follows finds the channel gone already. */
export async function leaveChannel(channel: ChannelId) {
  const name = plainName(channel)
  const { id } = privateChannels.peek().find(one => one.channel === channel) ?? {}
  if (id === undefined) return
  try {
    await endpoints.leavePrivateChannel(id)
  } catch (error) {
    // Already removed from it, or the channel is gone: same result.
    tolerateFailure(error)
    if (error.status !== 403 && error.status !== 404) return report({ what: 'channel-not-left', name })
  }
  made.delete(channel)
  privateChannels.value = privateChannels.peek().filter(one => one.channel !== channel)
  close(channel, { what: 'channel-left', name })
}

/** Shown at once; the next frame confirms it. */
export async function renameChannel(channel: ChannelId, name: string): Promise<boolean> {
  const before = privateChannels.peek()
  const found = before.find(one => one.channel === channel)
  if (!found) return false
  const named = (to: string) =>
    privateChannels.peek().map(one => (one.channel === channel ? { ...one, name: to } : one))
  privateChannels.value = named(name)
  try {
    await endpoints.renamePrivateChannel(found.id, name)
    return true
  } catch (error) {
    tolerateFailure(error)
    privateChannels.value = named(found.name)
    return false
  }
}

export async function addMember(
  channel: ChannelId,
  name: string,
): Promise<'added' | 'already' | 'unknown' | 'failed'> {
  const found = privateChannels.peek().find(one => one.channel === channel)
  if (!found) return 'failed'
  try {
    await endpoints.addPrivateMember(found.id, name)
  } catch (error) {
    tolerateFailure(error)
    return error.status === 409 ? 'already' : error.status === 404 ? 'unknown' : 'failed'
  }
  await loadMembers(channelOf(channel))
  return 'added'
}

/** Drops all its data from the page: after a new invitation the viewer sees another history. */
function close(id: ChannelId, outcome: Report) {
  const channel = channelOf(id)
  const wasOpen = current.peek() === channel
  batch(() => {
    channel.liveWindow.value = undefined
    channel.historyWindow.value = undefined
    channel.serverMembers.value = []
    channel.state.value = 'new'
    if (wasOpen && panel.peek() === 'people') panel.value = undefined
  })
  if (!wasOpen) return
  const next = publicChannels.peek()[0]
  location.hash = isPhone.peek() || !next ? '#/' : hashOf(next)
  report(outcome)
}

/** Reports the names without an account instead of dropping them silently. */
export async function createChannel(name: string, members: string[]) {
  const { id, channel, skipped = [] } = await endpoints.createPrivateChannel(name, members)
  made.set(channel, performance.now())
  if (!isListed(channel))
    privateChannels.value = [...privateChannels.peek(), { id, channel, name, unread: 0 }]
  location.hash = hashOf(channel)
  if (skipped.length > 0) report({ what: 'people-skipped', names: skipped })
}

const isNew = (channel: ChannelId) =>
  performance.now() - (made.get(channel) ?? Number.NEGATIVE_INFINITY) < NEW_FOR
const isListed = (channel: ChannelId) => privateChannels.peek().some(one => one.channel === channel)
