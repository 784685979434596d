import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { type Channel, channelOf } from '../../store/channels/channels.ts'
import { isDm, isPrivate } from '../../store/channels/names.ts'
import { publicChannels, started } from '../../store/store.ts'

/** Reports that the viewer writes nothing here: an archived or read-only channel, or one that is not joined. */
export function isReadOnly(channel: Channel): boolean {
  return !mayPost(channel) || isPreview(channel)
}

/** False for everybody in an archived channel. True until the channel's info is known. */
export function mayPost(channel: Channel): boolean {
  const info = channel.info.value
  return info === undefined || info.kind === 'dm' || info.may.includes('post')
}

/** The viewer reads a public channel without having joined it. */
export const isPreview = ({ id }: Channel) =>
  started.value === 'ready' && !isDm(id) && !isPrivate(id) && !publicChannels.value.includes(id)

export const canReact = (row: MessagePayload) => channelOf(row.channel).info.value?.archived !== true
