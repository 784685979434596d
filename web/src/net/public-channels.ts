/** Public channels: the list in the sidebar, joining, leaving and making them. */
import type { PublicChannelPayload } from '#shared/domain/payloads.ts'
import type { ChannelId, Username } from '#shared/domain/units.ts'
import { nameOf } from '../store/names.ts'
import { report } from '../store/reports.ts'
import { hashOf } from '../store/route.ts'
import { channelUnreads, publicChannels, publicNames } from '../store/store.ts'
import * as endpoints from './endpoints.ts'
import { tolerateFailure } from './failure.ts'
import { uuid } from './uuid.ts'

/** Channels whose name differs from their id. */
export function noteNames(list: readonly { channel: ChannelId; name: string | null }[]) {
  const known = publicNames.peek()
  const changed = list.filter(({ channel, name }) => (known.get(channel) ?? channel) !== (name ?? channel))
  if (changed.length === 0) return
  const names = new Map(known)
  for (const { channel, name } of changed) names.set(channel, name ?? channel)
  publicNames.value = names
}

/** The order of the list is the server's. */
export async function reloadPublicChannels() {
  try {
    const listed = await endpoints.channels()
    if (listed.join('\n') !== publicChannels.peek().join('\n')) publicChannels.value = listed
  } catch (error) {
    tolerateFailure(error)
  }
}

/** Loads the names of the first two hundred channels. Others are named when they are opened. */
export async function loadNames() {
  try {
    const { items } = await endpoints.publicChannelsPage(EVERY_CHANNEL, undefined)
    noteNames(items)
  } catch (error) {
    tolerateFailure(error)
  }
}

const EVERY_CHANNEL = { words: '', sort: 'name', archived: false } as const

let isReloading = false
/** A frame of counts names the joined channels: the list is requested again when it differs. */
export function followJoined(counted: ReadonlyMap<ChannelId, number>) {
  const listed = publicChannels.peek()
  const isSame = listed.length === counted.size && listed.every(channel => counted.has(channel))
  if (isSame || isReloading) return
  isReloading = true
  void Promise.all([reloadPublicChannels(), loadNames()]).finally(() => {
    isReloading = false
  })
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
  await reloadPublicChannels()
  return true
}

/** Joining again needs no invitation: the toast offers it as Undo. */
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
  await reloadPublicChannels()
  report({ what: 'public-channel-left', name, undo: () => void joinChannel(channel) })
  return true
}

export interface NewChannel {
  name: string
  topic?: string
  /** Only managers write. */
  readOnly: boolean
  people: Username[]
}

/** Makes a public channel and opens it. Throws the failure of making it; people who are not added are reported. */
export async function createPublicChannel({ name, topic, readOnly, people }: NewChannel) {
  const made: PublicChannelPayload = await endpoints.createPublicChannel({
    name,
    ...(topic && { topic }),
    client_id: uuid(),
  })
  const { channel } = made
  noteNames([made])
  channelUnreads.value = new Map(channelUnreads.peek()).set(channel, 0)
  await reloadPublicChannels()
  location.hash = hashOf(channel)
  try {
    if (readOnly) await endpoints.changeChannelInfo(channel, { posting: 'managers' })
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'channel-not-changed', name: nameOf(channel) })
  }
  if (people.length > 0) await addPeople(channel, people)
}

async function addPeople(channel: ChannelId, people: Username[]) {
  try {
    const { skipped } = await endpoints.addToPublicChannel(channel, people)
    if (skipped.length > 0) report({ what: 'people-skipped', names: skipped })
  } catch (error) {
    tolerateFailure(error)
    report({ what: 'people-skipped', names: people })
  }
}

/** Archives the channel or brings it back; Undo does the opposite. */
export async function setArchived(channel: ChannelId, on: boolean, withUndo = true): Promise<void> {
  const name = nameOf(channel)
  try {
    await (on ? endpoints.archiveChannel(channel) : endpoints.unarchiveChannel(channel))
  } catch (error) {
    tolerateFailure(error)
    return report({ what: 'channel-not-changed', name })
  }
  await reloadPublicChannels()
  if (withUndo && on)
    report({ what: 'channel-archived', name, undo: () => void setArchived(channel, false, false) })
}
