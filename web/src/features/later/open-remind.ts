/** Entries of the menu of a message. Only chunks that are loaded on demand import this. */
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { strings } from '../../i18n/i18n.ts'
import { remindTimes } from '../../store/time/remind-times.ts'
import type { MenuItem } from '../../ui/Menu.tsx'
import { loadSaved, remindAt, saved, toggleSaved } from './saved.ts'
import { timeItems } from './time-menu.tsx'

export function saveItems(anchor: HTMLElement, row: MessagePayload): MenuItem[] {
  if (!saved.peek()) void loadSaved()
  const isSaved = saved.peek()?.some(one => one.message.id === row.id)
  return [
    {
      label: isSaved ? strings.later.remove : strings.actions.save,
      icon: 'bookmark',
      keys: 'S',
      run: () => void toggleSaved(row),
    },
    {
      label: strings.later.remind,
      icon: 'clock',
      more: () => timeItems(anchor, remindTimes(new Date()), ts => void remindAt(row, ts)),
    },
  ]
}
