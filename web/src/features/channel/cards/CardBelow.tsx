import type { MessagePayload } from '#shared/domain/payloads.ts'
import { linksIn } from '../../../common/markup.ts'
import { parsedOf } from '../../../common/parsed-message.ts'
import { firstScreen } from '../../../store/first-screen.ts'
import { ownLink } from '../../../store/own-links.ts'
import { preferred } from '../../../store/preferences.ts'
import { lazyComponent } from '../../../ui/lazy.tsx'
import type { LinkCardProps } from './LinkCard.tsx'

const MOST_MESSAGE_CARDS = 3

/** Cards are requested for messages in view, after the first screen. */
const LinkCard = lazyComponent<LinkCardProps>(() =>
  firstScreen()
    .then(() => import('./LinkCard.tsx'))
    .then(module => module.LinkCard),
)
const MessageCard = lazyComponent<{ id: number }>(() =>
  firstScreen()
    .then(() => import('./MessageCard.tsx'))
    .then(module => module.MessageCard),
)

/** The messages that a text links to, and the card of its first link elsewhere (ui.md 5.4), unless turned off. */
export function CardBelow({ row }: { row: MessagePayload }) {
  if (!preferred.showCards.value || row.id <= 0) return null
  const links = linksIn(parsedOf(row))
  if (links.length === 0) return null
  const messages = new Set(links.map(href => ownLink(href)?.message).filter(id => id !== undefined))
  const address = links.find(href => !ownLink(href))
  const OfMessage = messages.size > 0 && MessageCard.get()
  const OfLink = address !== undefined && LinkCard.get()
  return (
    <>
      {OfMessage && [...messages].slice(0, MOST_MESSAGE_CARDS).map(id => <OfMessage key={id} id={id} />)}
      {OfLink && <OfLink key={address} row={row} address={address} />}
    </>
  )
}
