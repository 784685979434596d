/** Closes a conversation; the module is fetched on first use. */
import type { ChannelId } from '#shared/domain/units.ts'
import { withModule } from '../ui/lazy.tsx'

export const closeConversation = (channel: ChannelId) =>
  withModule(
    () => import('./close-conversation.ts'),
    module => module.closeConversation(channel),
  )
