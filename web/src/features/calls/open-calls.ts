/** Entry of calls and screen shares. Their code follows the first screen. */
import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { showToast } from '../../ui/feedback.ts'
import { part } from '../../ui/part.ts'

export const callsPart = part<typeof import('./calls-part.ts')>()

export const startCall = (channel: ChannelId, camera: boolean) =>
  withChunk(module => module.startOrShowCall(channel, camera))
export const startShare = (channel: ChannelId) => withChunk(module => module.shareScreen(channel))

async function withChunk(run: (module: typeof import('./calls-part.ts')) => Promise<void>) {
  try {
    await run(await callsPart.load())
  } catch (error) {
    // The server is away, or has been updated and no longer has this version's files.
    if (!(error instanceof TypeError)) throw error
    showToast(strings.startCall.notLoaded, { icon: 'alert' })
  }
}
