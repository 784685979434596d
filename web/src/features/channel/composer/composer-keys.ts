/** Keys of a composer, and pasting into it. Those before this module is there: `early-keys.ts`. */
import { pressedIn } from '../../../common/pressed.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { replyTo } from '../message-actions.tsx'
import { editLast } from './edit-last.ts'
import { lastMessage, recalled } from './own-texts.ts'
import { replaceText } from './text-field-edits.ts'
import { onWritingKey } from './writing-keys.ts'

export interface ComposerActions {
  channel: Channel
  isThread: boolean
  sendNow: () => void
  sendQuietly: () => void
  later: (anchor: HTMLElement) => void
}

export function onComposerKey(event: KeyboardEvent, area: HTMLTextAreaElement, composer: ComposerActions) {
  const { channel, isThread, sendNow, sendQuietly, later } = composer
  const pressed = pressedIn('composer', event)
  if (pressed === 'sendLater' && !isThread) {
    event.preventDefault()
    later(laterButton(area))
  } else if (pressed === 'sendQuietly') {
    event.preventDefault()
    sendQuietly()
  } else if (onWritingKey(event, area) === 'send') sendNow()
  else if (!isThread && onOwnMessages(event, channel, area)) event.preventDefault()
}

/** The button whose menu the key opens; the field until it is loaded. */
const laterButton = (area: HTMLElement): HTMLElement =>
  area.closest('.composer')?.querySelector<HTMLElement>('.composer-later') ?? area

/** Keys in an empty composer: edit, reply, and recall a sent text. Returns false for other keys. */
function onOwnMessages(event: KeyboardEvent, channel: Channel, area: HTMLTextAreaElement): boolean {
  const pressed = pressedIn('composer', event)
  if (pressed === 'recall') {
    const text = recalled(channel, area.value, event.key === 'ArrowUp' ? -1 : 1)
    if (text !== undefined) replaceText(area, text)
    return text !== undefined
  }
  if (area.value !== '') return false
  if (pressed === 'editLast') return editLast(channel)
  const last = pressed === 'replyLast' ? lastMessage(channel) : undefined
  if (last) replyTo(last.row)
  return last !== undefined
}
