/** Entry of calls and screen shares. Their code is a chunk, loaded with the first of them. */
import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { showToast } from '../../ui/feedback.ts'
import { lazyComponent } from '../../ui/lazy.tsx'

const chunk = () => import('./lazy-chunk.ts')

export const IncomingCalls = lazyComponent(() => chunk().then(module => module.IncomingCalls))
export const Stage = lazyComponent(() => chunk().then(module => module.Stage))
export const MiniCall = lazyComponent(() => chunk().then(module => module.MiniCall))
export const CallStrip = lazyComponent(() => chunk().then(module => module.CallStrip))
export const ElsewhereStrip = lazyComponent(() => chunk().then(module => module.ElsewhereStrip))
export const ConversationHead = lazyComponent(() => chunk().then(module => module.ConversationHead))
export const ShareBanner = lazyComponent(() => chunk().then(module => module.ShareBanner))
export const ChannelCallBanner = lazyComponent(() => chunk().then(module => module.ChannelCallBanner))
export const CallDialogs = lazyComponent(() => chunk().then(module => module.CallDialogs))

export const startCall = (channel: ChannelId, camera: boolean) =>
  withChunk(module => module.startOrShowCall(channel, camera))
export const startShare = (channel: ChannelId) => withChunk(module => module.shareScreen(channel))

async function withChunk(run: (module: Awaited<ReturnType<typeof chunk>>) => Promise<void>) {
  try {
    await run(await chunk())
  } catch (error) {
    // The server is away, or has been updated and no longer has this version's files.
    if (!(error instanceof TypeError)) throw error
    showToast(strings.startCall.notLoaded, { icon: 'alert' })
  }
}
