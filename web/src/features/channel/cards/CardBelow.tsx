import type { MessagePayload } from '#shared/domain/payloads.ts'
import { linksIn } from '../../../common/markup.ts'
import { parsedOf } from '../../../common/parsed-message.ts'
import { ownLink } from '../../../store/own-links.ts'
import { preferred } from '../../../store/preferences.ts'
import { LinkCard } from './LinkCard.tsx'
import { MessageCard } from './MessageCard.tsx'

const MOST_MESSAGE_CARDS = 3

/** The messages that a text links to, and the card of its first link elsewhere (ui.md 5.4), unless turned off. */
export function CardBelow({ row }: { row: MessagePayload }) {
  if (!preferred.showCards.value || row.id <= 0) return null
  const links = linksIn(parsedOf(row))
  if (links.length === 0) return null
  const messages = new Set(links.map(href => ownLink(href)?.message).filter(id => id !== undefined))
  const address = links.find(href => !ownLink(href))
  return (
    <>
      {[...messages].slice(0, MOST_MESSAGE_CARDS).map(id => (
        <MessageCard key={id} id={id} />
      ))}
      {address !== undefined && <LinkCard key={address} row={row} address={address} />}
    </>
  )
}
