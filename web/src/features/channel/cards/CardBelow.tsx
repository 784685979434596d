import type { MessagePayload } from '#shared/domain/payloads/messages.ts'
import { linksIn } from '../../../common/markup.ts'
import { parsedOf } from '../../../common/parsed-message.ts'
import { firstScreen } from '../../../store/first-screen.ts'
import { ownLink } from '../../../store/own-links.ts'
import { preferred } from '../../../store/preferences/preferences.ts'
import { part } from '../../../ui/part.ts'

const MOST_MESSAGE_CARDS = 3

export const linkCard = part<typeof import('./LinkCard.tsx')>()
export const messageCard = part<typeof import('./MessageCard.tsx')>()

/** The messages that a text links to, and the card of its first link elsewhere (ui.md 5.4), unless turned off. */
export function CardBelow({ row }: { row: MessagePayload }) {
  if (!preferred.showCards.value || row.id <= 0) return null
  const links = linksIn(parsedOf(row))
  if (links.length === 0) return null
  const messages = new Set(links.map(href => ownLink(href)?.message).filter(id => id !== undefined))
  const address = links.find(href => !ownLink(href))
  const OfMessage = messages.size > 0 && messageCard.get('MessageCard', firstScreen)
  const OfLink = address !== undefined && linkCard.get('LinkCard', firstScreen)
  return (
    <>
      {OfMessage && [...messages].slice(0, MOST_MESSAGE_CARDS).map(id => <OfMessage key={id} id={id} />)}
      {OfLink && <OfLink key={address} row={row} address={address} />}
    </>
  )
}
