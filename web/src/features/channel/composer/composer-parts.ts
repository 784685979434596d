/** Parts of the composer that appear with what is written, keys but Enter, and files. */

export { openEmojiPicker } from '../message-actions.tsx'
export { AttachmentTray } from './AttachmentTray.tsx'
export { addFiles, takeAttachments } from './add-files.ts'
export { onComposerKey } from './composer-keys.ts'
export { FormattingBar } from './FormattingBar.tsx'
export { ReplyBar } from './ReplyBar.tsx'
export { sendLater } from './send-later.ts'
export { TooLongMark } from './TooLongMark.tsx'
export { onPasteText } from './writing-keys.ts'
