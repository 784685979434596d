/** What stands beside the messages. None of it is part of the first load. */
import { lazy } from './ui/lazy.tsx'

export const MentionsPanel = lazy(() =>
  import('./mentions/MentionsPanel.tsx').then(module => module.MentionsPanel),
)
export const PeoplePanel = lazy(() => import('./people/PeoplePanel.tsx').then(module => module.PeoplePanel))
export const SearchPanel = lazy(() => import('./search/SearchPanel.tsx').then(module => module.SearchPanel))
