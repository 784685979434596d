import { useRef } from 'preact/hooks'
import { Avatar, PersonName } from '../../../common/Avatar.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { linkedMessage, wantLinkedMessage } from '../../../net/linked-messages.ts'
import { channelOf } from '../../../store/channels.ts'
import { nameOf } from '../../../store/names.ts'
import { hashOf } from '../../../store/route.ts'
import { openOwnLink } from '../OwnLink.tsx'
import { snippet } from '../ReplyQuote.tsx'
import { useOnScreen } from './on-screen.ts'
import './MessageCard.css'

/** The message that a text links to, for people who can read it; requested once it is in view. */
export function MessageCard({ id }: { id: number }) {
  const place = useRef<HTMLDivElement>(null)
  const found = linkedMessage(id).value
  useOnScreen(
    place,
    found === undefined
      ? () => {
          void wantLinkedMessage(id)
          return () => {}
        }
      : undefined,
  )
  return <div ref={place}>{found && found !== 'unreadable' && <Card id={id} channel={found.channel} />}</div>
}

function Card({ id, channel }: { id: number; channel: string }) {
  const found = linkedMessage(id).value
  // The row of an open channel follows its edits.
  const row = channelOf(channel).findRow(id) ?? found
  if (!row || row === 'unreadable' || row.deleted === 1) return null
  const hash = hashOf(channel, id)
  return (
    <a class="message-card" href={hash} onClick={event => openOwnLink(event, { hash, message: id })}>
      <span class="message-card-head">
        <Avatar name={row.sender} size={20} />
        <PersonName name={row.sender} />
        <span class="message-card-place">{nameOf(channel)}</span>
        <time title={strings.fullTime(row.ts)}>{`${strings.date(row.ts)}, ${strings.time(row.ts)}`}</time>
      </span>
      <span class="message-card-text" dir="auto">
        {snippet(row)}
      </span>
    </a>
  )
}
