/** Parts of the composer that appear with what is written. */
export { AttachmentTray } from './AttachmentTray.tsx'
export { FormattingBar } from './FormattingBar.tsx'
export { ReplyBar } from './ReplyBar.tsx'
export { TooLongMark } from './TooLongMark.tsx'
