/** The emoji picker for other features: inside their own frame. Fetched on first use. */
import { part } from '../../ui/part.ts'

export const emojiPicker = part(() => import('./emoji/EmojiPicker.tsx'))
