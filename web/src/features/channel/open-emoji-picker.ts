/** The emoji picker for other features: inside their own frame. Fetched on first use. */
import { lazyComponent } from '../../ui/lazy.tsx'
import type { PickerProps } from './emoji/EmojiPicker.tsx'

export const EmojiPicker = lazyComponent<PickerProps>(() =>
  import('./emoji/EmojiPicker.tsx').then(module => module.EmojiPicker),
)
