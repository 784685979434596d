import { useEffect } from 'preact/hooks'
import { isInviteOpen, passwordAsked } from '../features/administration/open-administration.ts'
import { editedChannel, newChannelName } from '../features/browse/open-browse.ts'
import { forwarding } from '../features/channel/forward/open-forward.ts'
import { deleting } from '../features/channel/message-actions.tsx'
import { MentionMenu } from '../features/channel/use-completion.ts'
import { growingChannel } from '../features/details/open-details.ts'
import { editedGroup, GroupDialog } from '../features/groups/open-groups.ts'
import { isKeyboardSheetOpen } from '../features/keyboard-sheet/open-keyboard-sheet.ts'
import { isNewDmOpen } from '../features/new-dm/open-new-dm.ts'
import { privateChannelDialog } from '../features/private-channels/open-private-channels.ts'
import { settingsPage } from '../features/settings/open-settings.ts'
import { isStatusOpen } from '../features/status/open-status.ts'
import { isSwitcherOpen } from '../features/switcher/open-switcher.ts'
import { firstScreen } from '../store/first-screen.ts'
import { Lazy } from '../ui/lazy.tsx'
import {
  AddPeopleDialog,
  ChannelDetailsDialog,
  DeleteDialog,
  ForwardDialog,
  InviteDialog,
  KeyboardSheet,
  NewChannelDialog,
  NewDmDialog,
  PasswordDialog,
  PrivateChannelDialogs,
  Settings,
  StatusDialog,
  Switcher,
} from './lazy-chunks.ts'

/** Dialogs that open from anywhere. */
export function Overlays() {
  useEffect(() => {
    // Prefetched with the rest of its chunk, so that panels and dialogs open at once, also offline.
    void firstScreen().then(() => {
      Switcher.prefetch()
      MentionMenu.prefetch()
    })
  }, [])
  return (
    <>
      {deleting.value && <Lazy of={DeleteDialog} />}
      {forwarding.value && <Lazy of={ForwardDialog} />}
      {newChannelName.value !== undefined && <Lazy of={NewChannelDialog} />}
      {editedChannel.value && <Lazy of={ChannelDetailsDialog} />}
      {growingChannel.value && <Lazy of={AddPeopleDialog} />}
      {editedGroup.value && <Lazy of={GroupDialog} />}
      {isInviteOpen.value && <Lazy of={InviteDialog} />}
      {passwordAsked.value && <Lazy of={PasswordDialog} />}
      {isNewDmOpen.value && <Lazy of={NewDmDialog} />}
      {privateChannelDialog.value && <Lazy of={PrivateChannelDialogs} />}
      {isStatusOpen.value && <Lazy of={StatusDialog} />}
      {isSwitcherOpen.value && <Lazy of={Switcher} />}
      {settingsPage.value && <Lazy of={Settings} />}
      {isKeyboardSheetOpen.value && <Lazy of={KeyboardSheet} />}
    </>
  )
}
