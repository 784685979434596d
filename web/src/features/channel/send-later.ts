import { pressedIn } from '../../common/pressed.ts'
import { forgetTyping } from '../../net/typing.ts'
import type { Channel } from '../../store/channels.ts'
import { openSendLater } from '../later/open-later.ts'
import { attachmentsOf } from './attachments.ts'
import { hasContent } from './text-marks.ts'

/** The key acts on nothing else then. */
export function isLaterKey(event: KeyboardEvent): boolean {
  const isIt = pressedIn('composer', event) === 'sendLater'
  if (isIt) event.preventDefault()
  return isIt
}

/** Offers times at which the text of the composer is sent. `empty` empties the composer. */
export function sendLater(
  anchor: HTMLElement,
  channel: Channel,
  field: { current: HTMLTextAreaElement | null },
  empty: () => void,
  putBack: (text: string) => void,
) {
  const text = field.current?.value.trimEnd() ?? ''
  if (!hasContent(text)) return
  openSendLater(anchor, {
    channel: channel.id,
    text,
    replyTo: channel.replyTo.peek() ?? null,
    hasFiles: attachmentsOf(channel).length > 0,
    clear: () => {
      if (field.current?.value.trimEnd() !== text) return
      channel.replyTo.value = undefined
      forgetTyping()
      empty()
    },
    putBack: () => putBack(text),
  })
}
