/** The panels beside the messages. None of them is part of the first load. */
import { lazyComponent } from '../ui/lazy.tsx'

export const MentionsPanel = lazyComponent(() =>
  import('../features/mentions/MentionsPanel.tsx').then(module => module.MentionsPanel),
)
export const PeoplePanel = lazyComponent(() =>
  import('../features/people/PeoplePanel.tsx').then(module => module.PeoplePanel),
)
export const SearchPanel = lazyComponent(() =>
  import('../features/search/SearchPanel.tsx').then(module => module.SearchPanel),
)
