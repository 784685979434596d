import { FormDialog } from '../../common/FormDialog.tsx'
import { strings } from '../../i18n/i18n.ts'
import { leaveChannel } from '../../net/channels/own-private-channels.ts'
import { channelOf } from '../../store/channels/channels.ts'
import { plainName } from '../../store/channels/names.ts'
import { leavingChannel } from './open-browse.ts'

const close = () => {
  leavingChannel.value = undefined
}

/** Asks before the viewer leaves a private channel: somebody has to add them again. */
export function LeaveDialog() {
  const channel = leavingChannel.value
  if (channel === undefined) return null
  const isLast = channelOf(channel).members.value.length === 0
  const texts = strings.privateDialog
  const run = () => {
    close()
    void leaveChannel(channel)
  }
  return (
    <FormDialog
      title={texts.leaveAsk(plainName(channel))}
      close={close}
      form={run}
      label={texts.leaveShort}
      danger
      narrow
    >
      <p class="dialog-text">{isLast ? texts.leaveLast : texts.leaveMore}</p>
    </FormDialog>
  )
}
