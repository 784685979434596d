import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import type { MessageForward, MessagePayload } from '#shared/domain/payloads/messages.ts'
import { Avatar, PersonName } from '../../../common/Avatar.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { followLinkedMessage } from '../../../net/messages/linked-messages.ts'
import { nameOf } from '../../../store/channels/names.ts'
import { linkedMessage } from '../../../store/messages/linked-messages.ts'
import { hashOf } from '../../../store/route.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { useOnScreen } from '../cards/on-screen.ts'
import { openOwnLink } from '../OwnLink.tsx'
import { MessageBody } from '../row/MessageBody.tsx'
import { partsOf } from './parts.ts'
import '../cards/MessageCard.css'
import './ForwardCard.css'

export interface ForwardedProps {
  row: MessagePayload
  /** The file of the source follows below. */
  hasFile: boolean
}

/** A forwarded message: the comment, and below it the quoted text. */
export function Forwarded({ row, hasFile }: ForwardedProps) {
  const { comment, quoted } = partsOf(row)
  return (
    <>
      {comment.content && <MessageBody row={comment} />}
      <Card source={row.extra!.forward!}>{!hasFile && <MessageBody row={quoted} />}</Card>
    </>
  )
}

/** The source of a forwarded text, with a link for those who can read it. */
function Card({ source, children }: { source: MessageForward; children: ComponentChildren }) {
  const place = useRef<HTMLElement>(null)
  const found = linkedMessage(source.id).value
  useOnScreen(place, () => followLinkedMessage(source.id))
  const readable = found === 'unreadable' ? undefined : found
  return (
    <figure class="message-card forward-card" ref={place} aria-label={strings.forward.source(source.sender)}>
      <figcaption class="message-card-head">
        <Icon name="forward" size={16} flip />
        <Avatar name={source.sender} size={20} />
        <PersonName name={source.sender} />
        {readable && <span class="message-card-place">{strings.cards.place(nameOf(readable.channel))}</span>}
        <time title={strings.fullTime(source.ts)}>
          {`${strings.date(source.ts)}, ${strings.time(source.ts)}`}
        </time>
        {readable?.deleted === 0 && <SourceLink found={readable} />}
      </figcaption>
      {children}
    </figure>
  )
}

function SourceLink({ found: { id, channel } }: { found: MessagePayload }) {
  const hash = hashOf(channel, id)
  return (
    <a
      class="forward-card-link"
      href={hash}
      aria-label={strings.forward.open(nameOf(channel))}
      onClick={event => openOwnLink(event, { hash, message: id })}
    >
      {strings.forward.show}
    </a>
  )
}
