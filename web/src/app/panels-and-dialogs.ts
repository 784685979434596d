/** The chunk of the panels and dialogs. It is fetched after the first screen, which shows none of them. */
import '../i18n/panel-strings.ts'

export { DeleteDialog } from '../features/channel/DeleteDialog.tsx'
export { SeenBy } from '../features/channel/SeenBy.tsx'
export { KeyboardSheet } from '../features/keyboard-sheet/KeyboardSheet.tsx'
export { MentionsPanel } from '../features/mentions/MentionsPanel.tsx'
export { NewDmDialog } from '../features/new-dm/NewDmDialog.tsx'
export { PeoplePanel } from '../features/people/PeoplePanel.tsx'
export { ProfileCard } from '../features/people/ProfileCard.tsx'
export { PrivateChannelDialogs } from '../features/private-channels/PrivateChannelDialogs.tsx'
export { RepliesPanel } from '../features/replies/RepliesPanel.tsx'
export { SearchPanel } from '../features/search/SearchPanel.tsx'
export { Switcher } from '../features/switcher/Switcher.tsx'
