import { useEffect } from 'preact/hooks'
import { deleting } from './channel/message-actions.tsx'
import { firstScreen } from './first-screen.ts'
import { isKeyboardSheetOpen } from './keyboard-sheet/open.ts'
import { later } from './later.ts'
import { MentionsPanel, PeoplePanel, SearchPanel } from './panels.ts'
import { ProfileCard } from './people/profile.ts'
import { privateChannelDialog } from './private-channels/open.ts'
import { settingsPage } from './settings/open-settings.ts'
import { isNewDmOpen } from './sidebar/new-dm.ts'
import { isSwitcherOpen } from './switcher/open.ts'
import { Lazy } from './ui/lazy.tsx'

const DeleteDialog = later(() => import('./channel/DeleteDialog.tsx').then(module => module.DeleteDialog))
const NewDmDialog = later(() => import('./sidebar/NewDmDialog.tsx').then(module => module.NewDmDialog))
const PrivateChannelDialogs = later(() =>
  import('./private-channels/PrivateChannelDialogs.tsx').then(module => module.PrivateChannelDialogs),
)
const Switcher = later(() => import('./switcher/Switcher.tsx').then(module => module.Switcher))
const Settings = later(() => import('./settings/Settings.tsx').then(module => module.ready()))
const KeyboardSheet = later(() =>
  import('./keyboard-sheet/KeyboardSheet.tsx').then(module => module.KeyboardSheet),
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
