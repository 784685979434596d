import { isInviteOpen, passwordAsked } from '../features/administration/open-administration.ts'
import { editedChannel, leavingChannel, newChannel } from '../features/browse/open-browse.ts'
import { deleting } from '../features/channel/deleting.ts'
import { forwarding } from '../features/channel/open-forward.ts'
import { growingChannel } from '../features/details/open-details.ts'
import { editedGroup, groupsPart } from '../features/groups/open-groups.ts'
import { isKeyboardSheetOpen } from '../features/keyboard-sheet/open-keyboard-sheet.ts'
import { isNewDmOpen } from '../features/new-dm/open-new-dm.ts'
import { settingsPage } from '../features/settings/open-settings.ts'
import { isStatusOpen } from '../features/status/open-status.ts'
import { isSwitcherOpen } from '../features/switcher/open-switcher.ts'
import { Lazy } from '../ui/lazy.tsx'
import { isPopoverOpen } from '../ui/Popover.tsx'
import { panels } from './panels.ts'

/** Dialogs that open from anywhere. */
export function Overlays() {
  return (
    <>
      {deleting.value && <Lazy of={panels} name="DeleteDialog" />}
      {forwarding.value && <Lazy of={panels} name="ForwardDialog" />}
      {newChannel.value && <Lazy of={panels} name="NewChannelDialog" />}
      {editedChannel.value && <Lazy of={panels} name="ChannelDetailsDialog" />}
      {growingChannel.value && <Lazy of={panels} name="AddPeopleDialog" />}
      {editedGroup.value && <Lazy of={groupsPart} name="GroupDialog" />}
      {isInviteOpen.value && <Lazy of={panels} name="InviteDialog" />}
      {passwordAsked.value && <Lazy of={panels} name="PasswordDialog" />}
      {isNewDmOpen.value && <Lazy of={panels} name="NewDmDialog" />}
      {leavingChannel.value && <Lazy of={panels} name="LeaveDialog" />}
      {isStatusOpen.value && <Lazy of={panels} name="StatusDialog" />}
      {isSwitcherOpen.value && <Lazy of={panels} name="Switcher" />}
      {settingsPage.value && <Lazy of={panels} name="Settings" />}
      {isKeyboardSheetOpen.value && <Lazy of={panels} name="KeyboardSheet" />}
      {isPopoverOpen.value && <Lazy of={panels} name="PopoverHost" />}
    </>
  )
}
