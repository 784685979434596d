/** The chunk of pins, saved messages and scheduled sends. */
import '../../i18n/later-strings.ts'

export { PinnedBy, PinsButton } from './PinMarks.tsx'
export { PinsTab } from './PinsTab.tsx'
export { togglePin } from './toggle-pin.ts'
