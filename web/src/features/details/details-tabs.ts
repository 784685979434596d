/** The tabs of the details panel. */
import type { ComponentType } from 'preact'
import { strings } from '../../i18n/i18n.ts'
import type { Channel } from '../../store/channels/channels.ts'
import { peopleIn } from '../../store/channels/people-in.ts'
import type { DetailsTabId } from '../../store/route.ts'
import { laterPart } from '../later/open-later.ts'
import { AboutTab } from './AboutTab.tsx'
import { FilesTab } from './FilesTab.tsx'
import { PeopleTab } from './PeopleTab.tsx'
import { filesIn } from './use-file-count.ts'

export interface DetailsTab {
  id: DetailsTabId
  name: () => string
  /** The number in the tab. */
  count?: (channel: Channel) => number | undefined
  /** The content; undefined while it is fetched (`Part.get`). */
  part: () => ComponentType<{ channel: Channel }> | undefined
}

export const DETAILS_TABS: DetailsTab[] = [
  { id: 'about', name: () => strings.details.about, part: () => AboutTab },
  { id: 'people', name: () => strings.people.title, count: peopleIn, part: () => PeopleTab },
  {
    id: 'pins',
    name: () => strings.details.pins,
    count: channel => channel.info.value?.pins,
    part: () => laterPart.get('PinsTab'),
  },
  { id: 'files', name: () => strings.files.title, count: filesIn, part: () => FilesTab },
]
