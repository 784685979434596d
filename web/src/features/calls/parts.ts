/** Entry of the chunk with all code of calls and shares, loaded with the first one. */
export { ShareBanner } from '../screenshares/ShareBanner.tsx'
export { shareScreen } from '../screenshares/shares.ts'
export { place } from './begin.ts'
export { CallDialogs } from './CallDialogs.tsx'
export { GoingOnBanner } from './GoingOnBanner.tsx'
export { IncomingCalls } from './IncomingCalls.tsx'
export { CallStrip, MiniCall } from './MiniCall.tsx'
export { ConversationHead, Stage } from './Stage.tsx'
