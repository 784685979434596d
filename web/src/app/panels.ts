/** The panels beside the messages. None of them is part of the first load. */
import { later } from '../ui/later.ts'

export const MentionsPanel = later(() =>
  import('../features/mentions/MentionsPanel.tsx').then(module => module.MentionsPanel),
)
export const PeoplePanel = later(() =>
  import('../features/people/PeoplePanel.tsx').then(module => module.PeoplePanel),
)
export const SearchPanel = later(() =>
  import('../features/search/SearchPanel.tsx').then(module => module.SearchPanel),
)
