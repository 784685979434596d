import type { ChannelInfoPayload } from '#shared/domain/payloads/channels.ts'
import { channelOf } from '../../store/channels/channels.ts'
import { nameOf } from '../../store/channels/names.ts'
import { report } from '../../store/reports.ts'
import { tolerateFailure } from '../requests/failure.ts'
import { changeChannelInfo } from '../requests/lazy-endpoints.ts'

/** Sent one after the other: the text that was typed last is the one that stays. */
let earlier: Promise<unknown> = Promise.resolve()

/** Shows a new topic or description at once, and takes it back if the server refuses. */
export async function changeText(info: ChannelInfoPayload, field: 'topic' | 'description', typed: string) {
  const text = typed.trim() || null
  if (text === info[field]) return
  const shown = channelOf(info.channel).info
  const changed = { ...(shown.peek() ?? info), [field]: text }
  shown.value = changed
  try {
    const sent = earlier.then(() => changeChannelInfo(info.channel, { [field]: text }))
    earlier = sent.catch(() => undefined)
    await sent
  } catch (error) {
    tolerateFailure(error)
    if (shown.peek() === changed) shown.value = info
    report({ what: 'channel-not-changed', name: nameOf(info.channel) })
  }
}
