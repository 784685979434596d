/** The chunk of pins, saved messages and scheduled sends. */
import '../../i18n/later-strings.ts'

export { LaterRows } from './LaterRows.tsx'
export { PinnedBy, PinsButton } from './PinMarks.tsx'
export { PinsTab } from './PinsTab.tsx'
export { SavedPage } from './SavedPage.tsx'
export { ScheduledPage } from './ScheduledPage.tsx'
export { toggleSaved } from './saved.ts'
export { openSendLater, SendLaterButton } from './send-later.tsx'
export { togglePin } from './toggle-pin.ts'
