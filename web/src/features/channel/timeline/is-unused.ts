import type { Channel } from '../../../store/channels/channels.ts'
import { isRowItem } from '../../../store/messages/items.ts'

/** True for a channel in which nobody has written yet. */
export const isUnused = ({ items, historyWindow }: Channel) =>
  historyWindow.value === undefined && !items.value.some(item => isRowItem(item) && item.kind !== 'system')
