/** Marking from the keyboard and the menu of messages, without the code of it in the first load. */
import type { MessagePayload } from '#shared/domain/payloads.ts'
import type { Channel } from '../store/channels.ts'
import { withModule } from '../ui/lazy.tsx'

const marking = () => import('./marking.ts')

export const markMessageUnread = (row: MessagePayload) =>
  withModule(marking, module => void module.markMessageUnread(row))
/** Takes the New line away, too. */
export const markOpenChannelRead = (channel: Channel) =>
  withModule(marking, async module => {
    if (await module.markChannelRead(channel.id)) channel.unreadAfter.value = undefined
  })
export const markAllRead = () => withModule(marking, module => void module.markAllRead())
