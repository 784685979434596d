import { useRef } from 'preact/hooks'
import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { Avatar, PersonName } from '../../../common/Avatar.tsx'
import { EmojiSign } from '../../../common/EmojiSign.tsx'
import { OneLineOfRow } from '../../../common/OneLine.tsx'
import { strings } from '../../../i18n/i18n.ts'
import { followLinkedMessage } from '../../../net/messages/linked-messages.ts'
import { channelOf } from '../../../store/channels/channels.ts'
import { nameOf } from '../../../store/channels/names.ts'
import { linkedMessage } from '../../../store/messages/linked-messages.ts'
import { reactionsOf } from '../../../store/messages/selectors.ts'
import { hashOf } from '../../../store/route.ts'
import { Icon } from '../../../ui/Icon.tsx'
import { openOwnLink } from '../OwnLink.tsx'
import { useOnScreen } from './on-screen.ts'
import './MessageCard.css'

const MOST_REACTIONS = 5

/** The message that a text links to, for people who can read it; requested once it is in view. */
export function MessageCard({ id }: { id: number }) {
  const place = useRef<HTMLDivElement>(null)
  const found = linkedMessage(id).value
  useOnScreen(place, () => followLinkedMessage(id))
  return <div ref={place}>{found && found !== 'unreadable' && <Card id={id} channel={found.channel} />}</div>
}

function Card({ id, channel }: { id: number; channel: string }) {
  const found = linkedMessage(id).value
  // The row of an open channel follows its edits.
  const row = channelOf(channel).findRow(id) ?? found
  if (!row || row === 'unreadable') return null
  const hash = hashOf(channel, id)
  return (
    <a class="message-card" href={hash} onClick={event => openOwnLink(event, { hash, message: id })}>
      <span class="message-card-head">
        <Avatar name={row.sender} size={20} />
        <PersonName name={row.sender} />
        <span class="message-card-place">{strings.cards.place(nameOf(channel))}</span>
        <time title={strings.fullTime(row.ts)}>{`${strings.date(row.ts)}, ${strings.time(row.ts)}`}</time>
      </span>
      <span class="message-card-text" dir="auto">
        {row.deleted === 1 ? strings.list.deleted : <OneLineOfRow row={row} />}
      </span>
      <Responses row={row} />
    </a>
  )
}

/** The numbers of replies and reactions. */
function Responses({ row }: { row: MessagePayload }) {
  const count = row.extra?.replies?.count ?? 0
  const reactions = reactionsOf(row).slice(0, MOST_REACTIONS)
  if (count === 0 && reactions.length === 0) return null
  return (
    <span class="message-card-foot">
      {count > 0 && (
        <span class="message-card-replies">
          <Icon name="message" size={14} />
          {strings.replies.count(count)}
        </span>
      )}
      {reactions.map(([name, people]) => (
        <span key={name}>
          <EmojiSign name={name} /> {people.length}
        </span>
      ))}
    </span>
  )
}
