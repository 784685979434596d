import { useEffect } from 'preact/hooks'
import { Avatar, PersonName } from '../../../common/Avatar.tsx'
import { OneLineOfRow } from '../../../common/OneLine.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { showMessage } from '../../../net/channels/open-channel.ts'
import type { Channel } from '../../../store/channels/channels.ts'
import { noteJump } from '../../../store/channels/jumps.ts'
import { linkedMessage } from '../../../store/messages/linked-messages.ts'
import { linkedMessages } from '../OwnLink.tsx'
import './ReplyQuote.css'

interface Props {
  channel: Channel
  id: number
}

/** Line above a reply: the author and text of its parent. */
export function ReplyQuote({ channel, id }: Props) {
  const loaded = channel.findRow(id)
  const isLoaded = loaded !== undefined
  const found = linkedMessage(id)
  const requests = linkedMessages.arrived
  useEffect(() => {
    if (!isLoaded) void requests?.wantLinkedMessage(id)
  }, [found, isLoaded, requests])

  const parent = loaded ?? found.value
  if (parent === undefined) return <span class="reply-quote" />
  if (parent === 'unreadable' || parent.deleted === 1) {
    return (
      <span class="reply-quote">
        <span class="reply-quote-text">{strings.list.deleted}</span>
      </span>
    )
  }
  return (
    <button
      type="button"
      class="reply-quote"
      tabIndex={-1}
      onClick={event => showParent(event.currentTarget, channel, id)}
    >
      <Avatar name={parent.sender} size={16} />
      <PersonName name={parent.sender} />
      <span class="reply-quote-text" dir="auto">
        <OneLineOfRow row={parent} />
      </span>
    </button>
  )
}

/** Alt+← returns to the reply. */
export function showParent(from: HTMLElement, channel: Channel, id: number) {
  noteJump(channel.id, Number(from.closest<HTMLElement>('article')?.dataset.messageId))
  void showMessage(channel, id)
}
