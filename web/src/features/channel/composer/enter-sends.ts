import { endsInFence } from '#shared/domain/text-blocks.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import { isPhone } from '../../../store/store.ts'

/** True if Enter alone sends: not on phones, not by the other choice in the settings, not in an open code fence. */
export const enterSends = (area: HTMLTextAreaElement) =>
  !isPhone.peek() && preferred.sendWith.peek() === 'enter' && !isInFence(area)

export const isInFence = ({ value, selectionStart }: HTMLTextAreaElement) =>
  endsInFence(value.slice(0, selectionStart))
