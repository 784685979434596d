/** Entry of the chunk with all code of calls and shares, loaded with the first one. */
import '../../i18n/call-strings.ts'

export { CallDialogs } from './CallDialogs.tsx'
export { ChannelCallBanner } from './ChannelCallBanner.tsx'
export { ElsewhereStrip } from './ElsewhereStrip.tsx'
export { IncomingCalls } from './IncomingCalls.tsx'
export { CallStrip, MiniCall } from './MiniCall.tsx'
export { ShareBanner } from './ShareBanner.tsx'
export { ConversationHead, Stage } from './Stage.tsx'
export { shareScreen } from './shares.ts'
export { startOrShowCall } from './start-call.ts'
