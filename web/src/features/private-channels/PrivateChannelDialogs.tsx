import { CreateDialog } from './CreateDialog.tsx'
import { LeaveDialog } from './LeaveDialog.tsx'
import { ManageDialog } from './ManageDialog.tsx'
import { privateChannelDialog } from './open-private-channels.ts'
import './private-channels.css'

export function PrivateChannelDialogs() {
  const dialog = privateChannelDialog.value
  const close = () => {
    privateChannelDialog.value = undefined
  }
  switch (dialog?.kind) {
    case 'create':
      return <CreateDialog close={close} />
    case 'manage':
      return <ManageDialog channel={dialog.channel} focus={dialog.focus} close={close} />
    case 'leave':
      return <LeaveDialog channel={dialog.channel} close={close} />
    default:
      return null
  }
}
