/**
 * Parts that are not in the first load: the panels and dialogs as one chunk, the settings as another. Calls,
 * notifications, the emoji picker, the image viewer, the code colours and German are chunks of their own, too.
 */
export { SavedPage, ScheduledPage } from '../features/later/open-later.ts'

import { lazyComponent } from '../ui/lazy.tsx'

const panelsAndDialogs = () => import('./panels-and-dialogs.ts')

const threads = () => import('./threads.ts')

const administration = () => import('./administration.ts')

export const AdministrationPage = lazyComponent(() =>
  administration().then(module => module.AdministrationPage),
)
export const AdministrationNav = lazyComponent(() =>
  administration().then(module => module.AdministrationNav),
)
export const InviteDialog = lazyComponent(() => administration().then(module => module.InviteDialog))
export const PasswordDialog = lazyComponent(() => administration().then(module => module.PasswordDialog))

export const AccountDeleted = lazyComponent(() => panelsAndDialogs().then(module => module.AccountDeleted))
export const AddPeopleDialog = lazyComponent(() => panelsAndDialogs().then(module => module.AddPeopleDialog))
export const BrowsePage = lazyComponent(() => panelsAndDialogs().then(module => module.BrowsePage))
export const ChannelDetailsDialog = lazyComponent(() =>
  panelsAndDialogs().then(module => module.ChannelDetailsDialog),
)
export const DeleteDialog = lazyComponent(() => panelsAndDialogs().then(module => module.DeleteDialog))
export const DetailsPanel = lazyComponent(() => panelsAndDialogs().then(module => module.DetailsPanel))
export const ForwardDialog = lazyComponent(() => panelsAndDialogs().then(module => module.ForwardDialog))
export const KeyboardSheet = lazyComponent(() => panelsAndDialogs().then(module => module.KeyboardSheet))
export const MentionsPanel = lazyComponent(() => panelsAndDialogs().then(module => module.MentionsPanel))
export const NewChannelDialog = lazyComponent(() =>
  panelsAndDialogs().then(module => module.NewChannelDialog),
)
export const NewDmDialog = lazyComponent(() => panelsAndDialogs().then(module => module.NewDmDialog))
export const PrivateChannelDialogs = lazyComponent(() =>
  panelsAndDialogs().then(module => module.PrivateChannelDialogs),
)
export const SearchPanel = lazyComponent(() => panelsAndDialogs().then(module => module.SearchPanel))
export const Settings = lazyComponent(() =>
  import('../features/settings/Settings.tsx').then(module => module.Settings),
)
export const SignedOut = lazyComponent(() => panelsAndDialogs().then(module => module.SignedOut))
export const StatusDialog = lazyComponent(() => panelsAndDialogs().then(module => module.StatusDialog))
export const Switcher = lazyComponent(() => panelsAndDialogs().then(module => module.Switcher))
export const ThreadPanel = lazyComponent(() => threads().then(module => module.ThreadPanel))
export const ThreadsPage = lazyComponent(() => threads().then(module => module.ThreadsPage))
export const UnknownAddress = lazyComponent(() =>
  import('./UnknownAddress.tsx').then(module => module.UnknownAddress),
)
