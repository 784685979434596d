import type { ChannelId } from '#shared/domain/units.ts'
import { strings } from '../../i18n/i18n.ts'
import { leaveChannel } from '../../net/channels/own-private-channels.ts'
import { channelOf } from '../../store/channels/channels.ts'
import { plainName } from '../../store/channels/names.ts'
import { Dialog } from '../../ui/Dialog.tsx'

export function LeaveDialog({ channel, close }: { channel: ChannelId; close: () => void }) {
  const isLast = channelOf(channel).members.value.length === 0
  const title = strings.privateDialog.leaveAsk(plainName(channel))
  return (
    <Dialog label={title} onClose={close} narrow>
      <h2 class="dialog-title">{title}</h2>
      <p class="dialog-text">{isLast ? strings.privateDialog.leaveLast : strings.privateDialog.leaveMore}</p>
      <div class="dialog-foot">
        <button type="button" class="button" onClick={close}>
          {strings.cancel}
        </button>
        <button
          type="button"
          class="button button-danger"
          onClick={() => {
            close()
            void leaveChannel(channel)
          }}
        >
          {strings.privateDialog.leaveShort}
        </button>
      </div>
    </Dialog>
  )
}
