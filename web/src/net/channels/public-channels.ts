/** Public channels: joining, leaving, making and archiving them. */
import type { PublicChannelPayload } from '#shared/domain/payloads/channels.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { nameOf, noteNames } from '../../store/channels/names.ts'
import { report } from '../../store/reports.ts'
import { hashOf } from '../../store/route.ts'
import { takeChoices } from '../../store/sidebar/channel-choices.ts'
import { channelUnreads, me } from '../../store/store.ts'
import { sidebar } from '../requests/endpoints.ts'
import { tolerateFailure } from '../requests/failure.ts'
import * as endpoints from '../requests/lazy-endpoints.ts'

/** Reads the sidebar again, without waiting for its frame. */
async function reloadSidebar() {
  try {
    takeChoices(await sidebar())
  } catch (error) {
    tolerateFailure(error)
  }
}

/** Returns false if it failed, which a toast says. */
export async function joinChannel(channel: ChannelId): Promise<boolean> {
  try {
    await endpoints.joinPublicChannel(channel)
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'channel-not-joined', name: nameOf(channel) })
    return false
  }
  // The next frame of counts confirms it.
  if (!channelUnreads.peek().has(channel))
    channelUnreads.value = new Map(channelUnreads.peek()).set(channel, 0)
  await reloadSidebar()
  return true
}

/** Members may join again: the toast offers it as Undo. Guests may not. */
export async function leavePublicChannel(channel: ChannelId): Promise<boolean> {
  const name = nameOf(channel)
  try {
    await endpoints.leavePublicChannel(channel)
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'channel-not-left', name })
    return false
  }
  const counts = new Map(channelUnreads.peek())
  counts.delete(channel)
  channelUnreads.value = counts
  await reloadSidebar()
  if (me.peek()?.role === 'guest') report({ what: 'channel-left', name })
  else report({ what: 'public-channel-left', name, undo: () => void joinChannel(channel) })
  return true
}

export interface NewChannel {
  /** The same for each attempt: a repetition after a lost response makes no second channel. */
  id: string
  name: string
  topic?: string
  /** Only managers write. */
  readOnly: boolean
  people: Username[]
}

/** Makes a public channel and opens it. Throws the failure of making it; people who are not added are reported. */
export async function createPublicChannel({ id, name, topic, readOnly, people }: NewChannel) {
  const made: PublicChannelPayload = await endpoints.createPublicChannel({
    name,
    ...(topic && { topic }),
    ...(readOnly && { posting: 'managers' }),
    client_id: id,
  })
  const { channel } = made
  noteNames([made])
  channelUnreads.value = new Map(channelUnreads.peek()).set(channel, 0)
  await reloadSidebar()
  location.hash = hashOf(channel)
  if (people.length > 0) await addPeople(channel, people)
}

/** Reports the people who were not added. */
export async function addPeople(channel: ChannelId, people: Username[]) {
  try {
    const { skipped } = await endpoints.addToPublicChannel(channel, people)
    if (skipped.length > 0) report({ what: 'people-skipped', names: skipped })
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'people-skipped', names: people })
  }
}

/** Archives the channel or brings it back; Undo does the opposite. Returns the HTTP status of a failure, which is reported. */
export async function setArchived(
  channel: ChannelId,
  on: boolean,
  withUndo = true,
): Promise<number | undefined> {
  const name = nameOf(channel)
  try {
    await (on ? endpoints.archiveChannel(channel) : endpoints.unarchiveChannel(channel))
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'channel-not-changed', name })
    return error.status
  }
  await reloadSidebar()
  if (withUndo && on)
    report({ what: 'channel-archived', name, undo: () => void setArchived(channel, false, false) })
  return undefined
}
