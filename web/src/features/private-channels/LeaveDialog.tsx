import type { ChannelId } from '#shared/domain/units.ts'
import { words } from '../../i18n/i18n.ts'
import { leaveChannel } from '../../net/private-channels.ts'
import { channelOf } from '../../store/channels.ts'
import { plainName } from '../../store/names.ts'
import { Dialog } from '../../ui/Dialog.tsx'

export function LeaveDialog({ channel, close }: { channel: ChannelId; close: () => void }) {
  const isLast = channelOf(channel).members.value.length === 0
  const title = words.privateChannel.leaveAsk(plainName(channel))
  return (
    <Dialog label={title} onClose={close} narrow>
      <h2 class="dlg-title">{title}</h2>
      <p class="dlg-more">{isLast ? words.privateChannel.leaveLast : words.privateChannel.leaveMore}</p>
      <div class="dlg-foot">
        <button type="button" class="btn" onClick={close}>
          {words.cancel}
        </button>
        <button
          type="button"
          class="btn btn-danger"
          onClick={() => {
            close()
            void leaveChannel(channel)
          }}
        >
          {words.privateChannel.leaveShort}
        </button>
      </div>
    </Dialog>
  )
}
