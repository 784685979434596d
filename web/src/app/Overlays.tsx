import { useEffect } from 'preact/hooks'
import { deleting } from '../features/channel/message-actions.tsx'
import { isKeyboardSheetOpen } from '../features/keyboard-sheet/open-keyboard-sheet.ts'
import { isNewDmOpen } from '../features/new-dm/open-new-dm.ts'
import { ProfileCard } from '../features/people/open-profile.ts'
import { privateChannelDialog } from '../features/private-channels/open-private-channels.ts'
import { settingsPage } from '../features/settings/open-settings.ts'
import { isSwitcherOpen } from '../features/switcher/open-switcher.ts'
import { firstScreen } from '../store/first-screen.ts'
import { Lazy, lazyComponent } from '../ui/lazy.tsx'
import { MentionsPanel, PeoplePanel, SearchPanel } from './panels.ts'

const DeleteDialog = lazyComponent(() =>
  import('../features/channel/DeleteDialog.tsx').then(module => module.DeleteDialog),
)
const NewDmDialog = lazyComponent(() =>
  import('../features/new-dm/NewDmDialog.tsx').then(module => module.NewDmDialog),
)
const PrivateChannelDialogs = lazyComponent(() =>
  import('../features/private-channels/PrivateChannelDialogs.tsx').then(
    module => module.PrivateChannelDialogs,
  ),
)
const Switcher = lazyComponent(() =>
  import('../features/switcher/Switcher.tsx').then(module => module.Switcher),
)
const Settings = lazyComponent(() =>
  import('../features/settings/Settings.tsx').then(module => module.Settings),
)
const KeyboardSheet = lazyComponent(() =>
  import('../features/keyboard-sheet/KeyboardSheet.tsx').then(module => module.KeyboardSheet),
)

/** Dialogs that open from anywhere. None is part of the first load. */
export function Overlays() {
  useEffect(() => {
    // Prefetched, so that they open at once, also offline.
    void firstScreen().then(() => {
      for (const part of [Switcher, DeleteDialog, ProfileCard, MentionsPanel, PeoplePanel, SearchPanel])
        part.get()
    })
  }, [])
  return (
    <>
      {deleting.value && <Lazy of={DeleteDialog} />}
      {isNewDmOpen.value && <Lazy of={NewDmDialog} />}
      {privateChannelDialog.value && <Lazy of={PrivateChannelDialogs} />}
      {isSwitcherOpen.value && <Lazy of={Switcher} />}
      {settingsPage.value && <Lazy of={Settings} />}
      {isKeyboardSheetOpen.value && <Lazy of={KeyboardSheet} />}
    </>
  )
}
