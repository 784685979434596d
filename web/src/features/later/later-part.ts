/** Pins, saved messages and scheduled sends. */
export { LaterRows } from './LaterRows.tsx'
export { PinnedBy, PinsButton } from './PinMarks.tsx'
export { PinsTab } from './PinsTab.tsx'
export { remind, toggleSaved } from './saved.ts'
export { scheduleText } from './scheduled.ts'
export { openSendLater, SendLaterButton } from './send-later.tsx'
export { togglePin } from './toggle-pin.ts'
