/** The panels beside the messages. None of them is part of the first load. */
import { later } from './later.ts'

export const MentionsPanel = later(() =>
  import('./mentions/MentionsPanel.tsx').then(module => module.MentionsPanel),
)
export const PeoplePanel = later(() => import('./people/PeoplePanel.tsx').then(module => module.PeoplePanel))
export const SearchPanel = later(() => import('./search/SearchPanel.tsx').then(module => module.SearchPanel))
