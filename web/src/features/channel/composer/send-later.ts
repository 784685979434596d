import { forgetTyping } from '../../../net/messages/typing.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { openSendLater } from '../../later/open-later.ts'
import { attachmentsOf } from './attachments.ts'

/** Offers times at which the text is sent. `empty` empties the composer if it is unchanged then. */
export function sendLater(
  text: string,
  anchor: HTMLElement,
  channel: Channel,
  field: { current: HTMLTextAreaElement | null },
  {
    empty,
    putBack,
    sendQuietly,
  }: { empty: () => void; putBack: (text: string) => void; sendQuietly: () => void },
) {
  const typed = field.current?.value
  openSendLater(anchor, {
    channel: channel.id,
    text,
    replyTo: channel.replyTo.peek() ?? null,
    hasFiles: attachmentsOf(channel.id).length > 0,
    clear: () => {
      if (field.current?.value !== typed) return
      channel.replyTo.value = undefined
      forgetTyping()
      empty()
    },
    putBack: () => putBack(text),
    sendQuietly,
  })
}
