/** Making, renaming, extending and leaving private channels. */
import type { ChannelId } from '#shared/domain/units.ts'
import { channelOf } from '../../store/channels/channels.ts'
import { plainName } from '../../store/channels/names.ts'
import { report } from '../../store/reports.ts'
import { hashOf } from '../../store/route.ts'
import { privateChannels } from '../../store/store.ts'
import { tolerateFailure } from '../requests/failure.ts'
import * as endpoints from '../requests/lazy-endpoints.ts'
import { loadMembers } from './open-channel.ts'
import { closeLost, forgetMade, noteMade } from './private-channels.ts'

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
  forgetMade(channel)
  privateChannels.value = privateChannels.peek().filter(one => one.channel !== channel)
  closeLost(channel, { what: 'channel-left', name })
}

/** Shown at once; the next frame confirms it. */
export async function renameChannel(channel: ChannelId, name: string): Promise<boolean> {
  const before = privateChannels.peek()
  const entry = before.find(one => one.channel === channel)
  if (!entry) return false
  const named = (to: string) =>
    privateChannels.peek().map(one => (one.channel === channel ? { ...one, name: to } : one))
  privateChannels.value = named(name)
  try {
    await endpoints.renamePrivateChannel(entry.id, name)
    return true
  } catch (error) {
    tolerateFailure(error)
    privateChannels.value = named(entry.name)
    return false
  }
}

export async function addMember(
  channel: ChannelId,
  name: string,
): Promise<'added' | 'already' | 'unknown' | 'failed'> {
  const entry = privateChannels.peek().find(one => one.channel === channel)
  if (!entry) return 'failed'
  try {
    await endpoints.addPrivateMember(entry.id, name)
  } catch (error) {
    tolerateFailure(error)
    return error.status === 409 ? 'already' : error.status === 404 ? 'unknown' : 'failed'
  }
  await loadMembers(channelOf(channel))
  return 'added'
}

/** Reports the names without an account instead of dropping them silently. */
export async function createChannel(name: string, members: string[], readOnly = false) {
  const { id, channel, skipped = [] } = await endpoints.createPrivateChannel(name, members)
  noteMade(channel)
  if (!isListed(channel))
    privateChannels.value = [...privateChannels.peek(), { id, channel, name, unread: 0 }]
  location.hash = hashOf(channel)
  if (readOnly) await makeReadOnly(channel, name)
  if (skipped.length > 0) report({ what: 'people-skipped', names: skipped })
}

const isListed = (channel: ChannelId) => privateChannels.peek().some(one => one.channel === channel)

/** The channel stays if this fails, which a toast says. */
async function makeReadOnly(channel: ChannelId, name: string) {
  try {
    await endpoints.changeChannelInfo(channel, { posting: 'managers' })
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'channel-not-changed', name })
  }
}
