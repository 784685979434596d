/** Starting, watching and stopping screen shares (interface 4.9). */
import type { ScreensharePayload } from '#shared/domain/payloads/calls.ts'
import type { ChannelId } from '#shared/domain/units.ts'
import { NoMedia, openScreen } from '../../common/media-devices.ts'
import { strings } from '../../i18n/i18n.ts'
import { startShare, stopShare } from '../../net/requests/call-endpoints.ts'
import { Failure } from '../../net/requests/endpoints.ts'
import { plainName } from '../../store/channels/names.ts'
import { viewer } from '../../store/store.ts'
import { showToast } from '../../ui/feedback.ts'
import { showDeviceTrouble } from './device-trouble.ts'
import { OwnShare } from './own-share.ts'
import { persistently } from './persistently.ts'
import { minimised, ownShare, setOwnShare, showConversationIfRoom, watched } from './state.ts'
import { WatchedShare } from './watched-share.ts'

export async function shareScreen(channel: ChannelId) {
  try {
    const track = await openScreen()
    if (!track) return
    ownShare.peek()?.stop()
    try {
      const { share_id } = await startShare(channel)
      const share: OwnShare = new OwnShare(channel, share_id, track, () => {
        if (ownShare.peek() === share) setOwnShare(undefined)
      })
      setOwnShare(share)
    } catch (error) {
      track.stop()
      throw error
    }
  } catch (error) {
    if (error instanceof NoMedia) showDeviceTrouble(error, () => void shareScreen(channel))
    else if (error instanceof Failure)
      showToast(strings.shares.notBegun(plainName(channel)), { icon: 'alert' })
    else throw error
  }
}

export function watch(share: ScreensharePayload) {
  watched.peek()?.close()
  minimised.value = true
  showConversationIfRoom()
  const next: WatchedShare = new WatchedShare(share, () => {
    if (watched.peek() === next) watched.value = undefined
  })
  watched.value = next
}

/** Stops a share that another tab or device of this person has begun, or this tab before a reload. */
export async function stopOwn(share: string) {
  if (ownShare.peek()?.id === share) return ownShare.peek()?.stop()
  await persistently(() => stopShare(share))
}

/** The viewer's own shares, also those from other devices. */
export const isOwn = ({ sharer }: ScreensharePayload) => sharer === viewer
