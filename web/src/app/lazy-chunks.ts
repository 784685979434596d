/**
 * Large parts, fetched when they are first opened. Calls, notifications, the emoji picker, the image viewer, the code
 * colours and German are chunks of their own, too. All else is in the first load: a request costs more than a small part.
 */
import { lazyComponent } from '../ui/lazy.tsx'

export const PrivateChannelDialogs = lazyComponent(() =>
  import('../features/private-channels/PrivateChannelDialogs.tsx').then(
    module => module.PrivateChannelDialogs,
  ),
)
export const SearchPanel = lazyComponent(() =>
  import('../features/search/SearchPanel.tsx').then(module => module.SearchPanel),
)
export const Settings = lazyComponent(() =>
  import('../features/settings/Settings.tsx').then(module => module.Settings),
)
export const Switcher = lazyComponent(() =>
  import('../features/switcher/Switcher.tsx').then(module => module.Switcher),
)
